package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;

/**
 * How a completion of an extended queue is laid out in {@link WcArrayEx}, and how it gets there.
 */
final class WcExFields {

    static final int WR_ID = 0;
    static final int STATUS = 1;
    static final int OPCODE = 2;
    static final int VENDOR_ERR = 3;
    static final int WC_FLAGS = 4;
    static final int BYTE_LEN = 5;
    static final int IMM_DATA = 6;
    static final int QP_NUM = 7;
    static final int SRC_QP = 8;
    static final int SLID = 9;
    static final int SL = 10;
    static final int DLID_PATH_BITS = 11;
    static final int COMPLETION_TS = 12;
    static final int WALLCLOCK = 13;
    static final int CVLAN = 14;
    static final int FLOW_TAG = 15;
    static final int TM_TAG = 16;
    static final int TM_PRIV = 17;
    static final int STRIDE = 18;

    static final int WITH_BYTE_LEN = WcExFlag.BYTE_LEN.value();
    static final int WITH_QP_NUM = WcExFlag.QP_NUM.value();
    static final int WITH_SRC_QP = WcExFlag.SRC_QP.value();
    static final int WITH_SLID = WcExFlag.SLID.value();
    static final int WITH_SL = WcExFlag.SL.value();
    static final int WITH_DLID_PATH_BITS = WcExFlag.DLID_PATH_BITS.value();
    static final int WITH_STANDARD = WcExFlag.bits(WcExFlag.standard());
    static final int WITH_TS = WcExFlag.COMPLETION_TIMESTAMP.value();
    static final int WITH_WALLCLOCK = WcExFlag.COMPLETION_TIMESTAMP_WALLCLOCK.value();
    static final int WITH_CVLAN = WcExFlag.CVLAN.value();
    static final int WITH_FLOW_TAG = WcExFlag.FLOW_TAG.value();
    static final int WITH_TM_INFO = WcExFlag.TM_INFO.value();

    /** The bit that the opcodes of receives have in common. */
    private static final int RECEIVED = WcOpcode.RECV.value();

    private WcExFields() {}

    /**
     * Copies the completion that is the native queue's current one. Of a failed one only what is
     * valid then is read.
     *
     * @param calls the native queue, between start and end
     * @param fields the bits of what is to be read beside what always is
     * @param rxe whether the provider's flags need translating
     * @param tmInfo memory to read tag matching information by
     * @param values receives the fields
     * @param at where in {@code values} they begin
     */
    static void read(
            CompletionCalls calls,
            int fields,
            boolean rxe,
            MemorySegment tmInfo,
            long[] values,
            int at) {
        int status = calls.status();
        values[at + WR_ID] = calls.wr_id();
        values[at + STATUS] = status;
        if (status == 0) {
            readCommon(calls, rxe, values, at);
            if (fields != 0) {
                readRequested(calls, fields, values, at);
            }
            if ((fields & ~WITH_STANDARD) != 0) {
                readRare(calls, fields, tmInfo, values, at);
            }
        } else {
            values[at + QP_NUM] = calls.ibv_wc_read_qp_num();
            values[at + VENDOR_ERR] = calls.ibv_wc_read_vendor_err();
        }
    }

    private static void readCommon(CompletionCalls calls, boolean rxe, long[] values, int at) {
        int opcode = calls.ibv_wc_read_opcode();
        values[at + OPCODE] = opcode;
        if ((opcode & RECEIVED) == 0) {
            values[at + WC_FLAGS] = 0;
            return;
        }
        int flags = WcArray.wcFlags(calls.ibv_wc_read_wc_flags(), rxe);
        values[at + WC_FLAGS] = flags;
        if ((flags & (WcFlags.WITH_IMM | WcFlags.WITH_INV)) != 0) {
            values[at + IMM_DATA] = calls.ibv_wc_read_imm_data();
        }
    }

    private static void readRequested(CompletionCalls calls, int fields, long[] values, int at) {
        if ((fields & WITH_BYTE_LEN) != 0) {
            values[at + BYTE_LEN] = u32(calls.ibv_wc_read_byte_len());
        }
        if ((fields & WITH_QP_NUM) != 0) {
            values[at + QP_NUM] = calls.ibv_wc_read_qp_num();
        }
        if ((fields & WITH_SRC_QP) != 0) {
            values[at + SRC_QP] = calls.ibv_wc_read_src_qp();
        }
        if ((fields & WITH_SLID) != 0) {
            values[at + SLID] = calls.ibv_wc_read_slid();
        }
        if ((fields & WITH_SL) != 0) {
            values[at + SL] = calls.ibv_wc_read_sl() & 0xff;
        }
        if ((fields & WITH_DLID_PATH_BITS) != 0) {
            values[at + DLID_PATH_BITS] = calls.ibv_wc_read_dlid_path_bits() & 0xff;
        }
    }

    private static void readRare(
            CompletionCalls calls, int fields, MemorySegment tmInfo, long[] values, int at) {
        if ((fields & WITH_TS) != 0) {
            values[at + COMPLETION_TS] = calls.ibv_wc_read_completion_ts();
        }
        if ((fields & WITH_WALLCLOCK) != 0) {
            values[at + WALLCLOCK] = calls.ibv_wc_read_completion_wallclock_ns();
        }
        if ((fields & WITH_CVLAN) != 0) {
            values[at + CVLAN] = calls.ibv_wc_read_cvlan() & 0xffff;
        }
        if ((fields & WITH_FLOW_TAG) != 0) {
            values[at + FLOW_TAG] = calls.ibv_wc_read_flow_tag();
        }
        if ((fields & WITH_TM_INFO) != 0) {
            calls.ibv_wc_read_tm_info(tmInfo.address());
            values[at + TM_TAG] = ibv_wc_tm_info.tag(tmInfo);
            values[at + TM_PRIV] = ibv_wc_tm_info.priv(tmInfo);
        }
    }

    private static long u32(int value) {
        return Integer.toUnsignedLong(value);
    }
}
