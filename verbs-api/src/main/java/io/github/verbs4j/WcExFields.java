package io.github.verbs4j;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.CompletionReads;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
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

    private WcExFields() {}

    /**
     * Copies the completion that is the native queue's current one. Of a failed one only what is
     * valid then is read.
     *
     * @param cq the native queue, between start and end
     * @param fields the bits of what is to be read beside what always is
     * @param rxe whether the provider's flags need translating
     * @param tmInfo memory to read tag matching information by
     * @param values receives the fields
     * @param at where in {@code values} they begin
     */
    static void read(
            MemorySegment cq,
            int fields,
            boolean rxe,
            MemorySegment tmInfo,
            long[] values,
            int at) {
        int status = Abi.cq_ex_status(cq);
        values[at + WR_ID] = Abi.cq_ex_wr_id(cq);
        values[at + STATUS] = status;
        values[at + QP_NUM] = CompletionReads.ibv_wc_read_qp_num(cq);
        if (status == 0) {
            readCommon(cq, rxe, values, at);
            if (fields != 0) {
                readRequested(cq, fields, values, at);
            }
            if ((fields & ~WITH_STANDARD) != 0) {
                readRare(cq, fields, tmInfo, values, at);
            }
        } else {
            values[at + VENDOR_ERR] = CompletionReads.ibv_wc_read_vendor_err(cq);
        }
    }

    private static void readCommon(MemorySegment cq, boolean rxe, long[] values, int at) {
        values[at + OPCODE] = CompletionReads.ibv_wc_read_opcode(cq);
        int flags = WcArray.wcFlags(CompletionReads.ibv_wc_read_wc_flags(cq), rxe);
        values[at + WC_FLAGS] = flags;
        if ((flags & (WcFlags.WITH_IMM | WcFlags.WITH_INV)) != 0) {
            values[at + IMM_DATA] = CompletionReads.ibv_wc_read_imm_data(cq);
        }
    }

    private static void readRequested(MemorySegment cq, int fields, long[] values, int at) {
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

    private static void readRare(
            MemorySegment cq, int fields, MemorySegment tmInfo, long[] values, int at) {
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

    private static long u32(int value) {
        return Integer.toUnsignedLong(value);
    }
}
