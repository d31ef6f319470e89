package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** What a {@link SendBatch} begins its requests with: number, flags and operation. */
abstract sealed class BatchOperations extends BatchRequests permits SendBatch {

    BatchOperations(QueuePairEx qp, int capacity, int maxTsoHeader) {
        super(qp, capacity, maxTsoHeader);
    }

    private SendBatch batch() {
        return (SendBatch) this;
    }

    // ---- what holds for the requests that follow

    /**
     * Sets the number that completions carry back.
     *
     * @param id any 64 bits; 0 in an empty batch
     * @return this
     */
    public SendBatch wrId(long id) {
        wrId = id;
        return batch();
    }

    /**
     * Sets the flags.
     *
     * @param flags bits of {@link SendFlags} except INLINE, which {@link SendBatch#setInlineData}
     *     sees to; SIGNALED in an empty batch
     * @return this
     * @throws IllegalArgumentException when a bit is none of them
     */
    public SendBatch wrFlags(int flags) {
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException(
                    (flags & SendFlags.INLINE) != 0
                            ? "INLINE follows from setInlineData; leave it out"
                            : "unknown send flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
        }
        wrFlags = flags;
        return batch();
    }

    // ---- operations

    /**
     * Begins a SEND.
     *
     * @return this
     * @throws IllegalStateException when the batch is full, or the queue pair was created without
     *     the operation
     * @verbs.calls ibv_wr_send
     */
    public SendBatch send() {
        begin(SendOp.SEND);
        return batch();
    }

    /**
     * Begins a SEND_WITH_IMM.
     *
     * @param imm the immediate data, 32 bits in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_imm
     */
    public SendBatch sendImm(int imm) {
        begin(SendOp.SEND_WITH_IMM).imm = imm;
        return batch();
    }

    /**
     * Begins a SEND_WITH_INV. Whether a window of another process is bound cannot be checked; one
     * that is not brings down a peer on Soft-RoCE.
     *
     * @param peerRkey the rkey of a type 2 memory window of the peer's, to be invalidated; refused
     *     as in {@link SendWr#sendWithInv}
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_inv
     */
    public SendBatch sendInv(int peerRkey) {
        begin(SendOp.SEND_WITH_INV).rkey = peerRkey;
        return batch();
    }

    /**
     * Begins a TSO: a long TCP segment that the device cuts into packets.
     *
     * @param header the headers that each packet begins with; copied
     * @param mss how much data a packet carries, in bytes, 1 to 65535
     * @return this
     * @throws IllegalArgumentException when the headers are longer than the queue pair's {@code
     *     max_tso_header}
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_tso
     */
    public SendBatch sendTso(MemorySegment header, int mss) {
        Check.range("length of the TSO header", header.byteSize(), 0, maxTsoHeader);
        Check.range("mss", mss, 1, 0xffff);
        SendRecord request = begin(SendOp.TSO);
        request.header(header);
        request.operand = mss;
        return batch();
    }

    /**
     * Begins an RDMA_WRITE.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write
     */
    public SendBatch rdmaWrite(RemoteBuffer target, long offset) {
        return rdmaWrite(target.rkey(), target.address(offset));
    }

    /**
     * Begins an RDMA_WRITE by key and address, unchecked: the peer's device refuses what the key
     * does not allow.
     *
     * @param rkey the peer's key
     * @param remoteAddr in the peer's memory
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write
     */
    public SendBatch rdmaWrite(int rkey, long remoteAddr) {
        remote(SendOp.RDMA_WRITE, rkey, remoteAddr);
        return batch();
    }

    /**
     * Begins an RDMA_WRITE_WITH_IMM.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param imm the immediate data, 32 bits in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write_imm
     */
    public SendBatch rdmaWriteImm(RemoteBuffer target, long offset, int imm) {
        remote(SendOp.RDMA_WRITE_WITH_IMM, target.rkey(), target.address(offset)).imm = imm;
        return batch();
    }

    /**
     * Begins an RDMA_READ.
     *
     * @param source the peer's buffer
     * @param offset in bytes from its start
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_read
     */
    public SendBatch rdmaRead(RemoteBuffer source, long offset) {
        remote(SendOp.RDMA_READ, source.rkey(), source.address(offset));
        return batch();
    }

    /**
     * Begins an ATOMIC_CMP_AND_SWP on 8 bytes of the peer's, aligned to 8. Its data is where the
     * old value goes: 8 bytes.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param compare what the peer's memory must hold for the swap to happen, in host order
     * @param swap what to store then, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_cmp_swp
     */
    public SendBatch atomicCmpSwp(RemoteBuffer target, long offset, long compare, long swap) {
        SendRecord request =
                remote(SendOp.ATOMIC_CMP_AND_SWP, target.rkey(), target.address(offset));
        request.operand = compare;
        request.swap = swap;
        return batch();
    }

    /**
     * Begins an ATOMIC_FETCH_AND_ADD on 8 bytes of the peer's, aligned to 8. Its data is where the
     * old value goes: 8 bytes.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param add what to add, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_fetch_add
     */
    public SendBatch atomicFetchAdd(RemoteBuffer target, long offset, long add) {
        remote(SendOp.ATOMIC_FETCH_AND_ADD, target.rkey(), target.address(offset)).operand = add;
        return batch();
    }

    /**
     * Begins an ATOMIC_WRITE of 8 bytes, aligned to 8. It needs no data beside the value.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param value what to store, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_write
     */
    public SendBatch atomicWrite(RemoteBuffer target, long offset, long value) {
        remote(SendOp.ATOMIC_WRITE, target.rkey(), target.address(offset)).atomicValue(value);
        return batch();
    }

    /**
     * Begins a FLUSH of what was written to a part of the peer's memory before. It needs no data.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param length in bytes
     * @param type C's {@code IBV_FLUSH_GLOBAL} (1), {@code IBV_FLUSH_PERSISTENT} (2), or both
     * @param level C's {@code IBV_FLUSH_RANGE} (0) or {@code IBV_FLUSH_MR} (1)
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_flush
     */
    public SendBatch flush(RemoteBuffer target, long offset, long length, int type, int level) {
        Objects.checkFromIndexSize(offset, length, target.length());
        Check.range("type", type, 1, 3);
        Check.range("level", level, 0, 1);
        SendRecord request = remote(SendOp.FLUSH, target.rkey(), target.address(offset));
        request.operand = length;
        request.flushType = type;
        request.flushLevel = level;
        return batch();
    }

    /**
     * Begins a BIND_MW of a type 2 window, whose rkey is the new one as soon as the batch is
     * posted.
     *
     * @param mw the window, not bound
     * @param bind the region, the part and what peers may do with it
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_bind_mw
     */
    public SendBatch bindMw(MemoryWindow mw, MwBind bind) {
        Objects.requireNonNull(mw, "mw");
        Objects.requireNonNull(bind, "bind");
        SendRecord request = begin(SendOp.BIND_MW);
        request.window = mw;
        request.bind = bind;
        return batch();
    }

    /**
     * Begins a LOCAL_INV: takes a type 2 window of this side's back.
     *
     * @param mw the window, bound on this queue pair
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_local_inv
     */
    public SendBatch localInv(MemoryWindow mw) {
        Objects.requireNonNull(mw, "mw");
        begin(SendOp.LOCAL_INV).window = mw;
        return batch();
    }
}
