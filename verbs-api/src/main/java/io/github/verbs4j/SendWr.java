package io.github.verbs4j;

import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.WrOpcode;
import java.util.Objects;

/**
 * A send work request: C's {@code struct ibv_send_wr} with its gather list. It lives off-heap, is
 * built once, changed in place and posted as often as wanted; {@link QueuePair#postSend(SendWr)}
 * copies it, so it may be changed as soon as that returns. The data it points at belongs to the
 * device until the request completes. The request keeps the regions that its elements were given by
 * reachable, as long as it is reachable itself. For one thread at a time.
 *
 * <p>A new request is a signaled SEND of nothing. The methods that name an operation ({@link
 * #send}, {@link #write}, {@link #read}, …) set opcode, data and target at once; the methods named
 * after the fields of the C structure change one each.
 */
public final class SendWr extends SendWrFields {

    /**
     * A request of its own.
     *
     * @param maxSge room for so many gather elements, 0 to 1024
     * @throws IllegalArgumentException when it is none of these
     */
    public SendWr(int maxSge) {
        this(WrMemory.ofSends(1, maxSge), 0);
    }

    /** One request of a chain. */
    SendWr(WrMemory block, int index) {
        super(block, index);
    }

    /**
     * A SEND of a part of a region.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @return this
     */
    public SendWr send(MemoryRegion mr, long offset, long length) {
        return opcode(WrOpcode.SEND).sge(mr, offset, length);
    }

    /**
     * A SEND_WITH_IMM of a part of a region.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @param imm the immediate data, 32 bits in host order
     * @return this
     */
    public SendWr sendWithImm(MemoryRegion mr, long offset, long length, int imm) {
        return opcode(WrOpcode.SEND_WITH_IMM).immData(imm).sge(mr, offset, length);
    }

    /**
     * An RDMA_WRITE of a part of a region. It completes here only; the peer is not told.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @param target the peer's buffer
     * @param targetOffset in bytes from its start
     * @return this
     * @throws IndexOutOfBoundsException when a range is not inside its buffer
     */
    public SendWr write(
            MemoryRegion mr, long offset, long length, RemoteBuffer target, long targetOffset) {
        return opcode(WrOpcode.RDMA_WRITE)
                .sge(mr, offset, length)
                .remoteRange(target, targetOffset, length);
    }

    /**
     * An RDMA_WRITE_WITH_IMM of a part of a region. It takes a receive of the peer's and completes
     * there too.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @param target the peer's buffer
     * @param targetOffset in bytes from its start
     * @param imm the immediate data, 32 bits in host order
     * @return this
     * @throws IndexOutOfBoundsException when a range is not inside its buffer
     */
    public SendWr writeWithImm(
            MemoryRegion mr,
            long offset,
            long length,
            RemoteBuffer target,
            long targetOffset,
            int imm) {
        return opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                .immData(imm)
                .sge(mr, offset, length)
                .remoteRange(target, targetOffset, length);
    }

    /**
     * An RDMA_READ into a part of a region, which needs LOCAL_WRITE.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @param source the peer's buffer
     * @param sourceOffset in bytes from its start
     * @return this
     * @throws IndexOutOfBoundsException when a range is not inside its buffer
     */
    public SendWr read(
            MemoryRegion mr, long offset, long length, RemoteBuffer source, long sourceOffset) {
        return opcode(WrOpcode.RDMA_READ)
                .sge(mr, offset, length)
                .remoteRange(source, sourceOffset, length);
    }

    /**
     * An ATOMIC_FETCH_AND_ADD on 8 bytes of the peer's, aligned to 8.
     *
     * @param mr receives the old value, and needs LOCAL_WRITE
     * @param offset where, in bytes from the region's start
     * @param target the peer's buffer
     * @param targetOffset in bytes from its start
     * @param add what to add, in host order
     * @return this
     * @throws IndexOutOfBoundsException when a range is not inside its buffer
     */
    public SendWr fetchAdd(
            MemoryRegion mr, long offset, RemoteBuffer target, long targetOffset, long add) {
        return sge(mr, offset, Long.BYTES)
                .opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .remoteRange(target, targetOffset, Long.BYTES)
                .compareAdd(add)
                .swap(0);
    }

    /**
     * An ATOMIC_CMP_AND_SWP on 8 bytes of the peer's, aligned to 8.
     *
     * @param mr receives the old value, and needs LOCAL_WRITE
     * @param offset where, in bytes from the region's start
     * @param target the peer's buffer
     * @param targetOffset in bytes from its start
     * @param compare what the peer's memory must hold for the swap to happen, in host order
     * @param newValue what to store then, in host order
     * @return this
     * @throws IndexOutOfBoundsException when a range is not inside its buffer
     */
    public SendWr compareSwap(
            MemoryRegion mr,
            long offset,
            RemoteBuffer target,
            long targetOffset,
            long compare,
            long newValue) {
        return sge(mr, offset, Long.BYTES)
                .opcode(WrOpcode.ATOMIC_CMP_AND_SWP)
                .remoteRange(target, targetOffset, Long.BYTES)
                .compareAdd(compare)
                .swap(newValue);
    }

    /**
     * A SEND_WITH_INV of a part of a region, which also takes an rkey from the peer. An rkey of a
     * window of this process is refused unless it is bound, and any that this process took back
     * before ({@link QueuePair#peerRebound}). Whether a window of another process is bound cannot
     * be checked; one that is not brings down a peer on Soft-RoCE.
     *
     * @param mr the region
     * @param offset in bytes from the region's start
     * @param length in bytes
     * @param peerRkey the rkey of a type 2 memory window of the peer's
     * @return this
     */
    public SendWr sendWithInv(MemoryRegion mr, long offset, long length, int peerRkey) {
        return opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(peerRkey).sge(mr, offset, length);
    }

    /**
     * A BIND_MW: binds a type 2 window to a part of a region.
     *
     * @param mw the window, not bound
     * @param info the region, the part and what peers may do with it
     * @return this
     */
    public SendWr bindMw(MemoryWindow mw, MwBind info) {
        window = Objects.requireNonNull(mw, "mw");
        bind = Objects.requireNonNull(info, "info");
        return opcode(WrOpcode.BIND_MW).numSge(0);
    }

    /**
     * A LOCAL_INV: takes a type 2 window of this side's back.
     *
     * @param mw the window, bound on the queue pair that this is posted to
     * @return this
     */
    public SendWr localInv(MemoryWindow mw) {
        window = Objects.requireNonNull(mw, "mw");
        return opcode(WrOpcode.LOCAL_INV).numSge(0);
    }

    private SendWr remoteRange(RemoteBuffer buffer, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, buffer.length());
        return remote(buffer, offset);
    }
}
