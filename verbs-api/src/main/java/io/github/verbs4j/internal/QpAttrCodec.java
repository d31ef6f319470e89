package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.Unsigned.u16;
import static io.github.verbs4j.internal.Unsigned.u8;

import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_cap;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.MigState;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RnrTimer;
import java.lang.foreign.MemorySegment;

/** {@code struct ibv_qp_attr} from and to {@link QpAttr}. */
public final class QpAttrCodec {

    private QpAttrCodec() {}

    /**
     * Fills the structure with what the value has set.
     *
     * @param attr the value
     * @param s the structure, zeroed
     */
    public static void write(QpAttr attr, MemorySegment s) {
        if (attr.isSet(QpAttrMask.STATE)) {
            ibv_qp_attr.qp_state(s, attr.qpState().value());
        }
        if (attr.isSet(QpAttrMask.CUR_STATE)) {
            ibv_qp_attr.cur_qp_state(s, attr.curQpState().value());
        }
        if (attr.isSet(QpAttrMask.PATH_MTU)) {
            ibv_qp_attr.path_mtu(s, attr.pathMtu().value());
        }
        if (attr.isSet(QpAttrMask.PATH_MIG_STATE)) {
            ibv_qp_attr.path_mig_state(s, attr.pathMigState().value());
        }
        ibv_qp_attr.qkey(s, attr.qkey());
        ibv_qp_attr.rq_psn(s, attr.rqPsn());
        ibv_qp_attr.sq_psn(s, attr.sqPsn());
        ibv_qp_attr.dest_qp_num(s, attr.destQpNum());
        if (attr.isSet(QpAttrMask.ACCESS_FLAGS)) {
            ibv_qp_attr.qp_access_flags(s, AccessFlag.bits(attr.qpAccessFlags()));
        }
        if (attr.isSet(QpAttrMask.CAP)) {
            writeCap(attr.cap(), ibv_qp_attr.cap(s));
        }
        if (attr.isSet(QpAttrMask.AV)) {
            AhAttrCodec.write(attr.ahAttr(), ibv_qp_attr.ah_attr(s));
        }
        if (attr.isSet(QpAttrMask.ALT_PATH)) {
            AhAttrCodec.write(attr.altAhAttr(), ibv_qp_attr.alt_ah_attr(s));
            ibv_qp_attr.alt_timeout(s, (byte) attr.altTimeout().value());
        }
        ibv_qp_attr.pkey_index(s, (short) attr.pkeyIndex());
        ibv_qp_attr.alt_pkey_index(s, (short) attr.altPkeyIndex());
        ibv_qp_attr.en_sqd_async_notify(s, (byte) (attr.enSqdAsyncNotify() ? 1 : 0));
        ibv_qp_attr.max_rd_atomic(s, (byte) attr.maxRdAtomic());
        ibv_qp_attr.max_dest_rd_atomic(s, (byte) attr.maxDestRdAtomic());
        if (attr.isSet(QpAttrMask.MIN_RNR_TIMER)) {
            ibv_qp_attr.min_rnr_timer(s, (byte) attr.minRnrTimer().value());
        }
        ibv_qp_attr.port_num(s, (byte) attr.portNum());
        if (attr.isSet(QpAttrMask.TIMEOUT)) {
            ibv_qp_attr.timeout(s, (byte) attr.timeout().value());
        }
        ibv_qp_attr.retry_cnt(s, (byte) attr.retryCnt());
        ibv_qp_attr.rnr_retry(s, (byte) attr.rnrRetry());
        ibv_qp_attr.alt_port_num(s, (byte) attr.altPortNum());
        ibv_qp_attr.rate_limit(s, attr.rateLimit());
    }

    /**
     * Reads the structure. Fields whose content is no legal value are left unset: providers do not
     * fill all of them in every state.
     *
     * @param s the structure
     * @return its value
     */
    public static QpAttr read(MemorySegment s) {
        QpAttr attr = new QpAttr();
        attr.qpState(QpState.of(ibv_qp_attr.qp_state(s)));
        attr.curQpState(QpState.of(ibv_qp_attr.cur_qp_state(s)));
        Mtu mtu = Mtu.of(ibv_qp_attr.path_mtu(s));
        if (mtu != Mtu.UNRECOGNIZED) {
            attr.pathMtu(mtu);
        }
        attr.pathMigState(MigState.of(ibv_qp_attr.path_mig_state(s)));
        attr.qkey(ibv_qp_attr.qkey(s));
        attr.rqPsn(ibv_qp_attr.rq_psn(s) & 0xffffff);
        attr.sqPsn(ibv_qp_attr.sq_psn(s) & 0xffffff);
        attr.destQpNum(ibv_qp_attr.dest_qp_num(s) & 0xffffff);
        attr.qpAccessFlags(AccessFlag.of(ibv_qp_attr.qp_access_flags(s)));
        attr.cap(readCap(ibv_qp_attr.cap(s)));
        attr.ahAttr(AhAttrCodec.read(ibv_qp_attr.ah_attr(s)));
        attr.pkeyIndex(u16(ibv_qp_attr.pkey_index(s)));
        attr.enSqdAsyncNotify(ibv_qp_attr.en_sqd_async_notify(s) != 0);
        attr.sqDraining(ibv_qp_attr.sq_draining(s) != 0);
        attr.maxRdAtomic(u8(ibv_qp_attr.max_rd_atomic(s)));
        attr.maxDestRdAtomic(u8(ibv_qp_attr.max_dest_rd_atomic(s)));
        attr.minRnrTimer(RnrTimer.of(u8(ibv_qp_attr.min_rnr_timer(s)) & 31));
        attr.portNum(u8(ibv_qp_attr.port_num(s)));
        attr.timeout(AckTimeout.of(u8(ibv_qp_attr.timeout(s)) & 31));
        attr.retryCnt(u8(ibv_qp_attr.retry_cnt(s)) & 7);
        attr.rnrRetry(u8(ibv_qp_attr.rnr_retry(s)) & 7);
        return attr;
    }

    /**
     * Fills a {@code struct ibv_qp_cap}.
     *
     * @param cap the value
     * @param s the structure
     */
    public static void writeCap(QpCap cap, MemorySegment s) {
        ibv_qp_cap.max_send_wr(s, cap.maxSendWr());
        ibv_qp_cap.max_recv_wr(s, cap.maxRecvWr());
        ibv_qp_cap.max_send_sge(s, cap.maxSendSge());
        ibv_qp_cap.max_recv_sge(s, cap.maxRecvSge());
        ibv_qp_cap.max_inline_data(s, cap.maxInlineData());
    }

    /**
     * Reads a {@code struct ibv_qp_cap}.
     *
     * @param s the structure
     * @return its value
     */
    public static QpCap readCap(MemorySegment s) {
        return new QpCap(
                ibv_qp_cap.max_send_wr(s),
                ibv_qp_cap.max_recv_wr(s),
                ibv_qp_cap.max_send_sge(s),
                ibv_qp_cap.max_recv_sge(s),
                ibv_qp_cap.max_inline_data(s));
    }
}
