package io.github.verbs4j.types;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long a reliable sender waits for an acknowledgement before it tries again ({@code
 * ibv_qp_attr.timeout}).
 *
 * <p>The encoding {@code n} stands for 4.096 µs · 2<sup>n</sup>; names give the value rounded to
 * whole units. Devices may wait up to four times longer.
 */
public enum AckTimeout {
    /** Wait for ever: a lost peer is never noticed (encoded as 0). */
    INFINITE,

    /** 8.192 µs (encoded as 1). */
    US_8,

    /** 16.384 µs (encoded as 2). */
    US_16,

    /** 32.768 µs (encoded as 3). */
    US_33,

    /** 65.536 µs (encoded as 4). */
    US_66,

    /** 131.072 µs (encoded as 5). */
    US_131,

    /** 262.144 µs (encoded as 6). */
    US_262,

    /** 524.288 µs (encoded as 7). */
    US_524,

    /** 1.049 ms (encoded as 8). */
    MS_1,

    /** 2.097 ms (encoded as 9). */
    MS_2,

    /** 4.194 ms (encoded as 10). */
    MS_4,

    /** 8.389 ms (encoded as 11). */
    MS_8,

    /** 16.777 ms (encoded as 12). */
    MS_17,

    /** 33.554 ms (encoded as 13). */
    MS_34,

    /** 67.109 ms (encoded as 14). */
    MS_67,

    /** 134.218 ms (encoded as 15). */
    MS_134,

    /** 268.435 ms (encoded as 16). */
    MS_268,

    /** 536.871 ms (encoded as 17). */
    MS_537,

    /** 1.074 s (encoded as 18). */
    S_1,

    /** 2.147 s (encoded as 19). */
    S_2,

    /** 4.295 s (encoded as 20). */
    S_4,

    /** 8.590 s (encoded as 21). */
    S_9,

    /** 17.180 s (encoded as 22). */
    S_17,

    /** 34.360 s (encoded as 23). */
    S_34,

    /** 68.719 s (encoded as 24). */
    S_69,

    /** 137.439 s (encoded as 25). */
    S_137,

    /** 274.878 s (encoded as 26). */
    S_275,

    /** 549.756 s (encoded as 27). */
    S_550,

    /** 1099.512 s (encoded as 28). */
    S_1100,

    /** 2199.023 s (encoded as 29). */
    S_2199,

    /** 4398.047 s (encoded as 30). */
    S_4398,

    /** 8796.093 s (encoded as 31). */
    S_8796;

    private static final AckTimeout[] BY_VALUE = values();

    /** {@return the encoding, 0 to 31} */
    public int value() {
        return ordinal();
    }

    /** {@return the time this stands for; {@link ChronoUnit#FOREVER} for {@link #INFINITE}} */
    public Duration toDuration() {
        return this == INFINITE
                ? ChronoUnit.FOREVER.getDuration()
                : Duration.ofNanos(4096L << ordinal());
    }

    /**
     * Returns the timeout with this encoding. Only the low five bits count, as on the wire.
     *
     * @param value an encoding
     * @return the timeout
     */
    public static AckTimeout of(int value) {
        return BY_VALUE[value & 31];
    }

    /**
     * Returns the shortest timeout that is not shorter than a duration.
     *
     * @param duration 0 to about 8796 s, or {@link ChronoUnit#FOREVER} for {@link #INFINITE}
     * @return the timeout
     * @throws IllegalArgumentException if the duration is negative or longer than any finite
     *     timeout
     */
    public static AckTimeout atLeast(Duration duration) {
        if (duration.equals(INFINITE.toDuration())) {
            return INFINITE;
        }
        if (duration.isNegative() || duration.compareTo(S_8796.toDuration()) > 0) {
            throw new IllegalArgumentException(
                    "ACK timeout must be 0 to 8796 s (or for ever), was " + duration);
        }
        int n = 1;
        while (BY_VALUE[n].toDuration().compareTo(duration) < 0) {
            n++;
        }
        return BY_VALUE[n];
    }
}
