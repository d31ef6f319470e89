package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpType;

/** The port and the GID by which this side is reached, and reaches the peer. */
final class LocalPath {

    private final PingpongOptions options;
    private final GidEntry gid;
    private final boolean useGid;

    LocalPath(Context context, PingpongOptions options) {
        this.options = options;
        gid = options.device.gid(context, options.gidIndex);
        // InfiniBand needs no GID within a subnet, Ethernet always does.
        PortAttr port = context.queryPort(gid.port());
        useGid = options.gidIndex != null || port.linkLayer() == LinkLayer.ETHERNET;
    }

    GidEntry gid() {
        return gid;
    }

    PingpongAddress addressOf(QueuePair qp) {
        QpAddress address = qp.localAddress(gid);
        return new PingpongAddress(
                address.lid(), address.qpNum(), address.psn(), useGid ? gid.gid() : Gid.of(0, 0));
    }

    /** Connects a queue pair in INIT to the peer's. */
    void connect(QueuePair qp, PingpongAddress there, Mtu pathMtu) {
        QpAttr rtr = QpAttr.rtr(gid, there.toQpAddress()).pathMtu(pathMtu);
        rtr.ahAttr(rtr.ahAttr().sl(options.sl));
        QpAttr rts = QpAttr.rts(qp.localAddress(gid).psn());
        if (qp.qpType() == QpType.UC) {
            // Nothing is acknowledged, so there is nothing to wait for and to repeat.
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
}
