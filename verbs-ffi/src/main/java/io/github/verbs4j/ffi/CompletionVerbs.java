package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Completion channels and queues, without polling, which is in {@link PollVerbs}. */
public final class CompletionVerbs {

    private static final NativeFunction IBV_CREATE_COMP_CHANNEL =
            ibverbs("ibv_create_comp_channel", C_POINTER, C_POINTER);

    private static final NativeFunction IBV_DESTROY_COMP_CHANNEL =
            ibverbs("ibv_destroy_comp_channel", C_INT, C_POINTER);

    private static final NativeFunction IBV_CREATE_CQ =
            ibverbs("ibv_create_cq", C_POINTER, C_POINTER, C_INT, C_POINTER, C_POINTER, C_INT);

    private static final ContextOp OP_CREATE_CQ_EX =
            new ContextOp(
                    "create_cq_ex",
                    verbs_context.create_cq_ex$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_MODIFY_CQ =
            new ContextOp(
                    "modify_cq", verbs_context.modify_cq$offset(), C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_RESIZE_CQ =
            ibverbs("ibv_resize_cq", C_INT, C_POINTER, C_INT);

    private static final NativeFunction IBV_DESTROY_CQ =
            ibverbs("ibv_destroy_cq", C_INT, C_POINTER);

    private static final NativeFunction IBV_GET_CQ_EVENT =
            ibverbs("ibv_get_cq_event", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_ACK_CQ_EVENTS =
            ibverbs("ibv_ack_cq_events", null, C_POINTER, C_INT);

    /**
     * What is called for each event: of constant handles the JIT compiler inlines the calls, so
     * that they allocate nothing.
     */
    private static final class Events {
        static final MethodHandle GET = IBV_GET_CQ_EVENT.handle();
        static final MethodHandle ACK = IBV_ACK_CQ_EVENTS.handle();
    }

    private static final NativeFunction _IBV_QUERY_COMP_CNTR_CAPS =
            ibverbs("_ibv_query_comp_cntr_caps", C_INT, C_POINTER, C_POINTER, C_LONG);

    private static final NativeFunction IBV_CREATE_COMP_CNTR =
            ibverbs("ibv_create_comp_cntr", C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_DESTROY_COMP_CNTR =
            ibverbs("ibv_destroy_comp_cntr", C_INT, C_POINTER);

    private static final NativeFunction IBV_SET_COMP_CNTR =
            ibverbs("ibv_set_comp_cntr", C_INT, C_POINTER, C_LONG);

    private static final NativeFunction IBV_SET_ERR_COMP_CNTR =
            ibverbs("ibv_set_err_comp_cntr", C_INT, C_POINTER, C_LONG);

    private static final NativeFunction IBV_INC_COMP_CNTR =
            ibverbs("ibv_inc_comp_cntr", C_INT, C_POINTER, C_LONG);

    private static final NativeFunction IBV_INC_ERR_COMP_CNTR =
            ibverbs("ibv_inc_err_comp_cntr", C_INT, C_POINTER, C_LONG);

    private static final NativeFunction IBV_READ_COMP_CNTR =
            ibverbs("ibv_read_comp_cntr", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_READ_ERR_COMP_CNTR =
            ibverbs("ibv_read_err_comp_cntr", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_QP_ATTACH_COMP_CNTR =
            ibverbs("ibv_qp_attach_comp_cntr", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private CompletionVerbs() {}

    /** Calls {@code ibv_create_comp_channel}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_comp_channel(MemorySegment context) {
        try {
            return (MemorySegment)
                    IBV_CREATE_COMP_CHANNEL.handle().invokeExact(Errno.state(), context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_comp_channel}. Returns 0, or the errno value. */
    public static int ibv_destroy_comp_channel(MemorySegment channel) {
        try {
            return (int) IBV_DESTROY_COMP_CHANNEL.handle().invokeExact(Errno.state(), channel);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_create_cq}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_cq(
            MemorySegment context,
            int cqe,
            MemorySegment cq_context,
            MemorySegment channel,
            int comp_vector) {
        try {
            return (MemorySegment)
                    IBV_CREATE_CQ
                            .handle()
                            .invokeExact(
                                    Errno.state(), context, cqe, cq_context, channel, comp_vector);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.create_cq_ex}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_cq_ex(MemorySegment context, MemorySegment cq_attr) {
        MemorySegment function = OP_CREATE_CQ_EX.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_CQ_EX.handle().invokeExact(function, Errno.state(), context, cq_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Returns the same address: an ibv_cq_ex begins with the fields of an ibv_cq. */
    public static MemorySegment ibv_cq_ex_to_cq(MemorySegment cq) {
        return cq;
    }

    /** Calls {@code verbs_context.modify_cq}. Returns 0, or the errno value. */
    public static int ibv_modify_cq(MemorySegment cq, MemorySegment attr) {
        MemorySegment function = OP_MODIFY_CQ.in(ibv_cq.context(cq));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_MODIFY_CQ.handle().invokeExact(function, Errno.state(), cq, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_resize_cq}. Returns 0, or the errno value. */
    public static int ibv_resize_cq(MemorySegment cq, int cqe) {
        try {
            return (int) IBV_RESIZE_CQ.handle().invokeExact(Errno.state(), cq, cqe);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_cq}. Returns 0, or the errno value. */
    public static int ibv_destroy_cq(MemorySegment cq) {
        try {
            return (int) IBV_DESTROY_CQ.handle().invokeExact(Errno.state(), cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_get_cq_event}. Returns 0, or -1 with errno set. */
    public static int ibv_get_cq_event(
            MemorySegment channel, MemorySegment cq, MemorySegment cq_context) {
        IBV_GET_CQ_EVENT.handle(); // says what is missing, if anything
        try {
            return (int) Events.GET.invokeExact(Errno.state(), channel, cq, cq_context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_ack_cq_events}. */
    public static void ibv_ack_cq_events(MemorySegment cq, int nevents) {
        IBV_ACK_CQ_EVENTS.handle();
        try {
            Events.ACK.invokeExact(Errno.state(), cq, nevents);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code _ibv_query_comp_cntr_caps}. Returns 0, or the errno value. */
    public static int ibv_query_comp_cntr_caps(MemorySegment context, MemorySegment caps) {
        try {
            return (int)
                    _IBV_QUERY_COMP_CNTR_CAPS
                            .handle()
                            .invokeExact(
                                    Errno.state(),
                                    context,
                                    caps,
                                    NewerStructs.SIZEOF_COMP_CNTR_CAPS);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_create_comp_cntr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_comp_cntr(MemorySegment context, MemorySegment cc_attr) {
        try {
            return (MemorySegment)
                    IBV_CREATE_COMP_CNTR.handle().invokeExact(Errno.state(), context, cc_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_destroy_comp_cntr(MemorySegment comp_cntr) {
        try {
            return (int) IBV_DESTROY_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_set_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_set_comp_cntr(MemorySegment comp_cntr, long value) {
        try {
            return (int) IBV_SET_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, value);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_set_err_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_set_err_comp_cntr(MemorySegment comp_cntr, long value) {
        try {
            return (int)
                    IBV_SET_ERR_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, value);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_inc_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_inc_comp_cntr(MemorySegment comp_cntr, long amount) {
        try {
            return (int) IBV_INC_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, amount);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_inc_err_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_inc_err_comp_cntr(MemorySegment comp_cntr, long amount) {
        try {
            return (int)
                    IBV_INC_ERR_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, amount);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_read_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_read_comp_cntr(MemorySegment comp_cntr, MemorySegment value) {
        try {
            return (int) IBV_READ_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, value);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_read_err_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_read_err_comp_cntr(MemorySegment comp_cntr, MemorySegment value) {
        try {
            return (int)
                    IBV_READ_ERR_COMP_CNTR.handle().invokeExact(Errno.state(), comp_cntr, value);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_attach_comp_cntr}. Returns 0, or the errno value. */
    public static int ibv_qp_attach_comp_cntr(
            MemorySegment qp, MemorySegment comp_cntr, MemorySegment attr) {
        try {
            return (int)
                    IBV_QP_ATTACH_COMP_CNTR
                            .handle()
                            .invokeExact(Errno.state(), qp, comp_cntr, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
