package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.RawMemory;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A reusable batch of completions: C's array of {@code struct ibv_wc}. {@link CompletionQueue#poll}
 * fills it; the methods read its elements by index, allocating nothing. For one thread at a time.
 *
 * <p>Of a failed request only {@link #wrId}, {@link #status}, {@link #qpNum} and {@link #vendorErr}
 * mean anything; the other methods throw for it.
 *
 * <p>{@link #srcQp}, {@link #pkeyIndex}, {@link #slid}, {@link #sl} and {@link #dlidPathBits} say
 * where a datagram came from. They are 0 for what is no receive, and mean nothing for a receive of
 * another transport: there devices leave what an earlier poll has put into the array.
 */
public final class WcArray {

    private static final long SIZE = ibv_wc.sizeof();
    private static final long WR_ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERR = ibv_wc.vendor_err$offset();
    private static final long BYTE_LEN = ibv_wc.byte_len$offset();
    private static final long IMM_DATA = ibv_wc.imm_data$offset();
    private static final long QP_NUM = ibv_wc.qp_num$offset();
    private static final long SRC_QP = ibv_wc.src_qp$offset();
    private static final long WC_FLAGS = ibv_wc.wc_flags$offset();
    private static final long PKEY_INDEX = ibv_wc.pkey_index$offset();
    private static final long SLID = ibv_wc.slid$offset();
    private static final long SL = ibv_wc.sl$offset();
    private static final long DLID_PATH_BITS = ibv_wc.dlid_path_bits$offset();

    /** 48 MiB, and more than a poll can be late by. */
    static final int MAX_CAPACITY = 1 << 20;

    private final MemorySegment memory;
    private final long address;
    private final int capacity;
    private int count;
    private boolean rxe;

    /**
     * A batch.
     *
     * @param capacity how many completions a poll takes at most, 1 to 1048576
     * @throws IllegalArgumentException when it is none of these
     */
    public WcArray(int capacity) {
        Check.range("capacity", capacity, 1, MAX_CAPACITY);
        this.capacity = capacity;
        // Collected with this object, so a poll can never write to freed memory.
        this.memory = Arena.ofAuto().allocate(ibv_wc.layout(), capacity);
        this.address = memory.address();
    }

    /**
     * How many completions a poll takes at most.
     *
     * @return the capacity
     */
    public int capacity() {
        return capacity;
    }

    /**
     * How many completions the last poll took.
     *
     * @return 0 to the capacity
     */
    public int count() {
        return count;
    }

    /**
     * What the request carried.
     *
     * @param index 0 to {@link #count} − 1
     * @return C's {@code wr_id}
     */
    public long wrId(int index) {
        return getLong(at(index) + WR_ID);
    }

    /**
     * Tells whether the request was carried out.
     *
     * @param index 0 to {@link #count} − 1
     * @return true when the status is SUCCESS
     */
    public boolean isSuccess(int index) {
        return rawStatus(index) == 0;
    }

    /**
     * How the request ended.
     *
     * @param index 0 to {@link #count} − 1
     * @return the status; UNRECOGNIZED for one this library does not know
     */
    public WcStatus status(int index) {
        return WcStatus.of(rawStatus(index));
    }

    /**
     * How the request ended, as the device says it.
     *
     * @param index 0 to {@link #count} − 1
     * @return C's {@code status}
     */
    public int rawStatus(int index) {
        return getInt(at(index) + STATUS);
    }

    /**
     * The provider's own error code.
     *
     * @param index 0 to {@link #count} − 1
     * @return C's {@code vendor_err}, 0 after success
     */
    public int vendorErr(int index) {
        return getInt(at(index) + VENDOR_ERR);
    }

    /**
     * The local queue pair.
     *
     * @param index 0 to {@link #count} − 1
     * @return its number
     */
    public int qpNum(int index) {
        return getInt(at(index) + QP_NUM);
    }

    /**
     * What the request was.
     *
     * @param index 0 to {@link #count} − 1
     * @return the opcode
     * @throws IllegalStateException when the request failed
     */
    public WcOpcode opcode(int index) {
        return WcOpcode.of(getInt(succeeded(index) + OPCODE));
    }

    /**
     * Bytes received, or read by an RDMA read or atomic.
     *
     * @param index 0 to {@link #count} − 1
     * @return in bytes
     * @throws IllegalStateException when the request failed
     */
    public long byteLen(int index) {
        return Integer.toUnsignedLong(getInt(succeeded(index) + BYTE_LEN));
    }

    /**
     * What else the completion says.
     *
     * @param index 0 to {@link #count} − 1
     * @return bits of {@link WcFlags}
     * @throws IllegalStateException when the request failed
     */
    public int wcFlags(int index) {
        return wcFlags(getInt(succeeded(index) + WC_FLAGS), rxe);
    }

    /**
     * rxe hands up the kernel's numbering, where the bit that means IP_CSUM_OK to users says that
     * an rkey was invalidated; it never reports checksums.
     */
    static int wcFlags(int flags, boolean byRxe) {
        return byRxe && (flags & WcFlags.IP_CSUM_OK) != 0
                ? flags & ~WcFlags.IP_CSUM_OK | WcFlags.WITH_INV
                : flags;
    }

    /**
     * The immediate data that the peer sent along.
     *
     * @param index 0 to {@link #count} − 1
     * @return 32 bits in host order
     * @throws IllegalStateException when the request failed or has none
     */
    public int immData(int index) {
        long at = succeeded(index);
        if ((getInt(at + WC_FLAGS) & WcFlags.WITH_IMM) == 0) {
            throw new IllegalStateException("the completion carries no immediate data");
        }
        return NetworkOrder.toHost(getInt(at + IMM_DATA));
    }

    /**
     * Tells whether the peer's message invalidated an rkey here (SEND_WITH_INV).
     *
     * @param index 0 to {@link #count} − 1
     * @return true when {@link #invalidatedRkey} has one
     * @throws IllegalStateException when the request failed
     */
    public boolean isInvalidated(int index) {
        return (wcFlags(index) & WcFlags.WITH_INV) != 0;
    }

    /**
     * The rkey that the peer's SEND_WITH_INV invalidated.
     *
     * @param index 0 to {@link #count} − 1
     * @return the rkey
     * @throws IllegalStateException when the request failed or invalidated none
     */
    public int invalidatedRkey(int index) {
        if (!isInvalidated(index)) {
            throw new IllegalStateException("the completion invalidated no rkey");
        }
        return getInt(at(index) + IMM_DATA);
    }

    /**
     * The remote queue pair, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return its number; 0 for what is no receive
     * @throws IllegalStateException when the request failed
     */
    public int srcQp(int index) {
        long at = succeeded(index);
        return isReceive(at) ? getInt(at + SRC_QP) : 0;
    }

    /**
     * The partition key, of a receive on the GSI queue pair.
     *
     * @param index 0 to {@link #count} − 1
     * @return its index; 0 for what is no receive
     * @throws IllegalStateException when the request failed
     */
    public int pkeyIndex(int index) {
        long at = succeeded(index);
        return isReceive(at) ? Short.toUnsignedInt(memory.get(JAVA_SHORT, at + PKEY_INDEX)) : 0;
    }

    /**
     * The sender's LID, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return the LID; 0 for what is no receive
     * @throws IllegalStateException when the request failed
     */
    public int slid(int index) {
        long at = succeeded(index);
        return isReceive(at) ? Short.toUnsignedInt(memory.get(JAVA_SHORT, at + SLID)) : 0;
    }

    /**
     * The service level, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return 0 to 15; 0 for what is no receive
     * @throws IllegalStateException when the request failed
     */
    public int sl(int index) {
        long at = succeeded(index);
        return isReceive(at) ? Byte.toUnsignedInt(memory.get(JAVA_BYTE, at + SL)) : 0;
    }

    /**
     * The local path, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return the low bits of the destination LID; 0 for what is no receive
     * @throws IllegalStateException when the request failed
     */
    public int dlidPathBits(int index) {
        long at = succeeded(index);
        return isReceive(at) ? Byte.toUnsignedInt(memory.get(JAVA_BYTE, at + DLID_PATH_BITS)) : 0;
    }

    /**
     * Throws if the request failed.
     *
     * @param index 0 to {@link #count} − 1
     * @throws WorkCompletionException naming the status and its usual causes
     */
    public void checkSuccess(int index) {
        if (!isSuccess(index)) {
            throw failure(index);
        }
    }

    private WorkCompletionException failure(int index) {
        return new WorkCompletionException(
                status(index), rawStatus(index), wrId(index), qpNum(index), vendorErr(index));
    }

    /**
     * Copies one completion.
     *
     * @param index 0 to {@link #count} − 1
     * @return the copy, which stays as it is
     */
    public WorkCompletion get(int index) {
        if (!isSuccess(index)) {
            return new WorkCompletion(
                    wrId(index),
                    status(index),
                    null,
                    vendorErr(index),
                    0,
                    0,
                    qpNum(index),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0);
        }
        int raw = getInt(at(index) + IMM_DATA);
        return new WorkCompletion(
                wrId(index),
                status(index),
                opcode(index),
                vendorErr(index),
                byteLen(index),
                isInvalidated(index) ? raw : NetworkOrder.toHost(raw),
                qpNum(index),
                srcQp(index),
                wcFlags(index),
                pkeyIndex(index),
                slid(index),
                sl(index),
                dlidPathBits(index));
    }

    /** The native completion. */
    MemorySegment element(int index) {
        return memory.asSlice(at(index), SIZE);
    }

    MemorySegment memory() {
        return memory;
    }

    /** Where the completions go; good for as long as this object is reachable. */
    long address() {
        return address;
    }

    void filled(int newCount, boolean byRxe) {
        count = newCount;
        rxe = byRxe;
    }

    /** Faster than the segment's own access, which would check bounds and liveness once more. */
    private int getInt(long offset) {
        int value = RawMemory.getInt(address + offset);
        Reference.reachabilityFence(memory);
        return value;
    }

    private long getLong(long offset) {
        long value = RawMemory.getLong(address + offset);
        Reference.reachabilityFence(memory);
        return value;
    }

    /** RECV is the bit that all opcodes of receives have. */
    private boolean isReceive(long at) {
        return (getInt(at + OPCODE) & WcOpcode.RECV.value()) != 0;
    }

    private long at(int index) {
        return Objects.checkIndex(index, count) * SIZE;
    }

    private long succeeded(int index) {
        long at = at(index);
        if (getInt(at + STATUS) != 0) {
            throw new IllegalStateException(
                    "the request failed ("
                            + status(index)
                            + "): only wrId, status, qpNum and vendorErr mean anything");
        }
        return at;
    }
}
