package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttrEx;
import io.github.verbs4j.WcArrayEx;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.WcExFlag;

/**
 * Completions that say when they happened, by the device's clock (option -t), and how far two that
 * follow each other, both of receives, lie apart.
 */
final class TimedCompletions extends Completions {

    private final WcArrayEx wc = new WcArrayEx(BATCH);
    private final long clockMask;
    private CompletionQueueEx timed;
    private long previous;
    private boolean previousIsReceive;
    private long max;
    private long min = 0xffffffffL;
    private long total;
    private long count;

    TimedCompletions(Context context, PingpongOptions options, int cqe) {
        clockMask = clockMask(context);
        super(context, options, cqe);
    }

    private static long clockMask(Context context) {
        long mask = context.queryDeviceEx().completionTimestampMask();
        if (mask == 0) {
            throw new ExampleException(
                    "%s has no completion timestamps (-t)", context.device().name());
        }
        return mask;
    }

    @Override
    CompletionQueue create(Context context, int cqe, CompletionChannel events) {
        timed =
                context.createCqEx(
                        new CqInitAttrEx(cqe)
                                .channel(events)
                                .wcFlags(WcExFlag.COMPLETION_TIMESTAMP, WcExFlag.QP_NUM));
        return timed;
    }

    @Override
    int poll() {
        int polled = timed.poll(wc);
        for (int i = 0; i < polled; i++) {
            if (wc.isSuccess(i)) {
                note(wc.wrId(i) == PingpongLoop.RECV, wc.completionTs(i));
            }
        }
        return polled;
    }

    private void note(boolean receive, long now) {
        if (receive && previousIsReceive) {
            long delta = (now - previous) & clockMask;
            max = Math.max(max, delta);
            min = Math.min(min, delta);
            total += delta;
            count++;
        }
        previous = now;
        previousIsReceive = receive;
    }

    @Override
    void checkSuccess(int index) {
        wc.checkSuccess(index);
    }

    @Override
    long wrId(int index) {
        return wc.wrId(index);
    }

    @Override
    int qpNum(int index) {
        return wc.qpNum(index);
    }

    void print() {
        if (count > 0) {
            System.out.printf("Max receive completion clock cycles = %d%n", max);
            System.out.printf("Min receive completion clock cycles = %d%n", min);
            System.out.printf(
                    "Average receive completion clock cycles = %f%n", (double) total / count);
        }
    }
}
