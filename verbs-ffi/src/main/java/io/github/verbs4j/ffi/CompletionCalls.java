package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.require;
import static io.github.verbs4j.ffi.Native.critical;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of one ibv_cq_ex, as {@link WorkRequestCalls} has those of a queue pair: {@link
 * PollVerbs} and {@link CompletionReads} for a caller that makes several calls for each completion.
 * All of them leave out the thread's change of state: only one thread at a time may be between
 * {@link #ibv_start_poll} and {@link #ibv_end_poll} or poll the queue in another way.
 */
public final class CompletionCalls {

    private static final MethodHandle CALL = critical(descriptor(null, C_LONG));
    private static final MethodHandle CALL_INT_L = critical(descriptor(C_INT, C_LONG, C_LONG));

    private static final MethodHandle READ_INT = critical(descriptor(C_INT, C_LONG));
    private static final MethodHandle READ_LONG = critical(descriptor(C_LONG, C_LONG));
    private static final MethodHandle READ_SHORT = critical(descriptor(C_SHORT, C_LONG));
    private static final MethodHandle READ_BYTE = critical(descriptor(C_CHAR, C_LONG));
    private static final MethodHandle READ_TO = critical(descriptor(null, C_LONG, C_LONG));

    private static final long WR_ID = ibv_cq_ex.wr_id$offset() + Abi.MUTEX_GROWTH;
    private static final long STATUS = ibv_cq_ex.status$offset() + Abi.MUTEX_GROWTH;

    private final long cq;
    private final long wrId;
    private final long status;
    private final long startPoll;
    private final long nextPoll;
    private final long endPoll;
    private final long readOpcode;
    private final long readVendorErr;
    private final long readByteLen;
    private final long readImmData;
    private final long readQpNum;
    private final long readSrcQp;
    private final long readWcFlags;
    private final long readSlid;
    private final long readSl;
    private final long readDlidPathBits;
    private final long readCompletionTs;
    private final long readCompletionWallclockNs;
    private final long readCvlan;
    private final long readFlowTag;
    private final long readTmInfo;

    /** Reads the functions of a completion queue. */
    public CompletionCalls(MemorySegment cq) {
        this.cq = cq.address();
        wrId = this.cq + WR_ID;
        status = this.cq + STATUS;
        startPoll = function(cq, ibv_cq_ex.start_poll$offset());
        nextPoll = function(cq, ibv_cq_ex.next_poll$offset());
        endPoll = function(cq, ibv_cq_ex.end_poll$offset());
        readOpcode = function(cq, ibv_cq_ex.read_opcode$offset());
        readVendorErr = function(cq, ibv_cq_ex.read_vendor_err$offset());
        readByteLen = function(cq, ibv_cq_ex.read_byte_len$offset());
        readImmData = function(cq, ibv_cq_ex.read_imm_data$offset());
        readQpNum = function(cq, ibv_cq_ex.read_qp_num$offset());
        readSrcQp = function(cq, ibv_cq_ex.read_src_qp$offset());
        readWcFlags = function(cq, ibv_cq_ex.read_wc_flags$offset());
        readSlid = function(cq, ibv_cq_ex.read_slid$offset());
        readSl = function(cq, ibv_cq_ex.read_sl$offset());
        readDlidPathBits = function(cq, ibv_cq_ex.read_dlid_path_bits$offset());
        readCompletionTs = function(cq, ibv_cq_ex.read_completion_ts$offset());
        readCompletionWallclockNs = function(cq, ibv_cq_ex.read_completion_wallclock_ns$offset());
        readCvlan = function(cq, ibv_cq_ex.read_cvlan$offset());
        readFlowTag = function(cq, ibv_cq_ex.read_flow_tag$offset());
        readTmInfo = function(cq, ibv_cq_ex.read_tm_info$offset());
    }

    private static long function(MemorySegment cq, long offset) {
        return Native.MEMORY.get(C_LONG, cq.address() + Abi.MUTEX_GROWTH + offset);
    }

    /** Returns {@code cq->wr_id}. */
    public long wr_id() {
        return Native.MEMORY.get(C_LONG, wrId);
    }

    /** Returns {@code cq->status}: an {@code enum ibv_wc_status}. */
    public int status() {
        return Native.MEMORY.get(C_INT, status);
    }

    /**
     * Calls {@code ibv_cq_ex.start_poll}. Returns 0, ENOENT when the queue is empty, or another
     * errno value.
     */
    public int ibv_start_poll(long attr) {
        require(startPoll, "ibv_start_poll");
        try {
            return (int) CALL_INT_L.invokeExact(startPoll, cq, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_cq_ex.next_poll}. Returns 0, ENOENT when there is no more, or another errno
     * value.
     */
    public int ibv_next_poll() {
        require(nextPoll, "ibv_next_poll");
        try {
            return (int) READ_INT.invokeExact(nextPoll, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.end_poll}. */
    public void ibv_end_poll() {
        require(endPoll, "ibv_end_poll");
        try {
            CALL.invokeExact(endPoll, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_opcode}. */
    public int ibv_wc_read_opcode() {
        require(readOpcode, "ibv_wc_read_opcode");
        try {
            return (int) READ_INT.invokeExact(readOpcode, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_vendor_err}. */
    public int ibv_wc_read_vendor_err() {
        require(readVendorErr, "ibv_wc_read_vendor_err");
        try {
            return (int) READ_INT.invokeExact(readVendorErr, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_byte_len}. */
    public int ibv_wc_read_byte_len() {
        require(readByteLen, "ibv_wc_read_byte_len");
        try {
            return (int) READ_INT.invokeExact(readByteLen, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_imm_data}. */
    public int ibv_wc_read_imm_data() {
        require(readImmData, "ibv_wc_read_imm_data");
        try {
            return (int) READ_INT.invokeExact(readImmData, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_qp_num}. */
    public int ibv_wc_read_qp_num() {
        require(readQpNum, "ibv_wc_read_qp_num");
        try {
            return (int) READ_INT.invokeExact(readQpNum, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_src_qp}. */
    public int ibv_wc_read_src_qp() {
        require(readSrcQp, "ibv_wc_read_src_qp");
        try {
            return (int) READ_INT.invokeExact(readSrcQp, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_wc_flags}. */
    public int ibv_wc_read_wc_flags() {
        require(readWcFlags, "ibv_wc_read_wc_flags");
        try {
            return (int) READ_INT.invokeExact(readWcFlags, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_slid}. */
    public int ibv_wc_read_slid() {
        require(readSlid, "ibv_wc_read_slid");
        try {
            return (int) READ_INT.invokeExact(readSlid, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_sl}. */
    public byte ibv_wc_read_sl() {
        require(readSl, "ibv_wc_read_sl");
        try {
            return (byte) READ_BYTE.invokeExact(readSl, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_dlid_path_bits}. */
    public byte ibv_wc_read_dlid_path_bits() {
        require(readDlidPathBits, "ibv_wc_read_dlid_path_bits");
        try {
            return (byte) READ_BYTE.invokeExact(readDlidPathBits, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_completion_ts}. */
    public long ibv_wc_read_completion_ts() {
        require(readCompletionTs, "ibv_wc_read_completion_ts");
        try {
            return (long) READ_LONG.invokeExact(readCompletionTs, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_completion_wallclock_ns}. */
    public long ibv_wc_read_completion_wallclock_ns() {
        require(readCompletionWallclockNs, "ibv_wc_read_completion_wallclock_ns");
        try {
            return (long) READ_LONG.invokeExact(readCompletionWallclockNs, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_cvlan}. */
    public short ibv_wc_read_cvlan() {
        require(readCvlan, "ibv_wc_read_cvlan");
        try {
            return (short) READ_SHORT.invokeExact(readCvlan, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_flow_tag}. */
    public int ibv_wc_read_flow_tag() {
        require(readFlowTag, "ibv_wc_read_flow_tag");
        try {
            return (int) READ_INT.invokeExact(readFlowTag, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_tm_info}. */
    public void ibv_wc_read_tm_info(long tm_info) {
        require(readTmInfo, "ibv_wc_read_tm_info");
        try {
            READ_TO.invokeExact(readTmInfo, cq, tm_info);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
