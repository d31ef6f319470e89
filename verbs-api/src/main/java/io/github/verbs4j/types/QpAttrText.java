package io.github.verbs4j.types;

import java.util.stream.Collectors;

/** Prints what is set in a {@link QpAttr}, by C names. */
final class QpAttrText {
    private QpAttrText() {}

    static String of(QpAttr attr) {
        return QpAttrMask.of(attr.mask()).stream()
                .map(attribute -> of(attr, attribute))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String of(QpAttr attr, QpAttrMask attribute) {
        return switch (attribute) {
            case STATE -> "qp_state=" + attr.qpState();
            case CUR_STATE -> "cur_qp_state=" + attr.curQpState();
            case EN_SQD_ASYNC_NOTIFY -> "en_sqd_async_notify=" + attr.enSqdAsyncNotify();
            case ACCESS_FLAGS -> "qp_access_flags=" + attr.qpAccessFlags();
            case PKEY_INDEX -> "pkey_index=" + attr.pkeyIndex();
            case PORT -> "port_num=" + attr.portNum();
            case QKEY -> "qkey=0x" + Text.hex(attr.qkey());
            case AV -> "ah_attr=" + attr.ahAttr();
            case PATH_MTU -> "path_mtu=" + attr.pathMtu().bytes();
            case TIMEOUT -> "timeout=" + attr.timeout().value();
            case RETRY_CNT -> "retry_cnt=" + attr.retryCnt();
            case RNR_RETRY -> "rnr_retry=" + attr.rnrRetry();
            case RQ_PSN -> "rq_psn=" + attr.rqPsn();
            case MAX_QP_RD_ATOMIC -> "max_rd_atomic=" + attr.maxRdAtomic();
            case ALT_PATH ->
                    "alt_ah_attr=%s, alt_pkey_index=%d, alt_port_num=%d, alt_timeout=%s"
                            .formatted(
                                    attr.altAhAttr(),
                                    attr.altPkeyIndex(),
                                    attr.altPortNum(),
                                    attr.altTimeout());
            case MIN_RNR_TIMER -> "min_rnr_timer=" + attr.minRnrTimer().value();
            case SQ_PSN -> "sq_psn=" + attr.sqPsn();
            case MAX_DEST_RD_ATOMIC -> "max_dest_rd_atomic=" + attr.maxDestRdAtomic();
            case PATH_MIG_STATE -> "path_mig_state=" + attr.pathMigState();
            case CAP -> "cap=" + attr.cap();
            case DEST_QPN -> "dest_qp_num=0x" + "%06x".formatted(attr.destQpNum());
            case RATE_LIMIT -> "rate_limit=" + Integer.toUnsignedString(attr.rateLimit());
        };
    }
}
