package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EINVAL;
import static io.github.verbs4j.ffi.verbs_h.ENOSYS;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;

/** Devices: finding, opening, querying, asynchronous events, fork support. */
public final class DeviceVerbs {

    private static final NativeFunction IBV_GET_DEVICE_LIST =
            ibverbs("ibv_get_device_list", C_POINTER, C_POINTER);

    private static final NativeFunction IBV_FREE_DEVICE_LIST =
            ibverbs("ibv_free_device_list", null, C_POINTER);

    private static final NativeFunction IBV_GET_DEVICE_NAME =
            ibverbs("ibv_get_device_name", C_POINTER, C_POINTER);

    private static final NativeFunction IBV_GET_DEVICE_GUID =
            ibverbs("ibv_get_device_guid", C_LONG, C_POINTER);

    private static final NativeFunction IBV_GET_DEVICE_INDEX =
            ibverbs("ibv_get_device_index", C_INT, C_POINTER);

    private static final NativeFunction IBV_OPEN_DEVICE =
            ibverbs("ibv_open_device", C_POINTER, C_POINTER);

    private static final NativeFunction IBV_CLOSE_DEVICE =
            ibverbs("ibv_close_device", C_INT, C_POINTER);

    private static final NativeFunction IBV_IMPORT_DEVICE =
            ibverbs("ibv_import_device", C_POINTER, C_INT);

    private static final NativeFunction IBV_QUERY_DEVICE =
            ibverbs("ibv_query_device", C_INT, C_POINTER, C_POINTER);

    private static final ContextOp OP_QUERY_DEVICE_EX =
            new ContextOp(
                    "query_device_ex",
                    verbs_context.query_device_ex$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER,
                    C_LONG);

    private static final ContextOp OP_QUERY_RT_VALUES =
            new ContextOp(
                    "query_rt_values",
                    verbs_context.query_rt_values$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_GET_ASYNC_EVENT =
            ibverbs("ibv_get_async_event", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_ACK_ASYNC_EVENT =
            ibverbs("ibv_ack_async_event", null, C_POINTER);

    private static final NativeFunction IBV_FORK_INIT = ibverbs("ibv_fork_init", C_INT);

    private static final NativeFunction IBV_IS_FORK_INITIALIZED =
            ibverbs("ibv_is_fork_initialized", C_INT);

    private DeviceVerbs() {}

    /** Calls {@code ibv_get_device_list}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_get_device_list(MemorySegment num_devices) {
        try {
            return (MemorySegment)
                    IBV_GET_DEVICE_LIST.handle().invokeExact(Errno.state(), num_devices);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_free_device_list}. */
    public static void ibv_free_device_list(MemorySegment list) {
        try {
            IBV_FREE_DEVICE_LIST.handle().invokeExact(Errno.state(), list);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_device_name}. Returns a C string that lives as long as the device. */
    public static MemorySegment ibv_get_device_name(MemorySegment device) {
        try {
            return (MemorySegment) IBV_GET_DEVICE_NAME.handle().invokeExact(Errno.state(), device);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_device_guid}. Returns it in network byte order. */
    public static long ibv_get_device_guid(MemorySegment device) {
        try {
            return (long) IBV_GET_DEVICE_GUID.handle().invokeExact(Errno.state(), device);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_device_index}. Returns -1 where the kernel does not tell. */
    public static int ibv_get_device_index(MemorySegment device) {
        try {
            return (int) IBV_GET_DEVICE_INDEX.handle().invokeExact(Errno.state(), device);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_open_device}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_open_device(MemorySegment device) {
        try {
            return (MemorySegment) IBV_OPEN_DEVICE.handle().invokeExact(Errno.state(), device);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_close_device}. Returns 0, or -1. */
    public static int ibv_close_device(MemorySegment context) {
        try {
            return (int) IBV_CLOSE_DEVICE.handle().invokeExact(Errno.state(), context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_import_device}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_import_device(int cmd_fd) {
        try {
            return (MemorySegment) IBV_IMPORT_DEVICE.handle().invokeExact(Errno.state(), cmd_fd);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_device}. Returns 0, or the errno value. */
    public static int ibv_query_device(MemorySegment context, MemorySegment device_attr) {
        try {
            return (int) IBV_QUERY_DEVICE.handle().invokeExact(Errno.state(), context, device_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code verbs_context.query_device_ex}, and {@code ibv_query_device} for a provider that
     * has none. Returns 0, or the errno value.
     */
    public static int ibv_query_device_ex(
            MemorySegment context, MemorySegment input, MemorySegment attr) {
        if (input.address() != 0 && ibv_query_device_ex_input.comp_mask(input) != 0) {
            return EINVAL();
        }
        MemorySegment op = OP_QUERY_DEVICE_EX.in(context);
        if (op.address() != 0) {
            int result = queryDeviceEx(op, context, input, attr);
            if (result != EOPNOTSUPP() && result != ENOSYS()) {
                return result;
            }
        }
        attr.asSlice(0, ibv_device_attr_ex.sizeof()).fill((byte) 0);
        return ibv_query_device(context, ibv_device_attr_ex.orig_attr(attr));
    }

    private static int queryDeviceEx(
            MemorySegment op, MemorySegment context, MemorySegment input, MemorySegment attr) {
        try {
            return (int)
                    OP_QUERY_DEVICE_EX
                            .handle()
                            .invokeExact(
                                    op,
                                    Errno.state(),
                                    context,
                                    input,
                                    attr,
                                    ibv_device_attr_ex.sizeof());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.query_rt_values}. Returns 0, or the errno value. */
    public static int ibv_query_rt_values_ex(MemorySegment context, MemorySegment values) {
        MemorySegment function = OP_QUERY_RT_VALUES.in(context);
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_QUERY_RT_VALUES
                            .handle()
                            .invokeExact(function, Errno.state(), context, values);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_async_event}. Returns 0, or -1 with errno set. */
    public static int ibv_get_async_event(MemorySegment context, MemorySegment event) {
        try {
            return (int) IBV_GET_ASYNC_EVENT.handle().invokeExact(Errno.state(), context, event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_ack_async_event}. */
    public static void ibv_ack_async_event(MemorySegment event) {
        try {
            IBV_ACK_ASYNC_EVENT.handle().invokeExact(Errno.state(), event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_fork_init}. Returns 0, or the errno value. */
    public static int ibv_fork_init() {
        try {
            return (int) IBV_FORK_INIT.handle().invokeExact(Errno.state());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_is_fork_initialized}. Returns an {@code enum ibv_fork_status}. */
    public static int ibv_is_fork_initialized() {
        try {
            return (int) IBV_IS_FORK_INITIALIZED.handle().invokeExact(Errno.state());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Returns 1 when the bit of {@code enum ibv_qp_type} {@code qpt} is set in {@code caps}. */
    public static int ibv_is_qpt_supported(int caps, int qpt) {
        return (caps & (1 << qpt)) != 0 ? 1 : 0;
    }
}
