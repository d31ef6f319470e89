package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.Mlx5WorkRequestSetters;
import io.github.verbs4j.ffi.WorkRequestSetters;
import io.github.verbs4j.ffi.WorkRequestVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.RawMemory;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * One request of a {@link SendBatch}: what the {@code ibv_wr_…} functions will be called with. The
 * lengths it passes on are within its own memory, whatever threads do, so no call can crash.
 *
 * <p>Another thread may begin it anew while it is posted, against the rules. So posting {@linkplain
 * #freeze freezes} what could do harm first, and the provider sees that.
 */
final class SendRecord {

    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long SGE_ADDR = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_LKEY = ibv_sge.lkey$offset();

    /** Room for a {@code struct ibv_mw_bind_info} and for the value of an atomic write. */
    static final long SCRATCH = ibv_mw_bind_info.sizeof() + Long.BYTES;

    private final MemorySegment sges;
    private final long sgesAddress;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    private final MemoryRegion[] regions;

    private final MemorySegment bindInfo;
    private final MemorySegment atomicValue;

    /** Inline data, or the headers of a TSO request. */
    private final MemorySegment data;

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

    private int numSge;
    private int inlineLength;
    private boolean inline;

    // Written with the queue pair's posting lock held only:
    private SendOp posted;
    private NativeHandle entered;
    private MemorySegment ahPointer;
    private MemorySegment mwStruct;
    private int mwRkey;
    private int windowRkey;

    SendRecord(MemorySegment sges, MemorySegment scratch, MemorySegment data) {
        this.sges = sges;
        this.sgesAddress = sges.address();
        this.regions = new MemoryRegion[(int) (sges.byteSize() / SGE_SIZE)];
        this.bindInfo = scratch.asSlice(0, ibv_mw_bind_info.sizeof());
        this.atomicValue = scratch.asSlice(ibv_mw_bind_info.sizeof(), Long.BYTES);
        this.data = data;
    }

    static long sgeSize() {
        return SGE_SIZE;
    }

    void begin(SendOp newOp, long newWrId, int newFlags) {
        op = newOp;
        wrId = newWrId;
        flags = newFlags;
        ah = null;
        streamId = -1;
        srqn = -1;
        clearData();
    }

    // ---- data

    void clearData() {
        numSge = 0;
        inlineLength = 0;
        inline = false;
    }

    boolean isInline() {
        return inline;
    }

    boolean hasElements() {
        return numSge > 0;
    }

    /** Adds an element; false when there is no room. An empty one changes nothing. */
    boolean addSge(MemoryRegion mr, long address, long length, int lkey) {
        if (length == 0) {
            return true;
        }
        int index = numSge;
        if (index >= regions.length) {
            return false;
        }
        long at = sgesAddress + index * SGE_SIZE;
        RawMemory.setLong(at + SGE_ADDR, address);
        RawMemory.setInt(at + SGE_LENGTH, (int) length);
        RawMemory.setInt(at + SGE_LKEY, lkey);
        Reference.reachabilityFence(sges);
        regions[index] = mr;
        numSge = index + 1;
        return true;
    }

    /** Copies data to be sent inline behind that copied before; false when it is too long. */
    boolean addInline(MemorySegment source, int limit) {
        long length = source.byteSize();
        if (length > limit - inlineLength) {
            return false;
        }
        InlineImage.copy(source, 0, data, inlineLength, length);
        inlineLength += (int) length;
        inline = true;
        return true;
    }

    void header(MemorySegment header) {
        InlineImage.copy(header, 0, data, 0, header.byteSize());
        headerLength = (int) header.byteSize();
    }

    void atomicValue(long value) {
        atomicValue.set(JAVA_LONG, 0, value);
    }

    private long elementLength(int index) {
        int length = RawMemory.getInt(sgesAddress + index * SGE_SIZE + SGE_LENGTH);
        Reference.reachabilityFence(sges);
        return Integer.toUnsignedLong(length);
    }

    /** The length of the message that the request sends, or of what it reads. */
    long length() {
        long length = inlineLength;
        for (int i = 0; i < numSge; i++) {
            length += elementLength(i);
        }
        return length;
    }

    /** Tells whether elements differ in length, which rxe of some versions cannot add up. */
    boolean isUneven() {
        for (int i = 1; i < numSge; i++) {
            if (elementLength(i) != elementLength(0)) {
                return true;
            }
        }
        return false;
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
        posted = op;
    }

    void thaw() {
        NativeHandle leaving = entered;
        entered = null;
        ahPointer = null;
        posted = null;
        if (leaving != null) {
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
    void replay(MemorySegment qp, MemorySegment mlx5Qp, boolean inlineFlag) {
        // Read once, as all that follows must agree on them.
        int inlined = inlineLength;
        int elements = numSge;
        if (inlined > 0 && !SendOpKinds.takesInline(posted)) {
            throw changed();
        }
        boolean flagged = inlineFlag && inlined > 0;
        Abi.qp_ex_wr_id(qp, wrId);
        Abi.qp_ex_wr_flags(qp, flagged ? flags | SendFlags.INLINE : flags);
        switch (posted) {
            case SEND -> WorkRequestVerbs.ibv_wr_send(qp);
            case SEND_WITH_IMM -> WorkRequestVerbs.ibv_wr_send_imm(qp, NetworkOrder.toHost(imm));
            case SEND_WITH_INV -> WorkRequestVerbs.ibv_wr_send_inv(qp, windowRkey);
            case TSO ->
                    WorkRequestVerbs.ibv_wr_send_tso(
                            qp, data, (short) headerLength, (short) operand);
            case RDMA_WRITE -> WorkRequestVerbs.ibv_wr_rdma_write(qp, rkey, remoteAddress);
            case RDMA_WRITE_WITH_IMM ->
                    WorkRequestVerbs.ibv_wr_rdma_write_imm(
                            qp, rkey, remoteAddress, NetworkOrder.toHost(imm));
            case RDMA_READ -> WorkRequestVerbs.ibv_wr_rdma_read(qp, rkey, remoteAddress);
            case ATOMIC_CMP_AND_SWP ->
                    WorkRequestVerbs.ibv_wr_atomic_cmp_swp(qp, rkey, remoteAddress, operand, swap);
            case ATOMIC_FETCH_AND_ADD ->
                    WorkRequestVerbs.ibv_wr_atomic_fetch_add(qp, rkey, remoteAddress, operand);
            default -> replayRare(qp);
        }
        if (entered != null) {
            replayAddress(qp, mlx5Qp);
        }
        if (srqn >= 0) {
            WorkRequestSetters.ibv_wr_set_xrc_srqn(qp, srqn);
        }
        if (SendOpKinds.takesData(posted)) {
            replayData(qp, inlined, elements);
        }
    }

    private void replayAddress(MemorySegment qp, MemorySegment mlx5Qp) {
        if (mlx5Qp.address() == 0) {
            WorkRequestSetters.ibv_wr_set_ud_addr(qp, ahPointer, remoteQpn, remoteQkey);
        } else if (streamId < 0) {
            Mlx5WorkRequestSetters.mlx5dv_wr_set_dc_addr(mlx5Qp, ahPointer, remoteQpn, remoteDcKey);
        } else {
            Mlx5WorkRequestSetters.mlx5dv_wr_set_dc_addr_stream(
                    mlx5Qp, ahPointer, remoteQpn, remoteDcKey, (short) streamId);
        }
    }

    private void replayRare(MemorySegment qp) {
        switch (posted) {
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

    /** A request that takes data needs one of the setters, on some providers even for none. */
    private void replayData(MemorySegment qp, int inlined, int elements) {
        if (inlined > 0) {
            long length = Math.min(inlined, data.byteSize());
            WorkRequestSetters.ibv_wr_set_inline_data(qp, data, length);
        } else if (elements > 1) {
            long count = Math.min(elements, sges.byteSize() / SGE_SIZE);
            WorkRequestSetters.ibv_wr_set_sge_list(qp, count, sges);
        } else if (elements == 1) {
            WorkRequestSetters.ibv_wr_set_sge(
                    qp,
                    RawMemory.getInt(sgesAddress + SGE_LKEY),
                    RawMemory.getLong(sgesAddress + SGE_ADDR),
                    RawMemory.getInt(sgesAddress + SGE_LENGTH));
            Reference.reachabilityFence(sges);
        } else {
            WorkRequestSetters.ibv_wr_set_sge(qp, 0, 0, 0);
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
        wr.wrId(wrId).sendFlags(inlineLength > 0 ? flags | SendFlags.INLINE : flags).numSge(0);
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
        if (inlineLength > 0) {
            wr.sge(0, data.asSlice(0, inlineLength));
            return;
        }
        for (int i = 0; i < numSge; i++) {
            long at = i * SGE_SIZE;
            wr.sge(
                    i,
                    sges.get(JAVA_LONG, at + SGE_ADDR),
                    elementLength(i),
                    sges.get(JAVA_INT, at + SGE_LKEY));
        }
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
