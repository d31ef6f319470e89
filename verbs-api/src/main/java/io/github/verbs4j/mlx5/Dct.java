package io.github.verbs4j.mlx5;

import io.github.verbs4j.Context;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RnrTimer;
import io.github.verbs4j.types.VerbsException;

/**
 * A DC target: the half of the dynamically connected transport that is sent to, by any number of
 * initiators that know its number and access key. Receives come from a shared receive queue; it
 * sends nothing. Safe for any thread.
 */
public final class Dct implements AutoCloseable {

    private final QueuePair qp;
    private final long accessKey;

    Dct(QueuePairEx qp, long accessKey) {
        this.qp = qp;
        this.accessKey = accessKey;
    }

    /**
     * The queue pair: what all queue pairs have, except that nothing can be posted. Once the target
     * is active, {@link QueuePair#localAddress} is what initiators need beside the key.
     *
     * @return the queue pair, of type DRIVER
     */
    public QueuePair qp() {
        return qp;
    }

    /**
     * What requests must present.
     *
     * @return the key
     */
    public long accessKey() {
        return accessKey;
    }

    /**
     * The number that initiators name it by, which the device chooses when it becomes active.
     *
     * @return 24 bits
     * @throws IllegalStateException when it is not active
     */
    public int dctNum() {
        if (qp.state() != QpState.RTR) {
            throw new IllegalStateException("the target is in " + qp.state() + ": activate it");
        }
        return qp.qpNum();
    }

    /**
     * Makes it ready to be sent to: RESET to INIT, to RTR, which is as far as a target goes. The
     * path MTU is the port's. For other values use {@link QueuePair#modify} on {@link #qp}: INIT
     * takes {@code pkey_index}, {@code port_num} and {@code qp_access_flags}; RTR {@code path_mtu},
     * {@code ah_attr} and {@code min_rnr_timer}.
     *
     * @param local the GID that initiators are to reach, from {@link Context#gidTable()}
     * @param access what initiators may do by RDMA: REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC
     * @throws VerbsException EINVAL: it is not in RESET, or a value the device refuses
     * @verbs.calls ibv_query_port, ibv_modify_qp
     */
    public void activate(GidEntry local, AccessFlag... access) {
        PortAttr port = qp.context().queryPort(local.port());
        // Its own number it does not know yet, but only the way to this port counts.
        QpAddress here =
                new QpAddress(port.lid(), 0, 0, local.gid(), local.type(), port.activeMtu());
        qp.modify(QpAttr.init(local.port()).qpAccessFlags(access));
        qp.modify(
                QpAttr.of(QpState.RTR)
                        .pathMtu(here.activeMtu())
                        .ahAttr(AhAttr.to(local, here))
                        .minRnrTimer(RnrTimer.MS_0_64));
    }

    /**
     * Tells whether it has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return qp.isOpen();
    }

    /**
     * Closes the queue pair.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_qp
     */
    @Override
    public void close() {
        qp.close();
    }

    @Override
    public String toString() {
        return "Dct[" + qp + "]";
    }
}
