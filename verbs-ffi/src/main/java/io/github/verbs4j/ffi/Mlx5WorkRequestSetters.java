package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.function;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import io.github.verbs4j.ffi.mlx5.mlx5dv_qp_ex;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The destination of the work request that {@link WorkRequestVerbs} has begun on a dynamically
 * connected queue pair: the inline functions of mlx5dv.h. Data path.
 */
public final class Mlx5WorkRequestSetters {

    /**
     * Calls through {@code mlx5dv_qp_ex.wr_set_dc_addr}: the address of the function first, then
     * the arguments of {@code mlx5dv_wr_set_dc_addr}.
     */
    public static final MethodHandle WR_SET_DC_ADDR =
            hot(descriptor(null, C_POINTER, C_POINTER, C_INT, C_LONG));

    private static final long WR_SET_DC_ADDR_OFFSET = mlx5dv_qp_ex.wr_set_dc_addr$offset();

    /**
     * Calls through {@code mlx5dv_qp_ex.wr_set_dc_addr_stream}: the address of the function first,
     * then the arguments of {@code mlx5dv_wr_set_dc_addr_stream}.
     */
    public static final MethodHandle WR_SET_DC_ADDR_STREAM =
            hot(descriptor(null, C_POINTER, C_POINTER, C_INT, C_LONG, C_SHORT));

    private static final long WR_SET_DC_ADDR_STREAM_OFFSET =
            mlx5dv_qp_ex.wr_set_dc_addr_stream$offset();

    private Mlx5WorkRequestSetters() {}

    /** Calls {@code mlx5dv_qp_ex.wr_set_dc_addr}. */
    public static void mlx5dv_wr_set_dc_addr(
            MemorySegment mqp, MemorySegment ah, int remote_dctn, long remote_dc_key) {
        long function = function(mqp, WR_SET_DC_ADDR_OFFSET, "mlx5dv_wr_set_dc_addr");
        try {
            WR_SET_DC_ADDR.invokeExact(function, mqp, ah, remote_dctn, remote_dc_key);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code mlx5dv_qp_ex.wr_set_dc_addr_stream}, which the struct has since rdma-core 37:
     * nothing in it tells.
     */
    public static void mlx5dv_wr_set_dc_addr_stream(
            MemorySegment mqp,
            MemorySegment ah,
            int remote_dctn,
            long remote_dc_key,
            short stream_id) {
        long function = function(mqp, WR_SET_DC_ADDR_STREAM_OFFSET, "mlx5dv_wr_set_dc_addr_stream");
        try {
            WR_SET_DC_ADDR_STREAM.invokeExact(
                    function, mqp, ah, remote_dctn, remote_dc_key, stream_id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
