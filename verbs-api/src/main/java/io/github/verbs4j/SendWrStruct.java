package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.RawMemory;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * The memory of a {@link SendWr} and what its fields were set to; what posting needs to know of a
 * request.
 */
abstract sealed class SendWrStruct permits SendWrFields {

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

    /** It is linked to others: posted alone it must not take them along, past all checks. */
    static final int CHAINED = 32;

    /** Its elements may add up to what no message holds, or an atomic returns. */
    static final int LENGTH = WrMemory.LENGTH;

    static final long WR_SIZE = ibv_send_wr.sizeof();
    static final long SGE_SIZE = ibv_sge.sizeof();
    static final long WR_ID = ibv_send_wr.wr_id$offset();
    static final long SG_LIST = ibv_send_wr.sg_list$offset();
    static final long NUM_SGE = ibv_send_wr.num_sge$offset();
    static final long OPCODE = ibv_send_wr.opcode$offset();
    static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    static final long IMM_DATA = ibv_send_wr.imm_data$offset();
    static final long WR = ibv_send_wr.wr$offset();
    static final long RDMA_ADDR = WR + ibv_send_wr.wr.rdma.remote_addr$offset();
    static final long RDMA_RKEY = WR + ibv_send_wr.wr.rdma.rkey$offset();
    static final long COMPARE_ADD = WR + ibv_send_wr.wr.atomic.compare_add$offset();
    static final long SWAP = WR + ibv_send_wr.wr.atomic.swap$offset();
    static final long ATOMIC_RKEY = WR + ibv_send_wr.wr.atomic.rkey$offset();
    static final long XRC_SRQN =
            ibv_send_wr.qp_type$offset() + ibv_send_wr.qp_type.xrc.remote_srqn$offset();
    static final long SGE_LENGTH = ibv_sge.length$offset();
    static final long SGE_LKEY = ibv_sge.lkey$offset();
    static final int KNOWN_FLAGS =
            SendFlags.FENCE
                    | SendFlags.SIGNALED
                    | SendFlags.SOLICITED
                    | SendFlags.INLINE
                    | SendFlags.IP_CSUM;
    static final long UNREGISTERED_SOURCE = -1;

    final WrMemory block;
    final MemorySegment memory;
    final long address;
    final long sges;
    final int maxSge;
    final MemorySegment self;
    final long badWr;

    /** What each element points into, for inline data; null where only an address was given. */
    final MemorySegment[] sources;

    final long[] sourceOffsets;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    final MemoryRegion[] regions;

    WrOpcode opcode;
    int flags;
    int numSge;
    long remoteAddress;
    int rkey;
    long compareAdd;
    long swap;
    int immData;
    int invalidateRkey;
    boolean unregistered;
    boolean lengthy;
    int traits = ANY;
    MemoryWindow window;
    MwBind bind;
    AddressHandle ah;
    int remoteQpn;
    int remoteQkey;
    InlineImage image;

    SendWrStruct(WrMemory block, int index) {
        this.block = block;
        memory = block.memory();
        maxSge = block.maxSge();
        self = memory.asSlice(block.wr(index), WR_SIZE);
        address = self.address();
        sges = block.sges(index) - block.wr(index);
        badWr = block.badWr();
        sources = new MemorySegment[maxSge];
        sourceOffsets = new long[maxSge];
        regions = new MemoryRegion[maxSge];
        setLong(SG_LIST, address + sges);
    }

    static void checkFlags(int flags) {
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException(
                    "unknown send flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
        }
    }

    void classify() {
        int own =
                ANY
                        | switch (opcode) {
                            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> RD_ATOMIC;
                            case LOCAL_INV, BIND_MW, SEND_WITH_INV -> WINDOW;
                            default -> 0;
                        }
                        | ((flags & SendFlags.INLINE) != 0 ? INLINE : 0)
                        | (unregistered ? UNREGISTERED : 0)
                        | (isLengthDoubtful() ? LENGTH : 0);
        traits = own | (block.count() > 1 ? CHAINED : 0);
        block.addTraits(own);
    }

    /**
     * Operations on windows are posted as copies only, which hold what was checked. In place stands
     * another: a thread that changes the request while one posts it must not get them past the
     * checks, which would bring some kernels down.
     */
    void placeOpcode() {
        WrOpcode placed =
                switch (opcode) {
                    case LOCAL_INV, BIND_MW, SEND_WITH_INV -> WrOpcode.SEND;
                    default -> opcode;
                };
        setInt(OPCODE, placed.value());
    }

    /** Immediate data and rkey share their place. */
    void placeImm() {
        setInt(
                IMM_DATA,
                switch (opcode) {
                    case SEND_WITH_IMM, RDMA_WRITE_WITH_IMM -> NetworkOrder.toHost(immData);
                    case SEND_WITH_INV -> invalidateRkey;
                    default -> 0;
                });
    }

    /** An atomic has its first operand where RDMA has the rkey. */
    void placeRemote() {
        setLong(RDMA_ADDR, remoteAddress);
        if (isAtomic()) {
            setLong(COMPARE_ADD, compareAdd);
            setLong(SWAP, swap);
            setInt(ATOMIC_RKEY, rkey);
        } else {
            setInt(RDMA_RKEY, rkey);
        }
    }

    boolean isAtomic() {
        return opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
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

    private boolean isLengthDoubtful() {
        return isAtomic() ? numSge != 1 || sgeLength(0) != Long.BYTES : lengthy;
    }

    /**
     * Refuses a length that Soft-RoCE takes modulo 4 GiB, and a wrong one for the old value of an
     * atomic, which it takes as well.
     */
    void checkLength() {
        long length = length();
        WrMemory.checkLength(length);
        if (isAtomic() && length != Long.BYTES) {
            throw new IllegalArgumentException(
                    opcode + " needs 8 bytes for the old value, it has " + length);
        }
    }

    /**
     * Refuses the flag INLINE where it does not belong: on a READ it fails late, on an atomic after
     * the peer's memory has changed.
     */
    void checkInline() {
        switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {}
            default ->
                    throw new IllegalArgumentException(
                            SendFlags.toString(SendFlags.INLINE) + " does not go with " + opcode);
        }
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
        return address;
    }

    /** Where the provider writes which request failed. */
    long badWr() {
        return badWr;
    }

    long sgeLength(int index) {
        int length = RawMemory.getInt(address + sges + index * SGE_SIZE + SGE_LENGTH);
        Reference.reachabilityFence(memory);
        return Integer.toUnsignedLong(length);
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

    /**
     * Sets a field at an offset from the request. Offsets are computed here from checked indices,
     * so the segment need not check them again.
     */
    void setInt(long offset, int value) {
        RawMemory.setInt(address + offset, value);
        Reference.reachabilityFence(memory);
    }

    void setLong(long offset, long value) {
        RawMemory.setLong(address + offset, value);
        Reference.reachabilityFence(memory);
    }
}
