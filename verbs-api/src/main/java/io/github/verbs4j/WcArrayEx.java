package io.github.verbs4j;

import static io.github.verbs4j.WcExFields.BYTE_LEN;
import static io.github.verbs4j.WcExFields.COMPLETION_TS;
import static io.github.verbs4j.WcExFields.CVLAN;
import static io.github.verbs4j.WcExFields.DLID_PATH_BITS;
import static io.github.verbs4j.WcExFields.FLOW_TAG;
import static io.github.verbs4j.WcExFields.IMM_DATA;
import static io.github.verbs4j.WcExFields.OPCODE;
import static io.github.verbs4j.WcExFields.QP_NUM;
import static io.github.verbs4j.WcExFields.SL;
import static io.github.verbs4j.WcExFields.SLID;
import static io.github.verbs4j.WcExFields.SRC_QP;
import static io.github.verbs4j.WcExFields.STATUS;
import static io.github.verbs4j.WcExFields.STRIDE;
import static io.github.verbs4j.WcExFields.TM_PRIV;
import static io.github.verbs4j.WcExFields.TM_TAG;
import static io.github.verbs4j.WcExFields.VENDOR_ERR;
import static io.github.verbs4j.WcExFields.WALLCLOCK;
import static io.github.verbs4j.WcExFields.WC_FLAGS;
import static io.github.verbs4j.WcExFields.WITH_BYTE_LEN;
import static io.github.verbs4j.WcExFields.WITH_CVLAN;
import static io.github.verbs4j.WcExFields.WITH_DLID_PATH_BITS;
import static io.github.verbs4j.WcExFields.WITH_FLOW_TAG;
import static io.github.verbs4j.WcExFields.WITH_QP_NUM;
import static io.github.verbs4j.WcExFields.WITH_SL;
import static io.github.verbs4j.WcExFields.WITH_SLID;
import static io.github.verbs4j.WcExFields.WITH_SRC_QP;
import static io.github.verbs4j.WcExFields.WITH_TM_INFO;
import static io.github.verbs4j.WcExFields.WITH_TS;
import static io.github.verbs4j.WcExFields.WITH_WALLCLOCK;
import static io.github.verbs4j.WcExFields.WR_ID;

