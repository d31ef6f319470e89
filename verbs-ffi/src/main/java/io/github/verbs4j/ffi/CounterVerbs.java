package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;

/** Counters of packets and bytes, attached to flows. */
public final class CounterVerbs {

    private static final ContextOp OP_CREATE_COUNTERS =
            new ContextOp(
                    "create_counters",
                    verbs_context.create_counters$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_DESTROY_COUNTERS =
            new ContextOp(
                    "destroy_counters", verbs_context.destroy_counters$offset(), C_INT, C_POINTER);

    private static final ContextOp OP_ATTACH_COUNTERS_POINT_FLOW =
            new ContextOp(
                    "attach_counters_point_flow",
                    verbs_context.attach_counters_point_flow$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_READ_COUNTERS =
            new ContextOp(
                    "read_counters",
                    verbs_context.read_counters$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER,
                    C_INT,
                    C_INT);

    private CounterVerbs() {}

    /** Calls {@code verbs_context.create_counters}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_counters(
            MemorySegment context, MemorySegment init_attr) {
        MemorySegment function = OP_CREATE_COUNTERS.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_COUNTERS
                            .handle()
                            .invokeExact(function, Errno.state(), context, init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.destroy_counters}. Returns 0, or the errno value. */
    public static int ibv_destroy_counters(MemorySegment counters) {
        MemorySegment function = OP_DESTROY_COUNTERS.in(ibv_counters.context(counters));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_DESTROY_COUNTERS.handle().invokeExact(function, Errno.state(), counters);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.attach_counters_point_flow}. Returns 0, or the errno value. */
    public static int ibv_attach_counters_point_flow(
            MemorySegment counters, MemorySegment attr, MemorySegment flow) {
        MemorySegment function = OP_ATTACH_COUNTERS_POINT_FLOW.in(ibv_counters.context(counters));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_ATTACH_COUNTERS_POINT_FLOW
                            .handle()
                            .invokeExact(function, Errno.state(), counters, attr, flow);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.read_counters}. Returns 0, or the errno value. */
    public static int ibv_read_counters(
            MemorySegment counters, MemorySegment counters_value, int ncounters, int flags) {
        MemorySegment function = OP_READ_COUNTERS.in(ibv_counters.context(counters));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_READ_COUNTERS
                            .handle()
                            .invokeExact(
                                    function,
                                    Errno.state(),
                                    counters,
                                    counters_value,
                                    ncounters,
                                    flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
