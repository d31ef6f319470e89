package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;
import java.time.Duration;

/** Waits for completions: polling, or asleep on a completion channel (option -e). */
final class Completions {

    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final Duration patience;
    private final WcArray wc = new WcArray(16);

    Completions(Context context, PingpongOptions options) {
        patience = options.patience();
        channel = options.events ? context.createCompChannel() : null;
        cq = context.createCq(new CqInitAttr(options.rxDepth + 1).channel(channel));
        if (channel != null) {
            // Before anything is posted: a queue that is armed later misses what came before.
            cq.reqNotify();
        }
    }

    CompletionQueue cq() {
        return cq;
    }

    /** {@return the next completions, one or more, each a success} */
    WcArray await() throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (cq.poll(wc) == 0) {
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
        for (int i = 0; i < wc.count(); i++) {
            wc.checkSuccess(i);
        }
        return wc;
    }
}
