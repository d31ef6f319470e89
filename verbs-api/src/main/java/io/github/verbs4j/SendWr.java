package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.RawMemory;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
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
public final class SendWr {

    /** Every request has this trait: a queue pair that takes none refuses it. */
    static final int ANY = 1;

    /** READ or atomic: it needs {@code max_rd_atomic}. */
    static final int RD_ATOMIC = 2;

    /** Its data is copied when it is posted. */
    static final int INLINE = 4;

    /** It changes what a memory window or an rkey is good for. */
    static final int WINDOW = 8;

    /** An element may lie over memory that is not registered: good for inline data only. */
    static final int UNREGISTERED = 16;

    private static final long WR_SIZE = ibv_send_wr.sizeof();
    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long WR_ID = ibv_send_wr.wr_id$offset();
    private static final long SG_LIST = ibv_send_wr.sg_list$offset();
    private static final long NUM_SGE = ibv_send_wr.num_sge$offset();
    private static final long OPCODE = ibv_send_wr.opcode$offset();
    private static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    private static final long IMM_DATA = ibv_send_wr.imm_data$offset();
    private static final long WR = ibv_send_wr.wr$offset();
    private static final long RDMA_ADDR = WR + ibv_send_wr.wr.rdma.remote_addr$offset();
    private static final long RDMA_RKEY = WR + ibv_send_wr.wr.rdma.rkey$offset();
    private static final long COMPARE_ADD = WR + ibv_send_wr.wr.atomic.compare_add$offset();
    private static final long SWAP = WR + ibv_send_wr.wr.atomic.swap$offset();
    private static final long ATOMIC_RKEY = WR + ibv_send_wr.wr.atomic.rkey$offset();
    private static final long XRC_SRQN =
            ibv_send_wr.qp_type$offset() + ibv_send_wr.qp_type.xrc.remote_srqn$offset();
    private static final long BIND = ibv_send_wr.bind_mw$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_LKEY = ibv_sge.lkey$offset();
    private static final int KNOWN_FLAGS =
            SendFlags.FENCE
                    | SendFlags.SIGNALED
                    | SendFlags.SOLICITED
                    | SendFlags.INLINE
                    | SendFlags.IP_CSUM;
    private static final long UNREGISTERED_SOURCE = -1;
    private static final long MAX_LENGTH = 0xffffffffL;

    private final WrMemory block;
    private final MemorySegment memory;
    private final long base;
    private final long wr;
    private final long sges;
    private final int maxSge;
    private final MemorySegment self;
    private final long badWr;

    /** What each element points into, for inline data; null where only an address was given. */
    private final MemorySegment[] sources;

    private final long[] sourceOffsets;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    private final MemoryRegion[] regions;

    private WrOpcode opcode;
    private int flags;
    private int numSge;
    private long remoteAddress;
    private int rkey;
    private long compareAdd;
    private long swap;
    private int immData;
    private int invalidateRkey;
    private boolean unregistered;
    private int traits = ANY;
    private MemoryWindow window;
    private MwBind bind;
    private AddressHandle ah;
    private int remoteQpn;
    private int remoteQkey;
    private InlineImage image;

    /**
     * A request of its own.
     *
     * @param maxSge room for so many gather elements, 0 or more
     */
    public SendWr(int maxSge) {
        this(WrMemory.ofSends(1, maxSge), 0);
    }

    /** One request of a chain. */
    SendWr(WrMemory block, int index) {
        this.block = block;
        memory = block.memory();
        base = memory.address();
        maxSge = block.maxSge();
        wr = block.wr(index);
        sges = block.sges(index);
        self = memory.asSlice(wr, WR_SIZE);
        badWr = block.badWr();
        sources = new MemorySegment[maxSge];
        sourceOffsets = new long[maxSge];
        regions = new MemoryRegion[maxSge];
        memory.set(ADDRESS, wr + SG_LIST, memory.asSlice(sges));
        opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
    }

    // ---- what the request is

