package io.github.verbs4j.examples.cm;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.WcStatus;
import java.time.Duration;

/**
 * Waits for completions of a connection, for as long as there is a peer. The connection needs a
 * completion channel: the thread sleeps until something completes, and now and then looks whether
 * the peer is still there. For one thread.
 */
public final class Link {

    private static final Duration SLICE = Duration.ofMillis(200);

    private final QueuePair qp;
    private final CompletionChannel channel;
    private final Standing standing;
    private final Duration patience;
    private final WcArray wc = new WcArray(1);

    /** Waits on a connection, each time as long as the patience. */
    public Link(RdmaConnection connection, Duration patience) {
        this(connection.qp(), connection.compChannel(), connection::isConnected, patience);
    }

    /** Waits on a queue pair of one's own. */
    Link(QueuePair qp, CompletionChannel channel, Standing standing, Duration patience) {
        this.qp = qp;
        this.channel = channel;
        this.standing = standing;
        this.patience = patience;
    }

    /** Tells whether the connection stands. */
    @FunctionalInterface
    interface Standing {
        boolean isConnected() throws InterruptedException;
    }

    /** {@return the next received message} */
    public WorkCompletion received() throws InterruptedException {
        return next(qp.recvCq(), "receive");
    }

    /** {@return the next request of the send queue that was carried out} */
    public WorkCompletion sent() throws InterruptedException {
        return next(qp.sendCq(), "completion of a send");
    }

    private WorkCompletion next(CompletionQueue cq, String what) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean gone = false;
        while (cq.poll(wc) == 0) {
            // What completed before the peer left counts: the queue was polled once more.
            if (gone) {
                throw new PeerGone();
            }
            // Armed first, then polled: a completion in between is not missed.
            cq.reqNotify();
            if (cq.poll(wc) > 0) {
                break;
            }
            if (channel.getCqEvent(SLICE) == null) {
                gone = !standing.isConnected();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new ExampleException(
                        "no %s for %d s: the peer is stuck", what, patience.toSeconds());
            }
        }
        // The requests that the peer's leaving left over.
        if (wc.status(0) == WcStatus.WR_FLUSH_ERR) {
            throw new PeerGone();
        }
        return wc.get(0).checkSuccess();
    }
}
