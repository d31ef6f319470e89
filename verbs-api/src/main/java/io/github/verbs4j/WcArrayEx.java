package io.github.verbs4j;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.CompletionReads;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
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

    private static final int WR_ID = 0;
    private static final int STATUS = 1;
    private static final int OPCODE = 2;
    private static final int VENDOR_ERR = 3;
    private static final int WC_FLAGS = 4;
    private static final int BYTE_LEN = 5;
    private static final int IMM_DATA = 6;
    private static final int QP_NUM = 7;
    private static final int SRC_QP = 8;
    private static final int SLID = 9;
    private static final int SL = 10;
    private static final int DLID_PATH_BITS = 11;
    private static final int COMPLETION_TS = 12;
    private static final int WALLCLOCK = 13;
    private static final int CVLAN = 14;
    private static final int FLOW_TAG = 15;
    private static final int TM_TAG = 16;
    private static final int TM_PRIV = 17;
    private static final int STRIDE = 18;

    private static final int WITH_BYTE_LEN = WcExFlag.BYTE_LEN.value();
    private static final int WITH_SRC_QP = WcExFlag.SRC_QP.value();
    private static final int WITH_SLID = WcExFlag.SLID.value();
    private static final int WITH_SL = WcExFlag.SL.value();
    private static final int WITH_DLID_PATH_BITS = WcExFlag.DLID_PATH_BITS.value();
    private static final int WITH_STANDARD = WcExFlag.bits(WcExFlag.standard());
    private static final int WITH_TS = WcExFlag.COMPLETION_TIMESTAMP.value();
    private static final int WITH_WALLCLOCK = WcExFlag.COMPLETION_TIMESTAMP_WALLCLOCK.value();
    private static final int WITH_CVLAN = WcExFlag.CVLAN.value();
    private static final int WITH_FLOW_TAG = WcExFlag.FLOW_TAG.value();
    private static final int WITH_TM_INFO = WcExFlag.TM_INFO.value();

    private final int capacity;
    private final long[] values;
    private int count;
    private int fields;
    private boolean rxe;

    /**
     * A batch.
     *
     * @param capacity how many completions a poll takes at most, 1 or more
     */
    public WcArrayEx(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity is " + capacity + ", must be 1 or more");
        }
        this.capacity = capacity;
        this.values = new long[Math.multiplyExact(capacity, STRIDE)];
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
     * The local queue pair. Always there, since it tells which one has failed.
     *
     * @param index 0 to {@link #count} − 1
     * @return its number
     */
    public int qpNum(int index) {
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
     * What else the completion says.
     *
     * @param index 0 to {@link #count} − 1
     * @return bits of {@link WcFlags}
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
    void add(MemorySegment cq, MemorySegment tmInfo) {
        int at = count * STRIDE;
        int status = Abi.cq_ex_status(cq);
        values[at + WR_ID] = Abi.cq_ex_wr_id(cq);
        values[at + STATUS] = status;
        values[at + QP_NUM] = CompletionReads.ibv_wc_read_qp_num(cq);
        if (status == 0) {
            readCommon(cq, at);
            if (fields != 0) {
                readRequested(cq, at);
            }
            if ((fields & ~WITH_STANDARD) != 0) {
                readRare(cq, at, tmInfo);
            }
        } else {
            values[at + VENDOR_ERR] = CompletionReads.ibv_wc_read_vendor_err(cq);
        }
        count++;
    }

    private void readCommon(MemorySegment cq, int at) {
        values[at + OPCODE] = CompletionReads.ibv_wc_read_opcode(cq);
        int flags = WcArray.wcFlags(CompletionReads.ibv_wc_read_wc_flags(cq), rxe);
        values[at + WC_FLAGS] = flags;
        if ((flags & (WcFlags.WITH_IMM | WcFlags.WITH_INV)) != 0) {
            values[at + IMM_DATA] = CompletionReads.ibv_wc_read_imm_data(cq);
        }
    }

    private void readRequested(MemorySegment cq, int at) {
        if ((fields & WITH_BYTE_LEN) != 0) {
            values[at + BYTE_LEN] = u32(CompletionReads.ibv_wc_read_byte_len(cq));
        }
        if ((fields & WITH_SRC_QP) != 0) {
            values[at + SRC_QP] = CompletionReads.ibv_wc_read_src_qp(cq);
        }
        if ((fields & WITH_SLID) != 0) {
            values[at + SLID] = CompletionReads.ibv_wc_read_slid(cq);
        }
        if ((fields & WITH_SL) != 0) {
            values[at + SL] = CompletionReads.ibv_wc_read_sl(cq) & 0xff;
        }
        if ((fields & WITH_DLID_PATH_BITS) != 0) {
            values[at + DLID_PATH_BITS] = CompletionReads.ibv_wc_read_dlid_path_bits(cq) & 0xff;
        }
    }

    private void readRare(MemorySegment cq, int at, MemorySegment tmInfo) {
        if ((fields & WITH_TS) != 0) {
            values[at + COMPLETION_TS] = CompletionReads.ibv_wc_read_completion_ts(cq);
        }
        if ((fields & WITH_WALLCLOCK) != 0) {
            values[at + WALLCLOCK] = CompletionReads.ibv_wc_read_completion_wallclock_ns(cq);
        }
        if ((fields & WITH_CVLAN) != 0) {
            values[at + CVLAN] = CompletionReads.ibv_wc_read_cvlan(cq) & 0xffff;
        }
        if ((fields & WITH_FLOW_TAG) != 0) {
            values[at + FLOW_TAG] = CompletionReads.ibv_wc_read_flow_tag(cq);
        }
        if ((fields & WITH_TM_INFO) != 0) {
            CompletionReads.ibv_wc_read_tm_info(cq, tmInfo);
            values[at + TM_TAG] = ibv_wc_tm_info.tag(tmInfo);
            values[at + TM_PRIV] = ibv_wc_tm_info.priv(tmInfo);
        }
    }

    /** Notes which windows peers have taken back by SEND_WITH_INV. */
    void noteInvalidated(MemoryWindows windows) {
        for (int i = 0; i < count; i++) {
            if (isSuccess(i) && isInvalidated(i)) {
                windows.noteInvalidated(invalidatedRkey(i));
            }
        }
    }

    private static long u32(int value) {
        return Integer.toUnsignedLong(value);
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
