package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;
import static io.github.verbs4j.ffi.verbs_h.IBV_SRQT_BASIC;
import static io.github.verbs4j.ffi.verbs_h.IBV_SRQ_INIT_ATTR_PD;
import static io.github.verbs4j.ffi.verbs_h.IBV_SRQ_INIT_ATTR_TYPE;

import java.lang.foreign.MemorySegment;

/** Shared receive queues; receives are posted to them with {@link PostVerbs}. */
public final class SharedReceiveVerbs {

    private static final NativeFunction IBV_CREATE_SRQ =
            ibverbs("ibv_create_srq", C_POINTER, C_POINTER, C_POINTER);

    private static final ContextOp OP_CREATE_SRQ_EX =
            new ContextOp(
                    "create_srq_ex",
                    verbs_context.create_srq_ex$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_MODIFY_SRQ =
            ibverbs("ibv_modify_srq", C_INT, C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction IBV_QUERY_SRQ =
            ibverbs("ibv_query_srq", C_INT, C_POINTER, C_POINTER);

    private static final ContextOp OP_GET_SRQ_NUM =
            new ContextOp(
                    "get_srq_num", verbs_context.get_srq_num$offset(), C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_DESTROY_SRQ =
            ibverbs("ibv_destroy_srq", C_INT, C_POINTER);

    private static final ContextOp OP_POST_SRQ_OPS =
            new ContextOp(
                    "post_srq_ops",
                    verbs_context.post_srq_ops$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private SharedReceiveVerbs() {}

    /** Calls {@code ibv_create_srq}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_srq(MemorySegment pd, MemorySegment srq_init_attr) {
        try {
            return (MemorySegment)
                    IBV_CREATE_SRQ.handle().invokeExact(Errno.state(), pd, srq_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code verbs_context.create_srq_ex}, or {@code ibv_create_srq} for a basic queue.
     * Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_create_srq_ex(
            MemorySegment context, MemorySegment srq_init_attr_ex) {
        if (isPlain(srq_init_attr_ex)) {
            return ibv_create_srq(ibv_srq_init_attr_ex.pd(srq_init_attr_ex), srq_init_attr_ex);
        }
        MemorySegment function = OP_CREATE_SRQ_EX.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_SRQ_EX
                            .handle()
                            .invokeExact(function, Errno.state(), context, srq_init_attr_ex);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_modify_srq}. Returns 0, or the errno value. */
    public static int ibv_modify_srq(MemorySegment srq, MemorySegment srq_attr, int srq_attr_mask) {
        try {
            return (int)
                    IBV_MODIFY_SRQ
                            .handle()
                            .invokeExact(Errno.state(), srq, srq_attr, srq_attr_mask);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_srq}. Returns 0, or the errno value. */
    public static int ibv_query_srq(MemorySegment srq, MemorySegment srq_attr) {
        try {
            return (int) IBV_QUERY_SRQ.handle().invokeExact(Errno.state(), srq, srq_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.get_srq_num}. Returns 0, or the errno value. */
    public static int ibv_get_srq_num(MemorySegment srq, MemorySegment srq_num) {
        MemorySegment function = OP_GET_SRQ_NUM.in(ibv_srq.context(srq));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_GET_SRQ_NUM.handle().invokeExact(function, Errno.state(), srq, srq_num);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_srq}. Returns 0, or the errno value. */
    public static int ibv_destroy_srq(MemorySegment srq) {
        try {
            return (int) IBV_DESTROY_SRQ.handle().invokeExact(Errno.state(), srq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.post_srq_ops}. Returns 0, or the errno value. */
    public static int ibv_post_srq_ops(MemorySegment srq, MemorySegment op, MemorySegment bad_op) {
        MemorySegment function = OP_POST_SRQ_OPS.in(ibv_srq.context(srq));
        if (function.address() == 0) {
            bad_op.set(C_POINTER, 0, op);
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_POST_SRQ_OPS.handle().invokeExact(function, Errno.state(), srq, op, bad_op);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Whether C would create this queue with ibv_create_srq, which every provider has. */
    private static boolean isPlain(MemorySegment attr) {
        int mask = ibv_srq_init_attr_ex.comp_mask(attr);
        boolean hasType = (mask & IBV_SRQ_INIT_ATTR_TYPE()) != 0;
        return (mask & ~(IBV_SRQ_INIT_ATTR_PD() | IBV_SRQ_INIT_ATTR_TYPE())) == 0
                && (mask & IBV_SRQ_INIT_ATTR_PD()) != 0
                && (!hasType || ibv_srq_init_attr_ex.srq_type(attr) == IBV_SRQT_BASIC());
    }
}
