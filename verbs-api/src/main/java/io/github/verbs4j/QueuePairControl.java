package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.DataInOrder;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Connecting a queue pair, and rarer control calls: a part of {@link QueuePair}. */
abstract sealed class QueuePairControl extends QueuePairState permits QueuePair {

    QueuePairControl(Context context, ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        super(context, pd, attr, maker);
    }

    /**
     * What a peer needs to connect to this queue pair: send it there.
     *
     * @param local the GID that the peer is to reach, from {@link Context#gidTable()}
     * @return the address, with a packet sequence number chosen at random when the queue pair was
     *     created
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_port
     */
    public QpAddress localAddress(GidEntry local) {
        PortAttr port = context().queryPort(local.port());
        return new QpAddress(port.lid(), qpNum, psn, local.gid(), local.type(), port.activeMtu());
    }

    /**
     * Connects to a peer that does the same: RESET to INIT (unless it is there already, with
     * receives posted), to RTR, to RTS. The path MTU is the smaller of both ports', READs and
     * atomics get a depth of 16 or what the device allows, and timeouts are moderate. For other
     * values use {@link #modify} step by step.
     *
     * @param local the GID to use
     * @param remote the peer's {@link #localAddress}
     * @param access what the peer may do by RDMA: REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC; ignored
     *     if the queue pair is in INIT already
     * @throws IllegalArgumentException when the GIDs are of different types: peers that use
     *     different RoCE versions never hear each other
     * @throws IllegalStateException when the transport knows no connection: UD, DC
     * @throws VerbsException as {@link #modify}
     * @verbs.calls ibv_query_port, ibv_modify_qp
     */
    public void connect(GidEntry local, QpAddress remote, AccessFlag... access) {
        QpConnecting.connect(self(), local, remote, psn, access);
    }

    /**
     * Makes a UD queue pair ready to send and receive: RESET to INIT (unless it is there already,
     * with receives posted), to RTR, to RTS.
     *
     * @param port the local port, from 1; ignored if the queue pair is in INIT already
     * @param qkey what senders must present ({@link SendWr#ud}); with the highest bit set it is
     *     privileged; ignored if the queue pair is in INIT already
     * @throws IllegalStateException when the transport is not UD
     * @throws VerbsException as {@link #modify}
     * @verbs.calls ibv_modify_qp
     */
    public void activateUd(int port, int qkey) {
        QpConnecting.activateUd(self(), port, qkey, psn);
    }

    /**
     * Joins a multicast group: datagrams to it are received too. On Ethernet the network also has
     * to be told (IGMP, MLD), which the connection manager does. Joining twice counts once.
     *
     * @param group the group's GID: {@code ff..}, or an IPv4 group as {@code ::ffff:224.a.b.c}
     * @param lid the group's LID on InfiniBand, 16 bits; 0 on Ethernet
     * @throws VerbsException EINVAL: no multicast GID, or the transport is not UD; ENOMEM: too many
     *     groups
     * @verbs.calls ibv_attach_mcast
     */
    public void attachMcast(Gid group, int lid) {
        groups.attach(handle, group, lid);
    }

    /**
     * Leaves a multicast group. Closing the queue pair leaves all.
     *
     * @param group the group's GID
     * @param lid the group's LID, as when it was joined
     * @throws VerbsException EINVAL: the queue pair is not in the group
     * @verbs.calls ibv_detach_mcast
     */
    public void detachMcast(Gid group, int lid) {
        groups.detach(handle, group, lid);
    }

    /**
     * Changes the attributes that {@code attr} has set, the state among them.
     *
     * @param attr what to change
     * @throws IllegalArgumentException when a value is outside what the device or port allows
     * @throws io.github.verbs4j.types.QpTransitionException EINVAL: the transition is illegal, or
     *     attributes are missing or not allowed in it; names them
     * @throws VerbsException EINVAL: a value the device refuses; ENODATA: the GID index is empty;
     *     ETIMEDOUT, ENETUNREACH: the peer's GID cannot be reached from the local one; EPERM: a
     *     privileged Q_Key
     * @verbs.calls ibv_modify_qp
     */
    public void modify(QpAttr attr) {
        states.modify(attr);
        if (qpType == QpType.DRIVER && attr.isSet(QpAttrMask.STATE)) {
            qpNum = readQpNum();
        }
    }

