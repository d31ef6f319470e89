package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.mlx5;
import static io.github.verbs4j.ffi.verbs_h.C_BOOL;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The mlx5 provider's own control calls, as far as the dynamically connected transport needs them.
 * All are exported by libmlx5.
 */
public final class Mlx5Verbs {

    private static final NativeFunction MLX5DV_IS_SUPPORTED =
            mlx5("mlx5dv_is_supported", C_BOOL, C_POINTER);

    private static final NativeFunction MLX5DV_OPEN_DEVICE =
            mlx5("mlx5dv_open_device", C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction MLX5DV_QUERY_DEVICE =
            mlx5("mlx5dv_query_device", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction MLX5DV_CREATE_QP =
            mlx5("mlx5dv_create_qp", C_POINTER, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction MLX5DV_QP_EX_FROM_IBV_QP_EX =
            mlx5("mlx5dv_qp_ex_from_ibv_qp_ex", C_POINTER, C_POINTER);

    private static final NativeFunction MLX5DV_DCI_STREAM_ID_RESET =
            mlx5("mlx5dv_dci_stream_id_reset", C_INT, C_POINTER, C_SHORT);

    private Mlx5Verbs() {}

    /** Calls {@code mlx5dv_is_supported}. Any device may be asked about. */
    public static boolean mlx5dv_is_supported(MemorySegment device) {
        try {
            return (boolean) MLX5DV_IS_SUPPORTED.handle().invokeExact(Errno.state(), device);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mlx5dv_open_device}. Returns NULL on failure, with errno set. */
    public static MemorySegment mlx5dv_open_device(MemorySegment device, MemorySegment attr) {
        try {
            return (MemorySegment)
                    MLX5DV_OPEN_DEVICE.handle().invokeExact(Errno.state(), device, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mlx5dv_query_device}. Returns 0, or the errno value. */
    public static int mlx5dv_query_device(MemorySegment ctx_in, MemorySegment attrs_out) {
        try {
            return (int) MLX5DV_QUERY_DEVICE.handle().invokeExact(Errno.state(), ctx_in, attrs_out);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mlx5dv_create_qp}. Returns NULL on failure, with errno set. */
    public static MemorySegment mlx5dv_create_qp(
            MemorySegment context, MemorySegment qp_attr, MemorySegment mlx5_qp_attr) {
        try {
            return (MemorySegment)
                    MLX5DV_CREATE_QP
                            .handle()
                            .invokeExact(Errno.state(), context, qp_attr, mlx5_qp_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mlx5dv_qp_ex_from_ibv_qp_ex}: the queue pair must be one of mlx5. */
    public static MemorySegment mlx5dv_qp_ex_from_ibv_qp_ex(MemorySegment qp) {
        try {
            return (MemorySegment)
                    MLX5DV_QP_EX_FROM_IBV_QP_EX.handle().invokeExact(Errno.state(), qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mlx5dv_dci_stream_id_reset}. Returns 0, or the errno value. */
    public static int mlx5dv_dci_stream_id_reset(MemorySegment qp, short stream_id) {
        try {
            return (int)
                    MLX5DV_DCI_STREAM_ID_RESET.handle().invokeExact(Errno.state(), qp, stream_id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
