package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ffi.SharedReceiveVerbs;
import io.github.verbs4j.ffi.ibv_ops_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * A change of a tag-matching list: C's {@code struct ibv_ops_wr}. It lives off-heap and may be
 * changed in place and posted again; {@link SharedReceiveQueue#postOps} copies it. For one thread
 * at a time. A new request is {@link #tagSync}, signaled.
 */
public final class OpsWr {

    private final int maxSge;
    private final MemorySegment wr;
    private final MemorySegment sges;
    private final MemorySegment tm;
    private final MemorySegment add;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    private final MemoryRegion[] regions;

    /**
     * A request.
     *
     * @param maxSge room for so many scatter elements of a tagged buffer, 0 or more
     */
    public OpsWr(int maxSge) {
        Check.range("maxSge", maxSge, 0, 1 << 10);
        this.maxSge = maxSge;
        this.regions = new MemoryRegion[maxSge];
        long size = ibv_ops_wr.sizeof();
        // Collected with this object, so nothing posts freed memory.
        MemorySegment block = Arena.ofAuto().allocate(size + maxSge * ibv_sge.sizeof(), 64);
        wr = block.asSlice(0, size);
        sges = block.asSlice(size);
        tm = ibv_ops_wr.tm(wr);
        add = ibv_ops_wr.tm.add(tm);
        flags(true, false).tagSync();
    }

    /**
     * Sets the number that the completion of the list operation carries back.
     *
     * @param id any 64 bits
     * @return this
     */
    public OpsWr wrId(long id) {
        ibv_ops_wr.wr_id(wr, id);
        return this;
    }

    /**
     * Sets the flags.
     *
     * @param signaled the operation itself completes ({@code IBV_OPS_SIGNALED})
     * @param sync {@link #unexpectedCnt} counts ({@code IBV_OPS_TM_SYNC})
     * @return this
     */
    public OpsWr flags(boolean signaled, boolean sync) {
        ibv_ops_wr.flags(
                wr,
                (signaled ? verbs_h.IBV_OPS_SIGNALED() : 0)
                        | (sync ? verbs_h.IBV_OPS_TM_SYNC() : 0));
        return this;
    }

    /**
     * Sets how many unexpected messages the software has taken over.
     *
     * @param n 32 bits
     * @return this
     */
    public OpsWr unexpectedCnt(int n) {
        ibv_ops_wr.tm.unexpected_cnt(tm, n);
        return this;
    }

    /**
     * Adds a buffer to the list ({@code IBV_WR_TAG_ADD}): it takes the next message whose tag
     * equals {@code tag} in the bits of {@code mask}. Set its elements by {@link #sge}.
     *
     * @param recvWrId what the completion of the message carries back
     * @param tag the tag
     * @param mask which bits of it count
     * @return this, with no elements
     */
    public OpsWr tagAdd(long recvWrId, long tag, long mask) {
        ibv_ops_wr.opcode(wr, verbs_h.IBV_WR_TAG_ADD());
        ibv_ops_wr.tm.add.recv_wr_id(add, recvWrId);
        ibv_ops_wr.tm.add.tag(add, tag);
        ibv_ops_wr.tm.add.mask(add, mask);
        ibv_ops_wr.tm.add.sg_list(add, sges);
        ibv_ops_wr.tm.add.num_sge(add, 0);
        return this;
    }

    /**
     * Takes a buffer from the list ({@code IBV_WR_TAG_DEL}).
     *
     * @param handle what {@link #handle} said when it was added
     * @return this
     */
    public OpsWr tagDel(int handle) {
        ibv_ops_wr.opcode(wr, verbs_h.IBV_WR_TAG_DEL());
        ibv_ops_wr.tm.handle(tm, handle);
        return this;
    }

    /**
     * Only tells the device what the software has taken over ({@code IBV_WR_TAG_SYNC}).
     *
     * @return this
     */
    public OpsWr tagSync() {
        ibv_ops_wr.opcode(wr, verbs_h.IBV_WR_TAG_SYNC());
        return this;
    }

    /**
     * Sets an element of the buffer to add, which grows to hold it.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element, or the part is not
     *     inside the region
     * @throws IllegalArgumentException when the elements have 4 GiB together or more
     * @throws IllegalStateException when the region is closed
     */
    public OpsWr sge(int index, MemoryRegion mr, long offset, long length) {
        Objects.checkIndex(index, maxSge);
        Check.range("length", length, 0, WrMemory.MAX_LENGTH);
        mr.checkRange(offset, length);
        int numSge = Math.max(ibv_ops_wr.tm.add.num_sge(add), index + 1);
        long ofAll = length;
        for (int i = 0; i < numSge; i++) {
            ofAll += i == index ? 0 : lengthOf(i);
        }
        WrMemory.checkLength(ofAll);
        MemorySegment element = ibv_sge.asSlice(sges, index);
        ibv_sge.addr(element, mr.iova() + offset);
        ibv_sge.length(element, (int) length);
        ibv_sge.lkey(element, mr.lkey());
        regions[index] = mr;
        ibv_ops_wr.tm.add.num_sge(add, numSge);
        return this;
    }

    private long lengthOf(int index) {
        return Integer.toUnsignedLong(ibv_sge.length(ibv_sge.asSlice(sges, index)));
    }

    /**
     * What the device calls the buffer that was added.
     *
     * @return the handle, for {@link #tagDel}; means nothing before the request was posted
     */
    public int handle() {
        return ibv_ops_wr.tm.handle(tm);
    }

    /** Posts requests as one chain. */
    static void post(NativeHandle srq, OpsWr... ops) {
        if (ops.length == 0) {
            return;
        }
        if (new HashSet<>(List.of(ops)).size() < ops.length) {
            // Its next pointer would lead back to itself: a chain without an end.
            throw new IllegalArgumentException("a request is named twice");
        }
        for (int i = 0; i < ops.length; i++) {
            ibv_ops_wr.next(ops[i].wr, i + 1 < ops.length ? ops[i + 1].wr : MemorySegment.NULL);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bad = arena.allocate(ADDRESS);
            int errno =
                    Math.abs(srq.call(p -> SharedReceiveVerbs.ibv_post_srq_ops(p, ops[0].wr, bad)));
            if (errno == Errno.EOPNOTSUPP) {
                Check.zero("ibv_post_srq_ops", errno);
            }
            if (errno != 0) {
                int index = index(bad.get(ADDRESS, 0).address(), ops);
                String detail = errno == Errno.ENOMEM ? "too many list operations" : "";
                throw new PostException("ibv_post_srq_ops", errno, index, detail);
            }
        }
    }

    private static int index(long bad, OpsWr[] ops) {
        for (int i = 0; i < ops.length; i++) {
            if (ops[i].wr.address() == bad) {
                return i;
            }
        }
        return 0;
    }
}
