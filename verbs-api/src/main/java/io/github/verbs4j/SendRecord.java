package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.Mlx5WorkRequestSetters;
import io.github.verbs4j.ffi.WorkRequestCalls;
import io.github.verbs4j.ffi.WorkRequestSetters;
import io.github.verbs4j.ffi.WorkRequestVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * One request of a {@link SendBatch}: what the {@code ibv_wr_…} functions will be called with.
 *
 * <p>Another thread may begin it anew while it is posted, against the rules. So posting {@linkplain
 * #freeze freezes} what could do harm first, and the provider sees that.
 */
final class SendRecord extends SendRecordData {

    /** Room for a {@code struct ibv_mw_bind_info} and for the value of an atomic write. */
    static final long SCRATCH = ibv_mw_bind_info.sizeof() + Long.BYTES;

    private final MemorySegment bindInfo;
    private final MemorySegment atomicValue;

    SendOp op;
    long wrId;
    int flags;
    int imm;
    long remoteAddress;
    int rkey;
    long operand;
    long swap;
    int headerLength;
    int flushType;
    int flushLevel;
    AddressHandle ah;
    int remoteQpn;
    int remoteQkey;
    long remoteDcKey;

    /** The stream of a DC initiator, or −1. */
    int streamId = -1;

    int srqn = -1;
    MemoryWindow window;
    MwBind bind;

    // Written with the queue pair's posting lock held only:
    private SendOp posted;
    private NativeHandle entered;
    private MemorySegment ahPointer;
    private MemorySegment mwStruct;
    private int mwRkey;
    private int windowRkey;

    SendRecord(MemorySegment sges, MemorySegment scratch, MemorySegment data) {
        super(sges, data);
        this.bindInfo = scratch.asSlice(0, ibv_mw_bind_info.sizeof());
        this.atomicValue = scratch.asSlice(ibv_mw_bind_info.sizeof(), Long.BYTES);
    }

    /** References are stored only where they change: the collector notes every store of one. */
    void begin(SendOp newOp, long newWrId, int newFlags) {
        if (op != newOp) {
            op = newOp;
        }
        wrId = newWrId;
        flags = newFlags;
        if (ah != null) {
            ah = null;
        }
        streamId = -1;
        srqn = -1;
        clearData();
    }

    void header(MemorySegment header) {
        headerLength = 0; // if it cannot be copied, the request must not get an earlier one's
        InlineImage.copy(header, 0, bytes, 0, header.byteSize());
        headerLength = (int) header.byteSize();
    }

    void atomicValue(long value) {
        atomicValue.set(JAVA_LONG, 0, value);
    }

    // ---- what is settled before it is posted, with the queue pair's posting lock held

    /**
     * Settles the operation and enters the address handle, which stays open until {@link #thaw}.
     */
    void freeze() {
        AddressHandle target = ah;
        if (target != null) {
            ahPointer = target.nativeHandle().acquire();
            entered = target.nativeHandle();
        }
        SendOp settled = op;
        if (posted != settled) {
            posted = settled;
        }
    }

    void thaw() {
        NativeHandle leaving = entered;
        if (leaving != null) {
            entered = null;
            ahPointer = null;
            leaving.release();
        }
    }

    /** The operation that is being posted. */
    SendOp posted() {
        return posted;
    }

    boolean hasAddress() {
        return entered != null;
    }

    /** What a BIND_MW does, as it was checked. */
    void placeBind(MemorySegment mw, int oldRkey, int newRkey, MemorySegment mr, MwBind target) {
        mwStruct = Structs.view(mw, ibv_mw.sizeof());
        mwRkey = oldRkey;
        windowRkey = newRkey;
        ibv_mw_bind_info.mr(bindInfo, mr);
        ibv_mw_bind_info.addr(bindInfo, target.mr().iova() + target.offset());
        ibv_mw_bind_info.length(bindInfo, target.length());
        ibv_mw_bind_info.mw_access_flags(bindInfo, AccessFlag.bits(target.access()));
    }

    /** What a LOCAL_INV or SEND_WITH_INV takes back, as it was checked. */
    void placeInvalidation(int checkedRkey) {
        windowRkey = checkedRkey;
    }

    // ---- posting

    /**
     * Calls the functions for this request, between {@code ibv_wr_start} and its end.
     *
     * @param mlx5Qp the same queue pair as a {@code struct mlx5dv_qp_ex} if it is a DC initiator,
     *     or NULL
     */
    void replay(
            WorkRequestCalls calls, MemorySegment qpEx, MemorySegment mlx5Qp, boolean inlineFlag) {
        int data = amount();
        boolean inline = inlineLength(data) > 0;
        if (inline && !SendOpKinds.takesInline(posted)) {
            throw changed();
        }
        boolean flagged = inlineFlag && inline;
        calls.wr_id_and_flags(wrId, flagged ? flags | SendFlags.INLINE : flags);
        switch (posted) {
            case SEND -> calls.ibv_wr_send();
            case SEND_WITH_IMM -> calls.ibv_wr_send_imm(NetworkOrder.toHost(imm));
            case RDMA_WRITE -> calls.ibv_wr_rdma_write(rkey, remoteAddress);
            case RDMA_WRITE_WITH_IMM ->
                    calls.ibv_wr_rdma_write_imm(rkey, remoteAddress, NetworkOrder.toHost(imm));
            case RDMA_READ -> calls.ibv_wr_rdma_read(rkey, remoteAddress);
            case ATOMIC_CMP_AND_SWP ->
                    calls.ibv_wr_atomic_cmp_swp(rkey, remoteAddress, operand, swap);
            case ATOMIC_FETCH_AND_ADD ->
                    calls.ibv_wr_atomic_fetch_add(rkey, remoteAddress, operand);
            default -> replayRare(qpEx);
        }
        if (entered != null) {
            replayAddress(calls, mlx5Qp);
        }
        if (srqn >= 0) {
            WorkRequestSetters.ibv_wr_set_xrc_srqn(qpEx, srqn);
        }
        if (SendOpKinds.takesData(posted)) {
            replayData(calls, data);
        }
    }

    private void replayAddress(WorkRequestCalls calls, MemorySegment mlx5Qp) {
        if (mlx5Qp.address() == 0) {
            calls.ibv_wr_set_ud_addr(ahPointer.address(), remoteQpn, remoteQkey);
        } else if (streamId < 0) {
            Mlx5WorkRequestSetters.mlx5dv_wr_set_dc_addr(mlx5Qp, ahPointer, remoteQpn, remoteDcKey);
        } else {
            Mlx5WorkRequestSetters.mlx5dv_wr_set_dc_addr_stream(
                    mlx5Qp, ahPointer, remoteQpn, remoteDcKey, (short) streamId);
        }
    }

    private void replayRare(MemorySegment qp) {
        switch (posted) {
            case SEND_WITH_INV -> WorkRequestVerbs.ibv_wr_send_inv(qp, windowRkey);
            case TSO ->
                    WorkRequestVerbs.ibv_wr_send_tso(
                            qp, bytes, (short) headerLength, (short) operand);
            case ATOMIC_WRITE ->
                    WorkRequestVerbs.ibv_wr_atomic_write(qp, rkey, remoteAddress, atomicValue);
            case FLUSH ->
                    WorkRequestVerbs.ibv_wr_flush(
                            qp, rkey, remoteAddress, operand, (byte) flushType, (byte) flushLevel);
            case BIND_MW -> {
                // Several binds of one window may be in the batch: this one finds that key.
                ibv_mw.rkey(mwStruct, mwRkey);
                WorkRequestVerbs.ibv_wr_bind_mw(qp, mwStruct, windowRkey, bindInfo);
            }
            case LOCAL_INV -> WorkRequestVerbs.ibv_wr_local_inv(qp, windowRkey);
            default -> throw new AssertionError(posted);
        }
    }

    /** Makes a classic request of it. */
    void copyTo(SendWr wr) {
        if (posted == null) {
            throw changed();
        }
        switch (posted) {
            case TSO, FLUSH, ATOMIC_WRITE -> throw cannot();
            default -> wr.opcode(WrOpcode.valueOf(posted.name()));
        }
        AddressHandle target = ah;
        if (target != null) {
            wr.ud(target, remoteQpn, remoteQkey);
        }
        if (srqn >= 0) {
            wr.xrcRemoteSrqn(srqn);
        }
        wr.wrId(wrId)
                .sendFlags(inlineLength(amount()) > 0 ? flags | SendFlags.INLINE : flags)
                .numSge(0);
        switch (posted) {
            case SEND_WITH_IMM -> wr.immData(imm);
            case SEND_WITH_INV -> wr.invalidateRkey(rkey);
            case RDMA_WRITE, RDMA_READ -> wr.remote(remoteAddress, rkey);
            case RDMA_WRITE_WITH_IMM -> wr.immData(imm).remote(remoteAddress, rkey);
            case ATOMIC_CMP_AND_SWP ->
                    wr.remote(remoteAddress, rkey).compareAdd(operand).swap(swap);
            case ATOMIC_FETCH_AND_ADD -> wr.remote(remoteAddress, rkey).compareAdd(operand).swap(0);
            case BIND_MW -> wr.bindMw(window, bind);
            case LOCAL_INV -> wr.localInv(window);
            default -> {}
        }
        copyData(wr);
    }

    static IllegalStateException changed() {
        return new IllegalStateException("another thread changed the batch while it was posted");
    }

    private UnsupportedOperationException cannot() {
        return new UnsupportedOperationException(
                "Soft-RoCE of some versions sends a wrong length for a list of elements of"
                    + " different lengths; such a list cannot go in one batch with a request like"
                    + " this "
                        + posted);
    }
}
