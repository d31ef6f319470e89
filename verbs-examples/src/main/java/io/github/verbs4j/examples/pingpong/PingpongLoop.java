package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;

/** Sends a message whenever the one before it was sent and an answer has come. */
final class PingpongLoop {

    private static final int RECV = 1;
    private static final int SEND = 2;

    private final QueuePair qp;
    private final Completions completions;
    private final SendWr send;
    private final RecvWr receive;
    private final int iters;
    private final int rxDepth;
    private int posted;
    private int sent;
    private int received;
    private int pending = RECV;

    PingpongLoop(
            QueuePair qp, Completions completions, SendWr send, RecvWr receive, PingpongOptions o) {
        this.qp = qp;
        this.completions = completions;
        this.send = send.wrId(SEND);
        this.receive = receive.wrId(RECV);
        this.iters = o.iters;
        this.rxDepth = o.rxDepth;
    }

    /** Before connecting, or the first message finds nowhere to go. */
    void postReceives() {
        for (; posted < rxDepth; posted++) {
            qp.postRecv(receive);
        }
    }

    /** {@return how many nanoseconds the exchange took} */
    long run(boolean first) throws InterruptedException {
        long start = System.nanoTime();
        if (first) {
            postSend();
        }
        while (sent < iters || received < iters) {
            WcArray wc = completions.await();
            for (int i = 0; i < wc.count(); i++) {
                completed((int) wc.wrId(i));
            }
        }
        return System.nanoTime() - start;
    }

    private void completed(int what) {
        if (what == SEND) {
            sent++;
        } else if (what == RECV) {
            received++;
            if (--posted <= 1) {
                postReceives();
            }
        } else {
            throw new ExampleException("completion of an unknown request %d", what);
        }
        pending &= ~what;
        if (pending == 0 && sent < iters) {
            postSend();
        }
    }

    private void postSend() {
        qp.postSend(send);
        pending = RECV | SEND;
    }
}