    /**
     * Asks the device for the attributes as they are. A provider may fill only those that mean
     * something in the present state.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_qp
     */
    public QpAttr query() {
        return states.query();
    }

    /**
     * Stops the sending: posted requests wait from now on. Returns when the device says that those
     * that had begun have ended ({@code sq_draining}). {@code modify(QpAttr.of(RTS))} resumes; on
     * Soft-RoCE what was posted meanwhile goes out with the request posted next.
     *
     * <p>While requests are still being drained the device takes no state but ERR, which flushes
     * them: RESET and RTS are refused with EINVAL. Once they are drained RESET drops what was
     * posted meanwhile, without completions.
     *
     * <p>On Soft-RoCE a request that waits to be repeated, as a SEND does for which the peer has no
     * receive yet, may not be waited for: it has no completion then. To be sure that a request has
     * ended, wait for its completion.
     *
     * @param timeout how long to wait at most; the sending stays stopped when it ends
     * @throws TimeoutException when requests had not completed in time; another call goes on
     *     waiting
     * @throws InterruptedException when the thread is interrupted; as after a timeout
     * @throws io.github.verbs4j.types.QpTransitionException the queue pair is not in RTS or SQD
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_modify_qp, ibv_query_qp
     */
    public void drainSends(Duration timeout) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        states.drain();
        for (int tries = 0; query().sqDraining(); tries++) {
            CompletionQueue.pause(tries, deadline, timeout, "the send queue is not drained");
        }
    }

    /**
     * Takes over what the peer's {@link #queryEce} said, between INIT and RTR.
     *
     * @param ece the peer's options
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no such options
     * @throws VerbsException EINVAL: options the device does not take
     * @verbs.calls ibv_set_ece
     */
    public void setEce(Ece ece) {
        QpExtras.setEce(handle, ece);
    }

    /**
     * Tells which vendor options the queue pair would use, or after RTR uses.
     *
     * @return the options
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no such options
     * @verbs.calls ibv_query_ece
     */
    public Ece queryEce() {
        return QpExtras.queryEce(handle);
    }

    /**
     * Has a counter count completions of this queue pair, in RESET or INIT. It stays attached until
     * the queue pair closes.
     *
     * @param counter the counter, of the same context
     * @param ops what to count; no other counter may count it
     * @throws IllegalArgumentException when there is no operation, or the counter is another
     *     context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device does not count this, or
     *     rdma-core is older than 65
     * @throws VerbsException EINVAL: another state, or another counter counts it
     * @verbs.calls ibv_qp_attach_comp_cntr
     */
    public void attachCompCntr(CompletionCounter counter, CompCntrOp... ops) {
        Check.sameContext(
                "counter", Objects.requireNonNull(counter, "counter").context(), pd.context());
        counter.attach(handle, ops);
    }

    /**
     * Limits how fast the queue pair sends, in RTS.
     *
     * @param limit the limit
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: a value that the device does not take
     * @verbs.calls ibv_modify_qp_rate_limit
     */
    public void modifyRateLimit(QpRateLimit limit) {
        QpExtras.modifyRateLimit(handle, limit);
    }

    /**
     * Tells in which order the bytes of a message land in memory, so that a program may watch the
     * last one instead of polling.
     *
     * @param op the operation that carries the message
     * @return the guarantees; empty for none, which is the rule
     * @verbs.calls ibv_query_qp_data_in_order
     */
    public Set<DataInOrder> queryDataInOrder(WrOpcode op) {
        return QpExtras.queryDataInOrder(handle, op);
    }

    /**
     * Tells in which order the device writes the bytes of a message, whatever the processor makes
     * of that: for memory that another device reads.
     *
     * @param op the operation that carries the message
     * @return the guarantees; empty for none, and from an rdma-core that does not know the question
     * @verbs.calls ibv_query_qp_data_in_order
     */
    public Set<DataInOrder> queryDataInOrderOfDevice(WrOpcode op) {
        return QpExtras.queryDataInOrderOfDevice(handle, op);
    }
}