import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A reusable batch of completions of a {@link CompletionQueueEx}: what C reads by {@code
 * ibv_wc_read_…}. {@link CompletionQueueEx#poll(WcArrayEx)} fills it; the methods read its elements
 * by index, allocating nothing. For one thread at a time.
 *
 * <p>Of a failed request only {@link #wrId}, {@link #status}, {@link #qpNum} and {@link #vendorErr}
 * mean anything; the other methods throw for it. A method throws, too, for a field that the queue
 * was not created with.
 */
public final class WcArrayEx {

    private final int capacity;
    private final long[] values;
    private int count;
    private int fields;
    private boolean rxe;

    /**
     * A batch.
     *
     * @param capacity how many completions a poll takes at most, 1 to 1048576
     * @throws IllegalArgumentException when it is none of these
     */
    public WcArrayEx(int capacity) {
        Check.range("capacity", capacity, 1, WcArray.MAX_CAPACITY);
        this.capacity = capacity;
        this.values = new long[capacity * STRIDE];
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

    // ---- always there

    /**
     * What the request carried.
     *
     * @param index 0 to {@link #count} − 1
     * @return C's {@code wr_id}
     */
    public long wrId(int index) {
        return values[at(index) + WR_ID];
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
        return (int) values[at(index) + STATUS];
    }

    /**
     * The provider's own error code.
     *
     * @param index 0 to {@link #count} − 1
     * @return C's {@code vendor_err}, 0 after success
     */
    public int vendorErr(int index) {
        return isSuccess(index) ? 0 : (int) values[at(index) + VENDOR_ERR];
    }

    /**
     * The local queue pair; always there of a failed request, as it tells which one has failed.
     *
     * @param index 0 to {@link #count} − 1
     * @return its number
     * @throws IllegalStateException when the request succeeded, and the queue lacks QP_NUM
     */
    public int qpNum(int index) {
        if (isSuccess(index)) {
            return (int) value(index, QP_NUM, WITH_QP_NUM, WcExFlag.QP_NUM);
        }
        return (int) values[at(index) + QP_NUM];
    }

    /**
     * What the request was.
     *
     * @param index 0 to {@link #count} − 1
     * @return the opcode
     * @throws IllegalStateException when the request failed
     */
    public WcOpcode opcode(int index) {
        return WcOpcode.of((int) values[succeeded(index) + OPCODE]);
    }

    /**
     * What else the completion of a receive says.
     *
     * @param index 0 to {@link #count} − 1
     * @return bits of {@link WcFlags}; 0 of a send, for which they mean nothing
     * @throws IllegalStateException when the request failed
     */
    public int wcFlags(int index) {
        return (int) values[succeeded(index) + WC_FLAGS];
    }

    /**
     * The immediate data that the peer sent along. Always there, if the peer sent any.
     *
     * @param index 0 to {@link #count} − 1
     * @return 32 bits in host order
     * @throws IllegalStateException when the request failed or has none
     */
    public int immData(int index) {
        if ((wcFlags(index) & WcFlags.WITH_IMM) == 0) {
            throw new IllegalStateException("the completion carries no immediate data");
        }
        return NetworkOrder.toHost((int) values[at(index) + IMM_DATA]);
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
        return (int) values[at(index) + IMM_DATA];
    }

    // ---- there if the queue was created with them

    /**
     * Bytes received, or read by an RDMA read or atomic.
     *
     * @param index 0 to {@link #count} − 1
     * @return in bytes
     * @throws IllegalStateException when the request failed, or the queue lacks BYTE_LEN
     */
    public long byteLen(int index) {
        return value(index, BYTE_LEN, WITH_BYTE_LEN, WcExFlag.BYTE_LEN);
    }

    /**
     * The remote queue pair, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return its number
     * @throws IllegalStateException when the request failed, or the queue lacks SRC_QP
     */
    public int srcQp(int index) {
        return (int) value(index, SRC_QP, WITH_SRC_QP, WcExFlag.SRC_QP);
    }

    /**
     * The sender's LID, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return the LID; 32 bits, as those of some fabrics are longer than 16
     * @throws IllegalStateException when the request failed, or the queue lacks SLID
     */
    public int slid(int index) {
        return (int) value(index, SLID, WITH_SLID, WcExFlag.SLID);
    }

    /**
     * The service level, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return 0 to 15
     * @throws IllegalStateException when the request failed, or the queue lacks SL
     */
    public int sl(int index) {
        return (int) value(index, SL, WITH_SL, WcExFlag.SL);
    }

    /**
     * The local path, of a UD receive.
     *
     * @param index 0 to {@link #count} − 1
     * @return the low bits of the destination LID
     * @throws IllegalStateException when the request failed, or the queue lacks DLID_PATH_BITS
     */
    public int dlidPathBits(int index) {
        return (int) value(index, DLID_PATH_BITS, WITH_DLID_PATH_BITS, WcExFlag.DLID_PATH_BITS);
    }

    /**
     * When the request completed.
     *
     * @param index 0 to {@link #count} − 1
     * @return in ticks of the device's clock, whose rate the device's attributes tell
     * @throws IllegalStateException when the request failed, or the queue lacks
     *     COMPLETION_TIMESTAMP
     */
    public long completionTs(int index) {
        return value(index, COMPLETION_TS, WITH_TS, WcExFlag.COMPLETION_TIMESTAMP);
    }

    /**
     * When the request completed, by the wall clock.
     *
     * @param index 0 to {@link #count} − 1
     * @return in nanoseconds since 1970
     * @throws IllegalStateException when the request failed, or the queue lacks
     *     COMPLETION_TIMESTAMP_WALLCLOCK
     */
    public long completionWallclockNs(int index) {
        return value(index, WALLCLOCK, WITH_WALLCLOCK, WcExFlag.COMPLETION_TIMESTAMP_WALLCLOCK);
    }

    /**
     * The VLAN tag that the device stripped from a received frame.
     *
     * @param index 0 to {@link #count} − 1
     * @return 16 bits
     * @throws IllegalStateException when the request failed, or the queue lacks CVLAN
     */
    public int cvlan(int index) {
        return (int) value(index, CVLAN, WITH_CVLAN, WcExFlag.CVLAN);
    }

    /**
     * The tag of the flow rule that a received packet matched.
     *
     * @param index 0 to {@link #count} − 1
     * @return the tag
     * @throws IllegalStateException when the request failed, or the queue lacks FLOW_TAG
     */
    public int flowTag(int index) {
        return (int) value(index, FLOW_TAG, WITH_FLOW_TAG, WcExFlag.FLOW_TAG);
    }

    /**
     * The tag of a tag-matched message: C's {@code ibv_wc_tm_info.tag}.
     *
     * @param index 0 to {@link #count} − 1
     * @return the tag
     * @throws IllegalStateException when the request failed, or the queue lacks TM_INFO
     */
    public long tmTag(int index) {
        return value(index, TM_TAG, WITH_TM_INFO, WcExFlag.TM_INFO);
    }

    /**
     * What the sender of a tag-matched message added: C's {@code ibv_wc_tm_info.priv}.
     *
     * @param index 0 to {@link #count} − 1
     * @return 32 bits
     * @throws IllegalStateException when the request failed, or the queue lacks TM_INFO
     */
    public int tmPriv(int index) {
        return (int) value(index, TM_PRIV, WITH_TM_INFO, WcExFlag.TM_INFO);
    }

    /**
     * Throws if the request failed.
     *
     * @param index 0 to {@link #count} − 1
     * @throws WorkCompletionException naming the status and its usual causes
     */
    public void checkSuccess(int index) {
        if (!isSuccess(index)) {
            throw new WorkCompletionException(
                    status(index), rawStatus(index), wrId(index), qpNum(index), vendorErr(index));
        }
    }

    // ---- for the queue

    void clear(int newFields, boolean byRxe) {
        count = 0;
        fields = newFields;
        rxe = byRxe;
    }

    /** Copies the completion that is the native queue's current one. */
    void add(CompletionCalls cq, MemorySegment tmInfo) {
        WcExFields.read(cq, fields, rxe, tmInfo, values, count * STRIDE);
        count++;
    }

    /** Notes the windows that peers invalidated. */
    void noteInvalidated(MemoryWindows windows) {
        for (int i = 0; i < count; i++) {
            if (isSuccess(i) && isInvalidated(i)) {
                windows.noteInvalidated(invalidatedRkey(i));
            }
        }
    }

    private int at(int index) {
        return Objects.checkIndex(index, count) * STRIDE;
    }

    private int succeeded(int index) {
        int at = at(index);
        if (values[at + STATUS] != 0) {
            throw new IllegalStateException(
                    "the request failed ("
                            + status(index)
                            + "): only wrId, status, qpNum and vendorErr mean anything");
        }
        return at;
    }

    private long value(int index, int offset, int bit, WcExFlag field) {
        int at = succeeded(index);
        if ((fields & bit) == 0) {
            throw new IllegalStateException(
                    "the queue was created without the field " + field + "; see wcFlags");
        }
        return values[at + offset];
    }
}
