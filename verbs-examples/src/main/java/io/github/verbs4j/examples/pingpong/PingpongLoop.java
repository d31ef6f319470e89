package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.QueuePair;
import io.github.verbs4j.examples.cli.ExampleException;
import java.util.Arrays;

/**
 * Sends a message on a queue pair whenever the one before it was sent and an answer has come. The
 * counts are those of all queue pairs together.
 */
final class PingpongLoop {

    /** {@code wr_id} of a receive. */
    static final int RECV = 1;

    /** {@code wr_id} of a send. */
    static final int SEND = 2;

    private final Completions completions;
    private final int iters;
    private final int rxDepth;
    private final Runnable postRecv;
    private final int[] qpNums;
    private final Runnable[] postSends;
    private final int[] pending;
    private int posted;
    private int sent;
    private int received;

    /**
     * A loop.
     *
     * @param postRecv posts a receive that has the {@code wr_id} RECV
     * @param qps the queue pairs
     * @param postSends for each of them, posts a send that has the {@code wr_id} SEND
     */
    PingpongLoop(
            Completions completions,
            ExchangeOptions options,
            Runnable postRecv,
            QueuePair[] qps,
            Runnable[] postSends) {
        this.completions = completions;
        this.iters = options.iters;
        this.rxDepth = options.rxDepth;
        this.postRecv = postRecv;
        this.qpNums = Arrays.stream(qps).mapToInt(QueuePair::qpNum).toArray();
        this.postSends = postSends.clone();
        this.pending = new int[qps.length];
        Arrays.fill(pending, RECV);
    }

    /** Before connecting, or the first message finds nowhere to go. */
    void postReceives() {
        for (; posted < rxDepth; posted++) {
            postRecv.run();
        }
    }

    /** {@return how many nanoseconds the exchange took} */
    long run(boolean first) throws InterruptedException {
        long start = System.nanoTime();
        for (int qp = 0; first && qp < postSends.length; qp++) {
            postSend(qp);
        }
        while (sent < iters || received < iters) {
            int count = completions.await();
            for (int i = 0; i < count; i++) {
                completed((int) completions.wrId(i), indexOf(completions.qpNum(i)));
            }
        }
        return System.nanoTime() - start;
    }

    private int indexOf(int qpNum) {
        for (int qp = 0; qp < qpNums.length; qp++) {
            if (qpNums[qp] == qpNum) {
                return qp;
            }
        }
        throw new ExampleException("completion of an unknown queue pair 0x%06x", qpNum);
    }

    private void completed(int what, int qp) {
        if (what == SEND) {
            sent++;
        } else if (what == RECV) {
            received++;
            // One for each queue pair is left for what the peer sends meanwhile.
            if (--posted <= qpNums.length) {
                postReceives();
            }
        } else {
            throw new ExampleException("completion of an unknown request %d", what);
        }
        pending[qp] &= ~what;
        if (pending[qp] == 0 && sent < iters) {
            postSend(qp);
        }
    }

    private void postSend(int qp) {
        postSends[qp].run();
        pending[qp] = RECV | SEND;
    }
}
