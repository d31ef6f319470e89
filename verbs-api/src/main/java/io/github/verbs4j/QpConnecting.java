package io.github.verbs4j;

import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;

/** Takes queue pairs from RESET to RTS with values that suit most programs. */
final class QpConnecting {

    /** Outstanding READs and atomics each way, when the device allows as many. */
    private static final int RD_ATOMIC = 16;

    private QpConnecting() {}

    static void connect(
            QueuePair qp, GidEntry local, QpAddress remote, int psn, AccessFlag... access) {
        if (qp.qpType() == QpType.UD || qp.qpType() == QpType.DRIVER) {
            throw new IllegalStateException(qp.qpType() + " is not connected, but activated");
        }
        if (local.type() != remote.gidType()) {
            throw new IllegalArgumentException(
                    "this side's GID is of type "
                            + local.type()
                            + ", the peer's of "
                            + remote.gidType());
        }
        if (qp.state() == QpState.RESET) {
            qp.modify(QpAttr.init(local.port()).qpAccessFlags(access));
        }
        DeviceAttr limits = qp.context().attributes();
        Mtu mtu = Mtu.min(qp.context().queryPort(local.port()).activeMtu(), remote.activeMtu());
        QpAttr rtr = QpAttr.rtr(local, remote).pathMtu(mtu);
        QpAttr rts = QpAttr.rts(psn);
        if (qp.qpType() == QpType.RC) {
            rtr.maxDestRdAtomic(Math.min(RD_ATOMIC, limits.maxQpRdAtom()));
            rts.maxRdAtomic(Math.min(RD_ATOMIC, limits.maxQpInitRdAtom()));
        } else {
            rtr.without(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);
            rts.without(
                    QpAttrMask.TIMEOUT,
                    QpAttrMask.RETRY_CNT,
                    QpAttrMask.RNR_RETRY,
                    QpAttrMask.MAX_QP_RD_ATOMIC);
        }
        qp.modify(rtr);
        qp.modify(rts);
    }

    static void activateUd(QueuePair qp, int port, int qkey, int psn) {
        if (qp.qpType() != QpType.UD) {
            throw new IllegalStateException(qp.qpType() + " needs a peer: use connect");
        }
        if (qp.state() == QpState.RESET) {
            qp.modify(QpAttr.initUd(port, qkey));
        }
        qp.modify(QpAttr.of(QpState.RTR));
        qp.modify(QpAttr.of(QpState.RTS).sqPsn(psn));
    }
}