    /**
     * Sets the number that the completion carries back.
     *
     * @param id any 64 bits
     * @return this
     */
    public SendWr wrId(long id) {
        setLong(wr + WR_ID, id);
        return this;
    }

    /**
     * Sets the operation.
     *
     * @param newOpcode the operation
     * @return this
     */
    public SendWr opcode(WrOpcode newOpcode) {
        setInt(wr + OPCODE, newOpcode.value());
        opcode = newOpcode;
        placeRemote();
        placeImm();
        classify();
        return this;
    }

    /**
     * Sets the flags.
     *
     * @param newFlags bits of {@link SendFlags}
     * @return this
     * @throws IllegalArgumentException when a bit is none of them
     */
    public SendWr sendFlags(int newFlags) {
        checkFlags(newFlags);
        flags = newFlags;
        // INLINE is set in the image that is posted, never here: see InlineImage.
        setInt(wr + SEND_FLAGS, newFlags & ~SendFlags.INLINE);
        classify();
        return this;
    }

    static void checkFlags(int flags) {
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException(
                    "unknown send flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
        }
    }

    private void classify() {
        traits =
                ANY
                        | switch (opcode) {
                            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> RD_ATOMIC;
                            case LOCAL_INV, BIND_MW, SEND_WITH_INV -> WINDOW;
                            default -> 0;
                        }
                        | ((flags & SendFlags.INLINE) != 0 ? INLINE : 0)
                        | (unregistered ? UNREGISTERED : 0);
    }

    /**
     * Sets the immediate data, for the operations WITH_IMM.
     *
     * @param imm 32 bits in host order
     * @return this
     */
    public SendWr immData(int imm) {
        immData = imm;
        placeImm();
        return this;
    }

    /**
     * Sets the peer's rkey to invalidate, for SEND_WITH_INV.
     *
     * @param peerRkey the rkey of a type 2 memory window of the peer's
     * @return this
     */
    public SendWr invalidateRkey(int peerRkey) {
        invalidateRkey = peerRkey;
        placeImm();
        return this;
    }

    /** Immediate data and rkey share their place; rxe refuses a BIND_MW that leaves any there. */
    private void placeImm() {
        setInt(
                wr + IMM_DATA,
                switch (opcode) {
                    case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> NetworkOrder.toHost(immData);
                    case SEND_WITH_INV -> invalidateRkey;
                    default -> 0;
                });
    }

    // ---- local data

    /**
     * Makes a part of a region the only element of the gather list (of a READ or an atomic: where
     * the result goes).
     *
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when the part is not inside the region
     * @throws IllegalStateException when the region is closed
     */
    public SendWr sge(MemoryRegion mr, long offset, long length) {
        sge(0, mr, offset, length);
        if (unregistered) {
            unregistered = false;
            classify();
        }
        return numSge(1);
    }

    /**
     * Sets an element of the gather list, which grows to hold it.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes; an empty element is legal
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element, or the part is not
     *     inside the region
     * @throws IllegalStateException when the region is closed
     */
    public SendWr sge(int index, MemoryRegion mr, long offset, long length) {
        mr.checkRange(offset, length);
        sge(index, mr.iova() + offset, length, mr.lkey());
        sources[index] = mr.readable();
        sourceOffsets[index] = offset;
        regions[index] = mr;
        return this;
    }

    /**
     * Sets an element of the gather list by address and key, unchecked: the device refuses what the
     * key does not allow. Not for inline data.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param address where the data is
     * @param length how long it is, in bytes, up to 4 GiB − 1
     * @param lkey the local key that covers it
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element
     */
    public SendWr sge(int index, long address, long length, int lkey) {
        Objects.checkIndex(index, maxSge);
        if (length < 0 || length > MAX_LENGTH) {
            Check.range("length", length, 0, MAX_LENGTH);
        }
        long at = sges + index * SGE_SIZE;
        setLong(at, address);
        setInt(at + SGE_LENGTH, (int) length);
        setInt(at + SGE_LKEY, lkey);
        sources[index] = null;
        regions[index] = null;
        return index < numSge ? this : numSge(index + 1);
    }

