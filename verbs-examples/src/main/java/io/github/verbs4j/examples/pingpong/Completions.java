package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;
import java.time.Duration;

/** Waits for completions: polling, or asleep on a completion channel (option -e). */
class Completions implements AutoCloseable {

    /** How many completions one poll brings at most. */
    static final int BATCH = 16;

    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final Duration patience;
    private final WcArray wc = new WcArray(BATCH);

    Completions(Context context, PingpongOptions options, int cqe) {
        patience = options.patience();
        channel = options.events ? context.createCompChannel() : null;
        cq = create(context, cqe, channel);
        if (channel != null) {
            // Before anything is posted: a queue that is armed later misses what came before.
            cq.reqNotify();
        }
    }

    CompletionQueue create(Context context, int cqe, CompletionChannel events) {
        return context.createCq(new CqInitAttr(cqe).channel(events));
    }

    final CompletionQueue cq() {
        return cq;
    }

    /** {@return how many completions came, one or more, each a success} */
    final int await() throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        int count;
        while ((count = poll()) == 0) {
            if (channel == null) {
                // The peer may need this processor.
                Thread.yield();
            } else if (channel.getCqEvent(patience) != null) {
                // Armed first, then polled: a completion in between is not missed.
                cq.reqNotify();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new ExampleException(
                        "no completion for %d s: the peer is gone", patience.toSeconds());
            }
        }
        for (int i = 0; i < count; i++) {
            checkSuccess(i);
        }
        return count;
    }

    int poll() {
        return cq.poll(wc);
    }

    void checkSuccess(int index) {
        wc.checkSuccess(index);
    }

    long wrId(int index) {
        return wc.wrId(index);
    }

    int qpNum(int index) {
        return wc.qpNum(index);
    }

    @Override
    public final void close() {
        cq.close();
        if (channel != null) {
            channel.close();
        }
    }
}
