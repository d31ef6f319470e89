package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** One end of a reliable connection: a queue pair and the queue of its completions. */
public final class Peer implements AutoCloseable {

    /** How long anything may take before a lesson gives up. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int COMPLETIONS = 256;

    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final boolean ownsCq;
    private final WcArray wc = new WcArray(1);

    /** With a queue of its own for completions. */
    public Peer(ProtectionDomain pd) {
        this(pd, attr -> attr);
    }

    /** With a queue of its own for completions, and other capabilities of the queue pair. */
    public Peer(ProtectionDomain pd, UnaryOperator<QpInitAttr> capabilities) {
        this(pd, pd.context().createCq(COMPLETIONS), true, capabilities);
    }

    /** With a queue of completions that peers of one thread share. */
    public Peer(ProtectionDomain pd, CompletionQueue cq, UnaryOperator<QpInitAttr> capabilities) {
        this(pd, cq, false, capabilities);
    }

    private Peer(
            ProtectionDomain pd,
            CompletionQueue cq,
            boolean ownsCq,
            UnaryOperator<QpInitAttr> capabilities) {
        this.pd = pd;
        this.ownsCq = ownsCq;
        this.cq = cq;
        qp = pd.createQp(capabilities.apply(new QpInitAttr(QpType.RC, cq)));
    }

    // @start region=connect
    /** Connects two peers. Each allows the other everything that its regions allow. */
    public static void connect(GidEntry gid, Peer a, Peer b) {
        QpAddress addressOfA = a.qp.localAddress(gid);
        QpAddress addressOfB = b.qp.localAddress(gid);
        a.connect(gid, addressOfA, addressOfB);
        b.connect(gid, addressOfB, addressOfA);
    }

    private void connect(GidEntry gid, QpAddress here, QpAddress there) {
        qp.modify(QpAttr.init(gid.port()).qpAccessFlags(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC));
        qp.modify(QpAttr.rtr(gid, here, there));
        // Longer than usual: on Soft-RoCE, waiting for a receive of the peer's counts too.
        qp.modify(QpAttr.rts(here.psn()).timeout(AckTimeout.MS_537));
    }

    // @end

    ProtectionDomain pd() {
        return pd;
    }

    /** {@return the queue pair} */
    public QueuePair qp() {
        return qp;
    }

    /** Posts a receive. */
    public void receive(RecvWr wr) {
        qp.postRecv(wr);
    }

    /** Posts a signaled request and waits until it is done. */
    public void carryOut(SendWr wr) throws InterruptedException, TimeoutException {
        qp.postSend(wr);
        completion();
    }

    /** {@return the next completion, which must be a success; valid until the next call} */
    public WcArray completion() throws InterruptedException, TimeoutException {
        cq.await(wc, PATIENCE);
        wc.checkSuccess(0);
        return wc;
    }

    @Override
    public void close() {
        qp.close();
        if (ownsCq) {
            cq.close();
        }
    }
}
