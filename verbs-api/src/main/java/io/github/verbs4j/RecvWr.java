package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A receive work request: C's {@code struct ibv_recv_wr} with its scatter list. It lives off-heap,
 * is built once, changed in place and posted as often as wanted; posting copies it. The memory it
 * points at belongs to the device until the request completes. The request keeps the regions that
 * its elements were given by reachable, as long as it is reachable itself. For one thread at a
 * time.
 */
public final class RecvWr {

    private static final long SGE_SIZE = ibv_sge.sizeof();

    private final WrMemory block;
    private final int index;
    private final MemorySegment memory;
    private final long address;
    private final long sges;
    private final int maxSge;
    private final MemorySegment self;
    private final long badWr;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    private final MemoryRegion[] regions;

    private int numSge;

    /**
     * A request of its own, for a message without data.
     *
     * @param maxSge room for so many scatter elements, 0 to 1024
     * @throws IllegalArgumentException when it is none of these
     */
    public RecvWr(int maxSge) {
        this(WrMemory.ofReceives(1, maxSge), 0);
    }

    /** One request of a chain. */
    RecvWr(WrMemory block, int index) {
        this.block = block;
        this.index = index;
        memory = block.memory();
        maxSge = block.maxSge();
        self = memory.asSlice(block.wr(index), ibv_recv_wr.sizeof());
        address = self.address();
        sges = block.sges(index) - block.wr(index);
        badWr = block.badWr();
        regions = new MemoryRegion[maxSge];
        setLong(ibv_recv_wr.sg_list$offset(), address + sges);
    }

    /**
     * Sets the number that the completion carries back.
     *
     * @param id any 64 bits
     * @return this
     */
    public RecvWr wrId(long id) {
        setLong(ibv_recv_wr.wr_id$offset(), id);
        return this;
    }

    /**
     * Makes a part of a region, which needs LOCAL_WRITE, the only element of the scatter list.
     *
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when the part is not inside the region
     * @throws IllegalStateException when the region is closed
     */
    public RecvWr sge(MemoryRegion mr, long offset, long length) {
        sge(0, mr, offset, length);
        return numSge(1);
    }

    /**
     * Sets an element of the scatter list, which grows to hold it.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element, or the part is not
     *     inside the region
     * @throws IllegalStateException when the region is closed
     */
    public RecvWr sge(int index, MemoryRegion mr, long offset, long length) {
        mr.checkRange(offset, length);
        sge(index, mr.iova() + offset, length, mr.lkey());
        regions[index] = mr;
        return this;
    }

    /**
     * Sets an element of the scatter list by address and key, unchecked: the device refuses what
     * the key does not allow.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param address where the data goes
     * @param length how long it is, in bytes, up to 4 GiB − 1
     * @param lkey the local key that covers it
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element
     */
    public RecvWr sge(int index, long address, long length, int lkey) {
        Objects.checkIndex(index, maxSge);
        if (length < 0 || length > WrMemory.MAX_LENGTH) {
            Check.range("length", length, 0, WrMemory.MAX_LENGTH);
        }
        long at = sges + index * SGE_SIZE;
        setLong(at, address);
        setInt(at + ibv_sge.length$offset(), (int) length);
        setInt(at + ibv_sge.lkey$offset(), lkey);
        regions[index] = null;
        if (length > WrMemory.SHORT_LENGTH && maxSge > 1) {
            block.addTraits(WrMemory.LENGTH);
        }
        return index < numSge ? this : numSge(index + 1);
    }

    /**
     * Sets how many elements of the scatter list count. 0 receives a message without data, or the
     * notice of an RDMA_WRITE_WITH_IMM.
     *
     * @param n 0 to the room the request was made with
     * @return this
     */
    public RecvWr numSge(int n) {
        if (n < 0 || n > maxSge) {
            Check.range("numSge", n, 0, maxSge);
        }
        numSge = n;
        setInt(ibv_recv_wr.num_sge$offset(), n);
        return this;
    }

    int numSge() {
        return numSge;
    }

    /** Tells whether its elements, or those of others of its chain, may be too long together. */
    boolean isLengthy() {
        return block.traits() != 0;
    }

    /** Refuses more than a message holds. */
    void checkLength() {
        long length = 0;
        for (int i = 0; i < numSge; i++) {
            long at = sges + i * SGE_SIZE + ibv_sge.length$offset();
            length += Integer.toUnsignedLong(RawMemory.getInt(address + at));
        }
        Reference.reachabilityFence(memory);
        WrMemory.checkLength(length);
    }

    /** The native request. */
    MemorySegment self() {
        return self;
    }

    /** Tells whether it is linked to others, or may be. */
    boolean isChained() {
        return block.count() > 1;
    }

    /** Cuts the link to the next request, or restores it. */
    void link(boolean toNext) {
        block.link(index, toNext && index + 1 < block.count());
    }

    /** Where the native request lies; good for as long as this object is reachable. */
    long address() {
        return address;
    }

    /** Where the provider writes which request failed. */
    long badWr() {
        return badWr;
    }

    /**
     * Sets a field at an offset from the request. Offsets are computed here from checked indices,
     * so the segment need not check them again.
     */
    private void setInt(long offset, int value) {
        RawMemory.setInt(address + offset, value);
        Reference.reachabilityFence(memory);
    }

    private void setLong(long offset, long value) {
        RawMemory.setLong(address + offset, value);
        Reference.reachabilityFence(memory);
    }
}
