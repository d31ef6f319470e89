package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;

/** Where packets land: work queues, indirection tables, flows and their actions. */
public final class SteeringVerbs {

    private static final ContextOp OP_CREATE_WQ =
            new ContextOp(
                    "create_wq", verbs_context.create_wq$offset(), C_POINTER, C_POINTER, C_POINTER);

    // The mutex, the condition and the count of events that follows them: C initialises the former
    // with pthread_mutex_init and pthread_cond_init, which on Linux means to fill them with zeros.
    private static final long WQ_MUTEX = ibv_wq.mutex$offset();
    private static final long WQ_EVENTS_COMPLETED =
            ibv_wq.events_completed$offset() + Abi.MUTEX_GROWTH;

    private static final ContextOp OP_MODIFY_WQ =
            new ContextOp(
                    "modify_wq", verbs_context.modify_wq$offset(), C_INT, C_POINTER, C_POINTER);

    private static final ContextOp OP_DESTROY_WQ =
            new ContextOp("destroy_wq", verbs_context.destroy_wq$offset(), C_INT, C_POINTER);

    private static final ContextOp OP_CREATE_RWQ_IND_TABLE =
            new ContextOp(
                    "create_rwq_ind_table",
                    verbs_context.create_rwq_ind_table$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_DESTROY_RWQ_IND_TABLE =
            new ContextOp(
                    "destroy_rwq_ind_table",
                    verbs_context.destroy_rwq_ind_table$offset(),
                    C_INT,
                    C_POINTER);

    private static final ContextOp OP_CREATE_FLOW =
            new ContextOp(
                    "ibv_create_flow",
                    verbs_context.ibv_create_flow$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_DESTROY_FLOW =
            new ContextOp(
                    "ibv_destroy_flow", verbs_context.ibv_destroy_flow$offset(), C_INT, C_POINTER);

    private static final ContextOp OP_CREATE_FLOW_ACTION_ESP =
            new ContextOp(
                    "create_flow_action_esp",
                    verbs_context.create_flow_action_esp$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_MODIFY_FLOW_ACTION_ESP =
            new ContextOp(
                    "modify_flow_action_esp",
                    verbs_context.modify_flow_action_esp$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER);

    private static final ContextOp OP_DESTROY_FLOW_ACTION =
            new ContextOp(
                    "destroy_flow_action",
                    verbs_context.destroy_flow_action$offset(),
                    C_INT,
                    C_POINTER);

    private SteeringVerbs() {}

    /** Calls {@code verbs_context.create_wq}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_wq(MemorySegment context, MemorySegment wq_init_attr) {
        MemorySegment op = OP_CREATE_WQ.in(context);
        if (op.address() == 0) {
            return unsupported();
        }
        MemorySegment wq;
        try {
            wq =
                    (MemorySegment)
                            OP_CREATE_WQ
                                    .handle()
                                    .invokeExact(op, Errno.state(), context, wq_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
        if (wq.address() != 0) {
            ibv_wq.wq_context(wq, ibv_wq_init_attr.wq_context(wq_init_attr));
            wq.asSlice(WQ_MUTEX, WQ_EVENTS_COMPLETED + Integer.BYTES - WQ_MUTEX).fill((byte) 0);
        }
        return wq;
    }

    /** Calls {@code verbs_context.modify_wq}. Returns 0, or the errno value. */
    public static int ibv_modify_wq(MemorySegment wq, MemorySegment wq_attr) {
        MemorySegment function = OP_MODIFY_WQ.in(ibv_wq.context(wq));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_MODIFY_WQ.handle().invokeExact(function, Errno.state(), wq, wq_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.destroy_wq}. Returns 0, or the errno value. */
    public static int ibv_destroy_wq(MemorySegment wq) {
        MemorySegment function = OP_DESTROY_WQ.in(ibv_wq.context(wq));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_DESTROY_WQ.handle().invokeExact(function, Errno.state(), wq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code verbs_context.create_rwq_ind_table}. Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_create_rwq_ind_table(
            MemorySegment context, MemorySegment init_attr) {
        MemorySegment function = OP_CREATE_RWQ_IND_TABLE.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_RWQ_IND_TABLE
                            .handle()
                            .invokeExact(function, Errno.state(), context, init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.destroy_rwq_ind_table}. Returns 0, or the errno value. */
    public static int ibv_destroy_rwq_ind_table(MemorySegment rwq_ind_table) {
        MemorySegment function =
                OP_DESTROY_RWQ_IND_TABLE.in(ibv_rwq_ind_table.context(rwq_ind_table));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_DESTROY_RWQ_IND_TABLE
                            .handle()
                            .invokeExact(function, Errno.state(), rwq_ind_table);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.ibv_create_flow}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_flow(MemorySegment qp, MemorySegment flow) {
        MemorySegment function = OP_CREATE_FLOW.in(ibv_qp.context(qp));
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_FLOW.handle().invokeExact(function, Errno.state(), qp, flow);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.ibv_destroy_flow}. Returns 0, or the errno value. */
    public static int ibv_destroy_flow(MemorySegment flow_id) {
        MemorySegment function = OP_DESTROY_FLOW.in(ibv_flow.context(flow_id));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_DESTROY_FLOW.handle().invokeExact(function, Errno.state(), flow_id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code verbs_context.create_flow_action_esp}. Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_create_flow_action_esp(MemorySegment ctx, MemorySegment esp) {
        MemorySegment function = OP_CREATE_FLOW_ACTION_ESP.in(ctx);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_FLOW_ACTION_ESP
                            .handle()
                            .invokeExact(function, Errno.state(), ctx, esp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.modify_flow_action_esp}. Returns 0, or the errno value. */
    public static int ibv_modify_flow_action_esp(MemorySegment action, MemorySegment esp) {
        MemorySegment function = OP_MODIFY_FLOW_ACTION_ESP.in(ibv_flow_action.context(action));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_MODIFY_FLOW_ACTION_ESP
                            .handle()
                            .invokeExact(function, Errno.state(), action, esp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.destroy_flow_action}. Returns 0, or the errno value. */
    public static int ibv_destroy_flow_action(MemorySegment action) {
        MemorySegment function = OP_DESTROY_FLOW_ACTION.in(ibv_flow_action.context(action));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_DESTROY_FLOW_ACTION.handle().invokeExact(function, Errno.state(), action);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
