package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.MemorySegment;

/** The ports of a device, their GIDs and partition keys. */
public final class PortVerbs {

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

    private PortVerbs() {}

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
}