    /**
     * Sets an element of the gather list to memory that need not be registered, on or off the heap:
     * for inline data only.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param data the data; copied when the request is posted, by a thread that may read it: a
     *     confined arena is one thread's. Without the flag INLINE posting refuses it
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element
     */
    public SendWr sge(int index, MemorySegment data) {
        sge(index, 0, data.byteSize(), 0);
        sources[index] = data;
        sourceOffsets[index] = UNREGISTERED_SOURCE;
        unregistered = true;
        classify();
        return this;
    }

    /**
     * Sets how many elements of the gather list count. 0 makes a message without data.
     *
     * @param n 0 to the room the request was made with
     * @return this
     */
    public SendWr numSge(int n) {
        if (n < 0 || n > maxSge) {
            Check.range("numSge", n, 0, maxSge);
        }
        numSge = n;
        setInt(wr + NUM_SGE, n);
        return this;
    }

    // ---- the peer's memory

    /**
     * Sets the target of a WRITE, READ or atomic.
     *
     * @param buffer the peer's buffer
     * @param offset in bytes from its start
     * @return this
     */
    public SendWr remote(RemoteBuffer buffer, long offset) {
        return remote(buffer.address(offset), buffer.rkey());
    }

    /**
     * Sets the target of a WRITE, READ or atomic by address and key, unchecked: the peer's device
     * refuses what the key does not allow.
     *
     * @param address in the peer's memory
     * @param peerRkey the peer's key that covers it
     * @return this
     */
    public SendWr remote(long address, int peerRkey) {
        remoteAddress = address;
        rkey = peerRkey;
        placeRemote();
        return this;
    }

    /**
     * Sets where a datagram goes, for SEND and SEND_WITH_IMM on a UD queue pair.
     *
     * @param to the destination, of the same protection domain; open when the request is posted
     * @param qpn the number of the destination's queue pair; 0xffffff of a multicast group
     * @param qkey the Q_Key that the destination expects; with the highest bit set, devices other
     *     than Soft-RoCE send the local queue pair's own instead
     * @return this
     */
    public SendWr ud(AddressHandle to, int qpn, int qkey) {
        ah = Objects.requireNonNull(to, "to");
        remoteQpn = qpn;
        remoteQkey = qkey;
        return this;
    }

    /**
     * Sets which shared receive queue of the peer's a message goes to, on an XRC_SEND queue pair.
     *
     * @param srqn the queue's number ({@link SharedReceiveQueue#srqNum}), 24 bits
     * @return this
     */
    public SendWr xrcRemoteSrqn(int srqn) {
        Check.range("srqn", srqn, 0, 0xffffff);
        setInt(wr + XRC_SRQN, srqn);
        return this;
    }

    /** An atomic has its first operand where RDMA has the rkey. */
    private void placeRemote() {
        setLong(wr + RDMA_ADDR, remoteAddress);
        if (isAtomic()) {
            setLong(wr + COMPARE_ADD, compareAdd);
            setLong(wr + SWAP, swap);
            setInt(wr + ATOMIC_RKEY, rkey);
        } else {
            setInt(wr + RDMA_RKEY, rkey);
        }
    }

    private boolean isAtomic() {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    }

    /**
     * Sets what an atomic compares with, or adds.
     *
     * @param value 64 bits in host order
     * @return this
     */
    public SendWr compareAdd(long value) {
        compareAdd = value;
        if (isAtomic()) {
            setLong(wr + COMPARE_ADD, value);
        }
        return this;
    }

    /**
     * Sets what COMPARE_AND_SWAP stores.
     *
     * @param value 64 bits in host order
     * @return this
     */
    public SendWr swap(long value) {
        swap = value;
        if (isAtomic()) {
            setLong(wr + SWAP, value);
        }
        return this;
    }

