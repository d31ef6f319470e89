package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.require;
import static io.github.verbs4j.ffi.Native.critical;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The more common functions of one ibv_qp_ex: those of {@link WorkRequestVerbs} and {@link
 * WorkRequestSetters}, for a caller that makes several calls for each request. The pointers are
 * read once, as no provider changes them; arguments are addresses, and whoever calls keeps alive
 * what they lead to. Data path: errno is not captured, nothing is allocated.
 *
 * <p>All but {@link #ibv_wr_complete} leave out the thread's change of state, so they delay
 * safepoints while they run, and must not call back into Java. {@link #ibv_wr_start} may wait for
 * the provider's lock. A thread that holds it between start and end is in Java, where a safepoint
 * stops it: if another waits in a call like this meanwhile, neither ever goes on. So whoever calls
 * lets one thread at a time in. A plain {@code ibv_post_send} may run at any time, unless it is
 * linked like these: it lets go of the lock before it returns to Java.
 *
 * <p>Functions of one shape share a handle.
 */
public final class WorkRequestCalls {

    private static final MethodHandle COMPLETE = hot(descriptor(C_INT, C_LONG));

    private static final MethodHandle CALL = critical(descriptor(null, C_LONG));
    private static final MethodHandle SET_I = critical(descriptor(null, C_LONG, C_INT));
    private static final MethodHandle SET_IL = critical(descriptor(null, C_LONG, C_INT, C_LONG));
    private static final MethodHandle SET_ILI =
            critical(descriptor(null, C_LONG, C_INT, C_LONG, C_INT));
    private static final MethodHandle SET_ILLL =
            critical(descriptor(null, C_LONG, C_INT, C_LONG, C_LONG, C_LONG));
    private static final MethodHandle SET_ILL =
            critical(descriptor(null, C_LONG, C_INT, C_LONG, C_LONG));
    private static final MethodHandle SET_LL = critical(descriptor(null, C_LONG, C_LONG, C_LONG));
    private static final MethodHandle SET_LII =
            critical(descriptor(null, C_LONG, C_LONG, C_INT, C_INT));

    private static final long WR_ID = ibv_qp_ex.wr_id$offset() + Abi.MUTEX_GROWTH;
    private static final long WR_FLAGS = ibv_qp_ex.wr_flags$offset() + Abi.MUTEX_GROWTH;

    private final long qp;
    private final long wrId;
    private final long wrFlags;
    private final long start;
    private final long complete;
    private final long abort;
    private final long send;
    private final long sendImm;
    private final long rdmaWrite;
    private final long rdmaWriteImm;
    private final long rdmaRead;
    private final long atomicCmpSwp;
    private final long atomicFetchAdd;
    private final long setSge;
    private final long setSgeList;
    private final long setInlineData;
    private final long setUdAddr;

    /** Reads the functions of a queue pair. */
    public WorkRequestCalls(MemorySegment qp) {
        this.qp = qp.address();
        wrId = this.qp + WR_ID;
        wrFlags = this.qp + WR_FLAGS;
        start = function(qp, ibv_qp_ex.wr_start$offset());
        complete = function(qp, ibv_qp_ex.wr_complete$offset());
        abort = function(qp, ibv_qp_ex.wr_abort$offset());
        send = function(qp, ibv_qp_ex.wr_send$offset());
        sendImm = function(qp, ibv_qp_ex.wr_send_imm$offset());
        rdmaWrite = function(qp, ibv_qp_ex.wr_rdma_write$offset());
        rdmaWriteImm = function(qp, ibv_qp_ex.wr_rdma_write_imm$offset());
        rdmaRead = function(qp, ibv_qp_ex.wr_rdma_read$offset());
        atomicCmpSwp = function(qp, ibv_qp_ex.wr_atomic_cmp_swp$offset());
        atomicFetchAdd = function(qp, ibv_qp_ex.wr_atomic_fetch_add$offset());
        setSge = function(qp, ibv_qp_ex.wr_set_sge$offset());
        setSgeList = function(qp, ibv_qp_ex.wr_set_sge_list$offset());
        setInlineData = function(qp, ibv_qp_ex.wr_set_inline_data$offset());
        setUdAddr = function(qp, ibv_qp_ex.wr_set_ud_addr$offset());
    }

    private static long function(MemorySegment qp, long offset) {
        return Native.MEMORY.get(C_LONG, qp.address() + Abi.MUTEX_GROWTH + offset);
    }

    /** Sets {@code qp->wr_id} and {@code qp->wr_flags}. */
    public void wr_id_and_flags(long wr_id, int wr_flags) {
        Native.MEMORY.set(C_LONG, wrId, wr_id);
        Native.MEMORY.set(C_INT, wrFlags, wr_flags);
    }

    /** Calls {@code ibv_qp_ex.wr_start}. */
    public void ibv_wr_start() {
        require(start, "ibv_wr_start");
        try {
            CALL.invokeExact(start, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_complete}. Returns 0, or the errno value. */
    public int ibv_wr_complete() {
        require(complete, "ibv_wr_complete");
        try {
            return (int) COMPLETE.invokeExact(complete, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_abort}. */
    public void ibv_wr_abort() {
        require(abort, "ibv_wr_abort");
        try {
            CALL.invokeExact(abort, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send}. */
    public void ibv_wr_send() {
        require(send, "ibv_wr_send");
        try {
            CALL.invokeExact(send, qp);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_send_imm}. */
    public void ibv_wr_send_imm(int imm_data) {
        require(sendImm, "ibv_wr_send_imm");
        try {
            SET_I.invokeExact(sendImm, qp, imm_data);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_write}. */
    public void ibv_wr_rdma_write(int rkey, long remote_addr) {
        require(rdmaWrite, "ibv_wr_rdma_write");
        try {
            SET_IL.invokeExact(rdmaWrite, qp, rkey, remote_addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_write_imm}. */
    public void ibv_wr_rdma_write_imm(int rkey, long remote_addr, int imm_data) {
        require(rdmaWriteImm, "ibv_wr_rdma_write_imm");
        try {
            SET_ILI.invokeExact(rdmaWriteImm, qp, rkey, remote_addr, imm_data);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_rdma_read}. */
    public void ibv_wr_rdma_read(int rkey, long remote_addr) {
        require(rdmaRead, "ibv_wr_rdma_read");
        try {
            SET_IL.invokeExact(rdmaRead, qp, rkey, remote_addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_atomic_cmp_swp}. */
    public void ibv_wr_atomic_cmp_swp(int rkey, long remote_addr, long compare, long swap) {
        require(atomicCmpSwp, "ibv_wr_atomic_cmp_swp");
        try {
            SET_ILLL.invokeExact(atomicCmpSwp, qp, rkey, remote_addr, compare, swap);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_atomic_fetch_add}. */
    public void ibv_wr_atomic_fetch_add(int rkey, long remote_addr, long add) {
        require(atomicFetchAdd, "ibv_wr_atomic_fetch_add");
        try {
            SET_ILL.invokeExact(atomicFetchAdd, qp, rkey, remote_addr, add);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_sge}. */
    public void ibv_wr_set_sge(int lkey, long addr, int length) {
        require(setSge, "ibv_wr_set_sge");
        try {
            SET_ILI.invokeExact(setSge, qp, lkey, addr, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_sge_list}. */
    public void ibv_wr_set_sge_list(long num_sge, long sg_list) {
        require(setSgeList, "ibv_wr_set_sge_list");
        try {
            SET_LL.invokeExact(setSgeList, qp, num_sge, sg_list);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_inline_data}. */
    public void ibv_wr_set_inline_data(long addr, long length) {
        require(setInlineData, "ibv_wr_set_inline_data");
        try {
            SET_LL.invokeExact(setInlineData, qp, addr, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_ud_addr}. */
    public void ibv_wr_set_ud_addr(long ah, int remote_qpn, int remote_qkey) {
        require(setUdAddr, "ibv_wr_set_ud_addr");
        try {
            SET_LII.invokeExact(setUdAddr, qp, ah, remote_qpn, remote_qkey);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
