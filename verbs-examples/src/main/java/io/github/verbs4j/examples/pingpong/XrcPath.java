package io.github.verbs4j.examples.pingpong;

import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;

import io.github.verbs4j.examples.wire.XrcAddress;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;

/**
 * What connects the two queue pairs of an XRC connection. Each lacks what belongs to the other's
 * direction: the one that receives retries nothing, the one that sends answers nothing.
 *
 * @param gid the port and the GID of this side
 * @param mtu path MTU
 * @param sl service level
 */
record XrcPath(GidEntry gid, Mtu mtu, int sl) {

    QpAttr receiverInit() {
        return QpAttr.init(gid.port()).qpAccessFlags(REMOTE_WRITE, REMOTE_READ);
    }

    QpAttr senderInit() {
        return QpAttr.init(gid.port());
    }

    QpAttr receiverRtr(XrcAddress there) {
        return rtr(there.sender());
    }

    QpAttr senderRtr(XrcAddress there) {
        return rtr(there.receiver())
                .without(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);
    }

    QpAttr receiverRts(int psn) {
        return QpAttr.rts(psn)
                .without(QpAttrMask.RETRY_CNT, QpAttrMask.RNR_RETRY, QpAttrMask.MAX_QP_RD_ATOMIC);
    }

    QpAttr senderRts(int psn) {
        return QpAttr.rts(psn);
    }

    private QpAttr rtr(QpAddress there) {
        QpAttr rtr = QpAttr.rtr(gid, there).pathMtu(mtu);
        return rtr.ahAttr(rtr.ahAttr().sl(sl));
    }
}
