package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.function;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The fields of the completion that {@link PollVerbs#ibv_start_poll} or {@code ibv_next_poll} has
 * made current; its status and wr_id are in {@link Abi}. Data path.
 *
 * <p>A field that was not asked for in {@code wc_flags} has no function in the provider: reading it
 * is an UnsupportedOperationException here, and a crash in C.
 */
public final class CompletionReads {

    /**
     * Calls through {@code ibv_cq_ex.read_opcode}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_opcode}.
     */
    public static final MethodHandle WC_READ_OPCODE = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_OPCODE_OFFSET =
            ibv_cq_ex.read_opcode$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_vendor_err}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_vendor_err}.
     */
    public static final MethodHandle WC_READ_VENDOR_ERR = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_VENDOR_ERR_OFFSET =
            ibv_cq_ex.read_vendor_err$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_byte_len}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_byte_len}.
     */
    public static final MethodHandle WC_READ_BYTE_LEN = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_BYTE_LEN_OFFSET =
            ibv_cq_ex.read_byte_len$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_imm_data}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_imm_data}.
     */
    public static final MethodHandle WC_READ_IMM_DATA = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_IMM_DATA_OFFSET =
            ibv_cq_ex.read_imm_data$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_qp_num}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_qp_num}.
     */
    public static final MethodHandle WC_READ_QP_NUM = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_QP_NUM_OFFSET =
            ibv_cq_ex.read_qp_num$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_src_qp}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_src_qp}.
     */
    public static final MethodHandle WC_READ_SRC_QP = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_SRC_QP_OFFSET =
            ibv_cq_ex.read_src_qp$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_wc_flags}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_wc_flags}.
     */
    public static final MethodHandle WC_READ_WC_FLAGS = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_WC_FLAGS_OFFSET =
            ibv_cq_ex.read_wc_flags$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_slid}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_slid}.
     */
    public static final MethodHandle WC_READ_SLID = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_SLID_OFFSET = ibv_cq_ex.read_slid$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_sl}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_sl}.
     */
    public static final MethodHandle WC_READ_SL = hot(descriptor(C_CHAR, C_POINTER));

    private static final long WC_READ_SL_OFFSET = ibv_cq_ex.read_sl$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_dlid_path_bits}: the address of the function first, then
     * the arguments of {@code ibv_wc_read_dlid_path_bits}.
     */
    public static final MethodHandle WC_READ_DLID_PATH_BITS = hot(descriptor(C_CHAR, C_POINTER));

    private static final long WC_READ_DLID_PATH_BITS_OFFSET =
            ibv_cq_ex.read_dlid_path_bits$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_completion_ts}: the address of the function first, then
     * the arguments of {@code ibv_wc_read_completion_ts}.
     */
    public static final MethodHandle WC_READ_COMPLETION_TS = hot(descriptor(C_LONG, C_POINTER));

    private static final long WC_READ_COMPLETION_TS_OFFSET =
            ibv_cq_ex.read_completion_ts$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_completion_wallclock_ns}: the address of the function
     * first, then the arguments of {@code ibv_wc_read_completion_wallclock_ns}.
     */
    public static final MethodHandle WC_READ_COMPLETION_WALLCLOCK_NS =
            hot(descriptor(C_LONG, C_POINTER));

    private static final long WC_READ_COMPLETION_WALLCLOCK_NS_OFFSET =
            ibv_cq_ex.read_completion_wallclock_ns$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_cvlan}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_cvlan}.
     */
    public static final MethodHandle WC_READ_CVLAN = hot(descriptor(C_SHORT, C_POINTER));

    private static final long WC_READ_CVLAN_OFFSET =
            ibv_cq_ex.read_cvlan$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_flow_tag}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_flow_tag}.
     */
    public static final MethodHandle WC_READ_FLOW_TAG = hot(descriptor(C_INT, C_POINTER));

    private static final long WC_READ_FLOW_TAG_OFFSET =
            ibv_cq_ex.read_flow_tag$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.read_tm_info}: the address of the function first, then the
     * arguments of {@code ibv_wc_read_tm_info}.
     */
    public static final MethodHandle WC_READ_TM_INFO = hot(descriptor(null, C_POINTER, C_POINTER));

    private static final long WC_READ_TM_INFO_OFFSET =
            ibv_cq_ex.read_tm_info$offset() + Abi.MUTEX_GROWTH;

    private CompletionReads() {}

    /** Calls {@code ibv_cq_ex.read_opcode}. */
    public static int ibv_wc_read_opcode(MemorySegment cq) {
        long function = function(cq, WC_READ_OPCODE_OFFSET, "ibv_wc_read_opcode");
        try {
            return (int) WC_READ_OPCODE.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_vendor_err}. */
    public static int ibv_wc_read_vendor_err(MemorySegment cq) {
        long function = function(cq, WC_READ_VENDOR_ERR_OFFSET, "ibv_wc_read_vendor_err");
        try {
            return (int) WC_READ_VENDOR_ERR.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_byte_len}. */
    public static int ibv_wc_read_byte_len(MemorySegment cq) {
        long function = function(cq, WC_READ_BYTE_LEN_OFFSET, "ibv_wc_read_byte_len");
        try {
            return (int) WC_READ_BYTE_LEN.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_imm_data}. Returns it in network byte order. */
    public static int ibv_wc_read_imm_data(MemorySegment cq) {
        long function = function(cq, WC_READ_IMM_DATA_OFFSET, "ibv_wc_read_imm_data");
        try {
            return (int) WC_READ_IMM_DATA.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_imm_data}, which holds the key of an invalidation. */
    public static int ibv_wc_read_invalidated_rkey(MemorySegment cq) {
        return ibv_wc_read_imm_data(cq);
    }

    /** Calls {@code ibv_cq_ex.read_qp_num}. */
    public static int ibv_wc_read_qp_num(MemorySegment cq) {
        long function = function(cq, WC_READ_QP_NUM_OFFSET, "ibv_wc_read_qp_num");
        try {
            return (int) WC_READ_QP_NUM.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_src_qp}. */
    public static int ibv_wc_read_src_qp(MemorySegment cq) {
        long function = function(cq, WC_READ_SRC_QP_OFFSET, "ibv_wc_read_src_qp");
        try {
            return (int) WC_READ_SRC_QP.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_wc_flags}. */
    public static int ibv_wc_read_wc_flags(MemorySegment cq) {
        long function = function(cq, WC_READ_WC_FLAGS_OFFSET, "ibv_wc_read_wc_flags");
        try {
            return (int) WC_READ_WC_FLAGS.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_slid}. */
    public static int ibv_wc_read_slid(MemorySegment cq) {
        long function = function(cq, WC_READ_SLID_OFFSET, "ibv_wc_read_slid");
        try {
            return (int) WC_READ_SLID.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_sl}. */
    public static byte ibv_wc_read_sl(MemorySegment cq) {
        long function = function(cq, WC_READ_SL_OFFSET, "ibv_wc_read_sl");
        try {
            return (byte) WC_READ_SL.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_dlid_path_bits}. */
    public static byte ibv_wc_read_dlid_path_bits(MemorySegment cq) {
        long function = function(cq, WC_READ_DLID_PATH_BITS_OFFSET, "ibv_wc_read_dlid_path_bits");
        try {
            return (byte) WC_READ_DLID_PATH_BITS.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_completion_ts}. */
    public static long ibv_wc_read_completion_ts(MemorySegment cq) {
        long function = function(cq, WC_READ_COMPLETION_TS_OFFSET, "ibv_wc_read_completion_ts");
        try {
            return (long) WC_READ_COMPLETION_TS.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_completion_wallclock_ns}. */
    public static long ibv_wc_read_completion_wallclock_ns(MemorySegment cq) {
        long function =
                function(
                        cq,
                        WC_READ_COMPLETION_WALLCLOCK_NS_OFFSET,
                        "ibv_wc_read_completion_wallclock_ns");
        try {
            return (long) WC_READ_COMPLETION_WALLCLOCK_NS.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_cvlan}. */
    public static short ibv_wc_read_cvlan(MemorySegment cq) {
        long function = function(cq, WC_READ_CVLAN_OFFSET, "ibv_wc_read_cvlan");
        try {
            return (short) WC_READ_CVLAN.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_flow_tag}. */
    public static int ibv_wc_read_flow_tag(MemorySegment cq) {
        long function = function(cq, WC_READ_FLOW_TAG_OFFSET, "ibv_wc_read_flow_tag");
        try {
            return (int) WC_READ_FLOW_TAG.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.read_tm_info}. */
    public static void ibv_wc_read_tm_info(MemorySegment cq, MemorySegment tm_info) {
        long function = function(cq, WC_READ_TM_INFO_OFFSET, "ibv_wc_read_tm_info");
        try {
            WC_READ_TM_INFO.invokeExact(function, cq, tm_info);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
