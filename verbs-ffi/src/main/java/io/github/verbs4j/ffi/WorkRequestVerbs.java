package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.function;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Posting of work requests one by one to an ibv_qp_ex; wr_id and wr_flags are set with {@link Abi}.
 * Data path: errno is not captured, nothing is allocated.
 *
 * <p>From {@link #ibv_wr_start} to {@link #ibv_wr_complete} or {@link #ibv_wr_abort} providers hold
 * a lock: run nothing that may wait there, and make sure that one of the two follows.
 */
public final class WorkRequestVerbs {

    /**
     * Calls through {@code ibv_qp_ex.wr_start}: the address of the function first, then the
     * arguments of {@code ibv_wr_start}.
     */
    public static final MethodHandle WR_START = hot(descriptor(null, C_POINTER));

    private static final long WR_START_OFFSET = ibv_qp_ex.wr_start$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_complete}: the address of the function first, then the
     * arguments of {@code ibv_wr_complete}.
     */
    public static final MethodHandle WR_COMPLETE = hot(descriptor(C_INT, C_POINTER));

    private static final long WR_COMPLETE_OFFSET =
            ibv_qp_ex.wr_complete$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_abort}: the address of the function first, then the
     * arguments of {@code ibv_wr_abort}.
     */
    public static final MethodHandle WR_ABORT = hot(descriptor(null, C_POINTER));

    private static final long WR_ABORT_OFFSET = ibv_qp_ex.wr_abort$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_send}: the address of the function first, then the
     * arguments of {@code ibv_wr_send}.
     */
    public static final MethodHandle WR_SEND = hot(descriptor(null, C_POINTER));

    private static final long WR_SEND_OFFSET = ibv_qp_ex.wr_send$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_send_imm}: the address of the function first, then the
     * arguments of {@code ibv_wr_send_imm}.
     */
    public static final MethodHandle WR_SEND_IMM = hot(descriptor(null, C_POINTER, C_INT));

    private static final long WR_SEND_IMM_OFFSET =
            ibv_qp_ex.wr_send_imm$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_send_inv}: the address of the function first, then the
     * arguments of {@code ibv_wr_send_inv}.
     */
    public static final MethodHandle WR_SEND_INV = hot(descriptor(null, C_POINTER, C_INT));

    private static final long WR_SEND_INV_OFFSET =
            ibv_qp_ex.wr_send_inv$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_send_tso}: the address of the function first, then the
     * arguments of {@code ibv_wr_send_tso}.
     */
    public static final MethodHandle WR_SEND_TSO =
            hot(descriptor(null, C_POINTER, C_POINTER, C_SHORT, C_SHORT));

    private static final long WR_SEND_TSO_OFFSET =
            ibv_qp_ex.wr_send_tso$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_rdma_read}: the address of the function first, then the
     * arguments of {@code ibv_wr_rdma_read}.
     */
    public static final MethodHandle WR_RDMA_READ = hot(descriptor(null, C_POINTER, C_INT, C_LONG));

    private static final long WR_RDMA_READ_OFFSET =
            ibv_qp_ex.wr_rdma_read$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_rdma_write}: the address of the function first, then the
     * arguments of {@code ibv_wr_rdma_write}.
     */
    public static final MethodHandle WR_RDMA_WRITE =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG));

    private static final long WR_RDMA_WRITE_OFFSET =
            ibv_qp_ex.wr_rdma_write$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_rdma_write_imm}: the address of the function first, then
     * the arguments of {@code ibv_wr_rdma_write_imm}.
     */
    public static final MethodHandle WR_RDMA_WRITE_IMM =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_INT));

    private static final long WR_RDMA_WRITE_IMM_OFFSET =
            ibv_qp_ex.wr_rdma_write_imm$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_flush}: the address of the function first, then the
     * arguments of {@code ibv_wr_flush}.
     */
    public static final MethodHandle WR_FLUSH =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_LONG, C_CHAR, C_CHAR));

    private static final long WR_FLUSH_OFFSET = ibv_qp_ex.sizeof() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_atomic_cmp_swp}: the address of the function first, then
     * the arguments of {@code ibv_wr_atomic_cmp_swp}.
     */
    public static final MethodHandle WR_ATOMIC_CMP_SWP =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_LONG, C_LONG));

    private static final long WR_ATOMIC_CMP_SWP_OFFSET =
            ibv_qp_ex.wr_atomic_cmp_swp$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_atomic_fetch_add}: the address of the function first, then
     * the arguments of {@code ibv_wr_atomic_fetch_add}.
     */
    public static final MethodHandle WR_ATOMIC_FETCH_ADD =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_LONG));

    private static final long WR_ATOMIC_FETCH_ADD_OFFSET =
            ibv_qp_ex.wr_atomic_fetch_add$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_atomic_write}: the address of the function first, then the
     * arguments of {@code ibv_wr_atomic_write}.
     */
    public static final MethodHandle WR_ATOMIC_WRITE =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_POINTER));

    private static final long WR_ATOMIC_WRITE_OFFSET =
            ibv_qp_ex.wr_atomic_write$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_bind_mw}: the address of the function first, then the
     * arguments of {@code ibv_wr_bind_mw}.
     */
    public static final MethodHandle WR_BIND_MW =
            hot(descriptor(null, C_POINTER, C_POINTER, C_INT, C_POINTER));

    private static final long WR_BIND_MW_OFFSET = ibv_qp_ex.wr_bind_mw$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_local_inv}: the address of the function first, then the
     * arguments of {@code ibv_wr_local_inv}.
     */
    public static final MethodHandle WR_LOCAL_INV = hot(descriptor(null, C_POINTER, C_INT));

    private static final long WR_LOCAL_INV_OFFSET =
            ibv_qp_ex.wr_local_inv$offset() + Abi.MUTEX_GROWTH;

    private WorkRequestVerbs() {}

    /** Calls {@code ibv_qp_ex.wr_start}. */
    public static void ibv_wr_start(MemorySegment qp) {
        long function = function(qp, WR_START_OFFSET, "ibv_wr_start");
        try {
            WR_START.invokeExact(function, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_complete}. Returns 0, or the errno value. */
    public static int ibv_wr_complete(MemorySegment qp) {
        long function = qp.get(C_LONG, WR_COMPLETE_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) WR_COMPLETE.invokeExact(function, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_abort}. */
    public static void ibv_wr_abort(MemorySegment qp) {
        long function = function(qp, WR_ABORT_OFFSET, "ibv_wr_abort");
        try {
            WR_ABORT.invokeExact(function, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send}. */
    public static void ibv_wr_send(MemorySegment qp) {
        long function = function(qp, WR_SEND_OFFSET, "ibv_wr_send");
        try {
            WR_SEND.invokeExact(function, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send_imm}. */
    public static void ibv_wr_send_imm(MemorySegment qp, int imm_data) {
        long function = function(qp, WR_SEND_IMM_OFFSET, "ibv_wr_send_imm");
        try {
            WR_SEND_IMM.invokeExact(function, qp, imm_data);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send_inv}. */
    public static void ibv_wr_send_inv(MemorySegment qp, int invalidate_rkey) {
        long function = function(qp, WR_SEND_INV_OFFSET, "ibv_wr_send_inv");
        try {
            WR_SEND_INV.invokeExact(function, qp, invalidate_rkey);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send_tso}. */
    public static void ibv_wr_send_tso(
            MemorySegment qp, MemorySegment hdr, short hdr_sz, short mss) {
        long function = function(qp, WR_SEND_TSO_OFFSET, "ibv_wr_send_tso");
        try {
            WR_SEND_TSO.invokeExact(function, qp, hdr, hdr_sz, mss);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_read}. */
    public static void ibv_wr_rdma_read(MemorySegment qp, int rkey, long remote_addr) {
        long function = function(qp, WR_RDMA_READ_OFFSET, "ibv_wr_rdma_read");
        try {
            WR_RDMA_READ.invokeExact(function, qp, rkey, remote_addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_write}. */
    public static void ibv_wr_rdma_write(MemorySegment qp, int rkey, long remote_addr) {
        long function = function(qp, WR_RDMA_WRITE_OFFSET, "ibv_wr_rdma_write");
        try {
            WR_RDMA_WRITE.invokeExact(function, qp, rkey, remote_addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_write_imm}. */
    public static void ibv_wr_rdma_write_imm(
            MemorySegment qp, int rkey, long remote_addr, int imm_data) {
        long function = function(qp, WR_RDMA_WRITE_IMM_OFFSET, "ibv_wr_rdma_write_imm");
        try {
            WR_RDMA_WRITE_IMM.invokeExact(function, qp, rkey, remote_addr, imm_data);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_qp_ex.wr_flush}, which exists from rdma-core 45 on. Only for a queue pair
     * created with IBV_QP_EX_WITH_FLUSH, which an older rdma-core refuses to create.
     */
    public static void ibv_wr_flush(
            MemorySegment qp, int rkey, long remote_addr, long len, byte type, byte level) {
        long function = function(qp, WR_FLUSH_OFFSET, "ibv_wr_flush");
        try {
            WR_FLUSH.invokeExact(function, qp, rkey, remote_addr, len, type, level);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_atomic_cmp_swp}. */
    public static void ibv_wr_atomic_cmp_swp(
            MemorySegment qp, int rkey, long remote_addr, long compare, long swap) {
        long function = function(qp, WR_ATOMIC_CMP_SWP_OFFSET, "ibv_wr_atomic_cmp_swp");
        try {
            WR_ATOMIC_CMP_SWP.invokeExact(function, qp, rkey, remote_addr, compare, swap);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_atomic_fetch_add}. */
    public static void ibv_wr_atomic_fetch_add(
            MemorySegment qp, int rkey, long remote_addr, long add) {
        long function = function(qp, WR_ATOMIC_FETCH_ADD_OFFSET, "ibv_wr_atomic_fetch_add");
        try {
            WR_ATOMIC_FETCH_ADD.invokeExact(function, qp, rkey, remote_addr, add);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_atomic_write}. */
    public static void ibv_wr_atomic_write(
            MemorySegment qp, int rkey, long remote_addr, MemorySegment atomic_wr) {
        long function = function(qp, WR_ATOMIC_WRITE_OFFSET, "ibv_wr_atomic_write");
        try {
            WR_ATOMIC_WRITE.invokeExact(function, qp, rkey, remote_addr, atomic_wr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_bind_mw}. */
    public static void ibv_wr_bind_mw(
            MemorySegment qp, MemorySegment mw, int rkey, MemorySegment bind_info) {
        long function = function(qp, WR_BIND_MW_OFFSET, "ibv_wr_bind_mw");
        try {
            WR_BIND_MW.invokeExact(function, qp, mw, rkey, bind_info);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_local_inv}. */
    public static void ibv_wr_local_inv(MemorySegment qp, int invalidate_rkey) {
        long function = function(qp, WR_LOCAL_INV_OFFSET, "ibv_wr_local_inv");
        try {
            WR_LOCAL_INV.invokeExact(function, qp, invalidate_rkey);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
