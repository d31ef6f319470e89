package io.github.verbs4j.internal;

import java.time.Duration;

/** Turns the timeouts of waits into nanoseconds. */
public final class Timeouts {

    private Timeouts() {}

    /**
     * The length of a wait. Any duration will do, as {@code ChronoUnit.FOREVER.getDuration()}.
     *
     * @param timeout how long to wait at most
     * @return nanoseconds: 0 for a negative time, at most {@link Long#MAX_VALUE} (292 years)
     */
    public static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
