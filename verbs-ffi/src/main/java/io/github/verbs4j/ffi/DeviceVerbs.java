package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;
import static io.github.verbs4j.ffi.verbs_h.EINVAL;
import static io.github.verbs4j.ffi.verbs_h.ENOSYS;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;

/** Devices and their ports: finding, opening, querying, asynchronous events, fork support. */
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

    private static final NativeFunction IBV_QUERY_PORT =
            ibverbs("ibv_query_port", C_INT, C_POINTER, C_CHAR, C_POINTER);

    private static final ContextOp OP_QUERY_PORT =
            new ContextOp(
                    "query_port",
                    verbs_context.query_port$offset(),
                    C_INT,
                    C_POINTER,
                    C_CHAR,
                    C_POINTER,
                    C_LONG);

    private static final NativeFunction IBV_QUERY_PORT_SPEED =
            ibverbs("ibv_query_port_speed", C_INT, C_POINTER, C_INT, C_POINTER);

    private static final NativeFunction IBV_QUERY_GID =
            ibverbs("ibv_query_gid", C_INT, C_POINTER, C_CHAR, C_INT, C_POINTER);

    private static final NativeFunction _IBV_QUERY_GID_EX =
            ibverbs("_ibv_query_gid_ex", C_INT, C_POINTER, C_INT, C_INT, C_POINTER, C_INT, C_LONG);

    private static final NativeFunction _IBV_QUERY_GID_TABLE =
            ibverbs("_ibv_query_gid_table", C_LONG, C_POINTER, C_POINTER, C_LONG, C_INT, C_LONG);

    private static final NativeFunction IBV_QUERY_PKEY =
            ibverbs("ibv_query_pkey", C_INT, C_POINTER, C_CHAR, C_INT, C_POINTER);

    private static final NativeFunction IBV_GET_PKEY_INDEX =
            ibverbs("ibv_get_pkey_index", C_INT, C_POINTER, C_CHAR, C_SHORT);

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

    /**
     * Does what the macro {@code ibv_query_port} does: calls {@code verbs_context.query_port}, and
     * the exported function, which fills a shorter struct, only for a provider that has none.
     * Returns 0, or the errno value.
     */
    public static int ibv_query_port(
            MemorySegment context, byte port_num, MemorySegment port_attr) {
        MemorySegment op = OP_QUERY_PORT.in(context);
        try {
            if (op.address() == 0) {
                port_attr.asSlice(0, ibv_port_attr.sizeof()).fill((byte) 0);
                return (int)
                        IBV_QUERY_PORT
                                .handle()
                                .invokeExact(Errno.state(), context, port_num, port_attr);
            }
            return (int)
                    OP_QUERY_PORT
                            .handle()
                            .invokeExact(
                                    op,
                                    Errno.state(),
                                    context,
                                    port_num,
                                    port_attr,
                                    ibv_port_attr.sizeof());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_port_speed}. Returns 0, or the errno value. */
    public static int ibv_query_port_speed(
            MemorySegment context, int port_num, MemorySegment port_speed) {
        try {
            return (int)
                    IBV_QUERY_PORT_SPEED
                            .handle()
                            .invokeExact(Errno.state(), context, port_num, port_speed);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_gid}. Returns 0, or -1. */
    public static int ibv_query_gid(
            MemorySegment context, byte port_num, int index, MemorySegment gid) {
        try {
            return (int)
                    IBV_QUERY_GID
                            .handle()
                            .invokeExact(Errno.state(), context, port_num, index, gid);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code _ibv_query_gid_ex}. Returns 0, or the errno value. */
    public static int ibv_query_gid_ex(
            MemorySegment context, int port_num, int gid_index, MemorySegment entry, int flags) {
        try {
            return (int)
                    _IBV_QUERY_GID_EX
                            .handle()
                            .invokeExact(
                                    Errno.state(),
                                    context,
                                    port_num,
                                    gid_index,
                                    entry,
                                    flags,
                                    ibv_gid_entry.sizeof());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code _ibv_query_gid_table}. Returns the number of entries, or a negative errno value.
     */
    public static long ibv_query_gid_table(
            MemorySegment context, MemorySegment entries, long max_entries, int flags) {
        try {
            return (long)
                    _IBV_QUERY_GID_TABLE
                            .handle()
                            .invokeExact(
                                    Errno.state(),
                                    context,
                                    entries,
                                    max_entries,
                                    flags,
                                    ibv_gid_entry.sizeof());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_pkey}. Returns 0, or -1. */
    public static int ibv_query_pkey(
            MemorySegment context, byte port_num, int index, MemorySegment pkey) {
        try {
            return (int)
                    IBV_QUERY_PKEY
                            .handle()
                            .invokeExact(Errno.state(), context, port_num, index, pkey);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_pkey_index}. Returns the index, or -1. */
    public static int ibv_get_pkey_index(MemorySegment context, byte port_num, short pkey) {
        try {
            return (int)
                    IBV_GET_PKEY_INDEX.handle().invokeExact(Errno.state(), context, port_num, pkey);
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