    // ---- whole operations

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
        return opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .sge(mr, offset, Long.BYTES)
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
        return opcode(WrOpcode.ATOMIC_CMP_AND_SWP)
                .sge(mr, offset, Long.BYTES)
                .remoteRange(target, targetOffset, Long.BYTES)
                .compareAdd(compare)
                .swap(newValue);
    }

    private SendWr remoteRange(RemoteBuffer buffer, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, buffer.length());
        return remote(buffer, offset);
    }

    /**
     * A SEND_WITH_INV of a part of a region, which also takes an rkey from the peer.
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

    // ---- for the send queue

    /** Fills in what a BIND_MW needs of the native objects, which the caller keeps open. */
    void placeBind(MemorySegment mw, int newRkey, MemorySegment mr, MwBind target) {
        memory.set(ADDRESS, wr + BIND + ibv_send_wr.bind_mw.mw$offset(), mw);
        setInt(wr + BIND + ibv_send_wr.bind_mw.rkey$offset(), newRkey);
        long info = wr + BIND + ibv_send_wr.bind_mw.bind_info$offset();
        memory.set(ADDRESS, info + ibv_mw_bind_info.mr$offset(), mr);
        setLong(info + ibv_mw_bind_info.addr$offset(), target.mr().iova() + target.offset());
        setLong(info + ibv_mw_bind_info.length$offset(), target.length());
        setInt(info + ibv_mw_bind_info.mw_access_flags$offset(), AccessFlag.bits(target.access()));
    }

    /** Where a datagram goes: an address handle, a queue pair and its Q_Key. */
    AddressHandle ah() {
        return ah;
    }

    int remoteQpn() {
        return remoteQpn;
    }

    int remoteQkey() {
        return remoteQkey;
    }

    /** Fills in what a LOCAL_INV takes back. */
    void placeLocalInv(int rkeyNow) {
        setInt(wr + IMM_DATA, rkeyNow);
    }

    /** Refuses elements over memory that the device cannot reach. */
    void checkRegistered() {
        for (int i = 0; i < numSge; i++) {
            if (sources[i] != null && sourceOffsets[i] < 0 && sgeLength(i) != 0) {
                throw new IllegalArgumentException(
                        "element "
                                + i
                                + " lies over memory that is not registered; that needs the flag "
                                + SendFlags.toString(SendFlags.INLINE));
            }
        }
    }

    int traits() {
        return traits;
    }

    WrOpcode opcode() {
        return opcode;
    }

    int flags() {
        return flags;
    }

    int numSge() {
        return numSge;
    }

    int maxSge() {
        return maxSge;
    }

    MemoryWindow window() {
        return window;
    }

    MwBind bind() {
        return bind;
    }

    int invalidateRkey() {
        return invalidateRkey;
    }

    /** What requests of one chain share; held while their inline images are in use. */
    WrMemory block() {
        return block;
    }

    /** The native request. */
    MemorySegment self() {
        return self;
    }

    /** Where the native request lies; good for as long as this object is reachable. */
    long address() {
        return base + wr;
    }

    /** Where the provider writes which request failed. */
    long badWr() {
        return badWr;
    }

    long sgeLength(int index) {
        return Integer.toUnsignedLong(memory.get(JAVA_INT, sges + index * SGE_SIZE + SGE_LENGTH));
    }

    /** The length of the message. */
    long length() {
        long length = 0;
        for (int i = 0; i < numSge; i++) {
            length += sgeLength(i);
        }
        return length;
    }

    MemorySegment sgeSource(int index) {
        return sources[index];
    }

    /** Where in its source an element begins. */
    long sgeOffset(int index) {
        return Math.max(sourceOffsets[index], 0);
    }

    InlineImage image() {
        if (image == null) {
            image = new InlineImage();
        }
        return image;
    }

    /** Offsets are computed here from checked indices, so the segment need not check them again. */
    private void setInt(long offset, int value) {
        RawMemory.setInt(base + offset, value);
        Reference.reachabilityFence(memory);
    }

    private void setLong(long offset, long value) {
        RawMemory.setLong(base + offset, value);
        Reference.reachabilityFence(memory);
    }
}
