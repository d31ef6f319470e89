package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;
import static io.github.verbs4j.ffi.verbs_h.IBV_QP_INIT_ATTR_PD;

import java.lang.foreign.MemorySegment;

/** Queue pairs, address handles, multicast and extended connection domains. */
public final class QueuePairVerbs {

    private static final NativeFunction IBV_CREATE_QP =
            ibverbs("ibv_create_qp", C_POINTER, C_POINTER, C_POINTER);

    private static final ContextOp OP_CREATE_QP_EX =
            new ContextOp(
                    "create_qp_ex",
                    verbs_context.create_qp_ex$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_QP_TO_QP_EX =
            ibverbs("ibv_qp_to_qp_ex", C_POINTER, C_POINTER);

    private static final ContextOp OP_OPEN_QP =
            new ContextOp(
                    "open_qp", verbs_context.open_qp$offset(), C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_MODIFY_QP =
            ibverbs("ibv_modify_qp", C_INT, C_POINTER, C_POINTER, C_INT);

    private static final ContextOp OP_MODIFY_QP_RATE_LIMIT =
            new ContextOp(
                    "modify_qp_rate_limit",
                    verbs_context.modify_qp_rate_limit$offset(),
                    C_INT,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_QUERY_QP =
            ibverbs("ibv_query_qp", C_INT, C_POINTER, C_POINTER, C_INT, C_POINTER);

    private static final NativeFunction IBV_QUERY_QP_DATA_IN_ORDER =
            ibverbs("ibv_query_qp_data_in_order", C_INT, C_POINTER, C_INT, C_INT);

    private static final NativeFunction IBV_DESTROY_QP =
            ibverbs("ibv_destroy_qp", C_INT, C_POINTER);

    private static final NativeFunction IBV_SET_ECE =
            ibverbs("ibv_set_ece", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_QUERY_ECE =
            ibverbs("ibv_query_ece", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_CREATE_AH =
            ibverbs("ibv_create_ah", C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_INIT_AH_FROM_WC =
            ibverbs(
                    "ibv_init_ah_from_wc",
                    C_INT,
                    C_POINTER,
                    C_CHAR,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_CREATE_AH_FROM_WC =
            ibverbs("ibv_create_ah_from_wc", C_POINTER, C_POINTER, C_POINTER, C_POINTER, C_CHAR);

    private static final NativeFunction IBV_DESTROY_AH =
            ibverbs("ibv_destroy_ah", C_INT, C_POINTER);

    private static final NativeFunction IBV_RESOLVE_ETH_L2_FROM_GID =
            ibverbs(
                    "ibv_resolve_eth_l2_from_gid",
                    C_INT,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_ATTACH_MCAST =
            ibverbs("ibv_attach_mcast", C_INT, C_POINTER, C_POINTER, C_SHORT);

    private static final NativeFunction IBV_DETACH_MCAST =
            ibverbs("ibv_detach_mcast", C_INT, C_POINTER, C_POINTER, C_SHORT);

    private static final ContextOp OP_OPEN_XRCD =
            new ContextOp(
                    "open_xrcd", verbs_context.open_xrcd$offset(), C_POINTER, C_POINTER, C_POINTER);

    private static final ContextOp OP_CLOSE_XRCD =
            new ContextOp("close_xrcd", verbs_context.close_xrcd$offset(), C_INT, C_POINTER);

    private QueuePairVerbs() {}

    /** Calls {@code ibv_create_qp}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_qp(MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (MemorySegment)
                    IBV_CREATE_QP.handle().invokeExact(Errno.state(), pd, qp_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code verbs_context.create_qp_ex}, or {@code ibv_create_qp} when only a protection
     * domain is given. Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_create_qp_ex(
            MemorySegment context, MemorySegment qp_init_attr_ex) {
        if (ibv_qp_init_attr_ex.comp_mask(qp_init_attr_ex) == IBV_QP_INIT_ATTR_PD()) {
            return ibv_create_qp(ibv_qp_init_attr_ex.pd(qp_init_attr_ex), qp_init_attr_ex);
        }
        MemorySegment function = OP_CREATE_QP_EX.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_CREATE_QP_EX
                            .handle()
                            .invokeExact(function, Errno.state(), context, qp_init_attr_ex);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_qp_to_qp_ex}. Returns NULL unless {@code ibv_create_qp_ex} made the queue
     * pair.
     */
    public static MemorySegment ibv_qp_to_qp_ex(MemorySegment qp) {
        try {
            return (MemorySegment) IBV_QP_TO_QP_EX.handle().invokeExact(Errno.state(), qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.open_qp}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_open_qp(MemorySegment context, MemorySegment qp_open_attr) {
        MemorySegment function = OP_OPEN_QP.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_OPEN_QP.handle().invokeExact(function, Errno.state(), context, qp_open_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_modify_qp}. Returns 0, or the errno value. */
    public static int ibv_modify_qp(MemorySegment qp, MemorySegment attr, int attr_mask) {
        try {
            return (int) IBV_MODIFY_QP.handle().invokeExact(Errno.state(), qp, attr, attr_mask);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.modify_qp_rate_limit}. Returns 0, or the errno value. */
    public static int ibv_modify_qp_rate_limit(MemorySegment qp, MemorySegment attr) {
        MemorySegment function = OP_MODIFY_QP_RATE_LIMIT.in(ibv_qp.context(qp));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_MODIFY_QP_RATE_LIMIT.handle().invokeExact(function, Errno.state(), qp, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_qp}. Returns 0, or the errno value. */
    public static int ibv_query_qp(
            MemorySegment qp, MemorySegment attr, int attr_mask, MemorySegment init_attr) {
        try {
            return (int)
                    IBV_QUERY_QP
                            .handle()
                            .invokeExact(Errno.state(), qp, attr, attr_mask, init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_query_qp_data_in_order}. Returns 1 or 0, or capability bits when the flags
     * ask for them.
     */
    public static int ibv_query_qp_data_in_order(MemorySegment qp, int op, int flags) {
        try {
            return (int)
                    IBV_QUERY_QP_DATA_IN_ORDER.handle().invokeExact(Errno.state(), qp, op, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_qp}. Returns 0, or the errno value. */
    public static int ibv_destroy_qp(MemorySegment qp) {
        try {
            return (int) IBV_DESTROY_QP.handle().invokeExact(Errno.state(), qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_set_ece}. Returns 0, or the errno value. */
    public static int ibv_set_ece(MemorySegment qp, MemorySegment ece) {
        try {
            return (int) IBV_SET_ECE.handle().invokeExact(Errno.state(), qp, ece);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_query_ece}. Returns 0, or the errno value. */
    public static int ibv_query_ece(MemorySegment qp, MemorySegment ece) {
        try {
            return (int) IBV_QUERY_ECE.handle().invokeExact(Errno.state(), qp, ece);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_create_ah}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_ah(MemorySegment pd, MemorySegment attr) {
        try {
            return (MemorySegment) IBV_CREATE_AH.handle().invokeExact(Errno.state(), pd, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_init_ah_from_wc}. Returns 0, or -1. */
    public static int ibv_init_ah_from_wc(
            MemorySegment context,
            byte port_num,
            MemorySegment wc,
            MemorySegment grh,
            MemorySegment ah_attr) {
        try {
            return (int)
                    IBV_INIT_AH_FROM_WC
                            .handle()
                            .invokeExact(Errno.state(), context, port_num, wc, grh, ah_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_create_ah_from_wc}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_create_ah_from_wc(
            MemorySegment pd, MemorySegment wc, MemorySegment grh, byte port_num) {
        try {
            return (MemorySegment)
                    IBV_CREATE_AH_FROM_WC
                            .handle()
                            .invokeExact(Errno.state(), pd, wc, grh, port_num);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_destroy_ah}. Returns 0, or the errno value. */
    public static int ibv_destroy_ah(MemorySegment ah) {
        try {
            return (int) IBV_DESTROY_AH.handle().invokeExact(Errno.state(), ah);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_resolve_eth_l2_from_gid}. Returns 0, or the errno value. */
    public static int ibv_resolve_eth_l2_from_gid(
            MemorySegment context, MemorySegment attr, MemorySegment eth_mac, MemorySegment vid) {
        try {
            return (int)
                    IBV_RESOLVE_ETH_L2_FROM_GID
                            .handle()
                            .invokeExact(Errno.state(), context, attr, eth_mac, vid);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_attach_mcast}. Returns 0, or the errno value. */
    public static int ibv_attach_mcast(MemorySegment qp, MemorySegment gid, short lid) {
        try {
            return (int) IBV_ATTACH_MCAST.handle().invokeExact(Errno.state(), qp, gid, lid);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_detach_mcast}. Returns 0, or the errno value. */
    public static int ibv_detach_mcast(MemorySegment qp, MemorySegment gid, short lid) {
        try {
            return (int) IBV_DETACH_MCAST.handle().invokeExact(Errno.state(), qp, gid, lid);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.open_xrcd}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_open_xrcd(MemorySegment context, MemorySegment xrcd_init_attr) {
        MemorySegment function = OP_OPEN_XRCD.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_OPEN_XRCD
                            .handle()
                            .invokeExact(function, Errno.state(), context, xrcd_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.close_xrcd}. Returns 0, or the errno value. */
    public static int ibv_close_xrcd(MemorySegment xrcd) {
        MemorySegment function = OP_CLOSE_XRCD.in(ibv_xrcd.context(xrcd));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_CLOSE_XRCD.handle().invokeExact(function, Errno.state(), xrcd);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
