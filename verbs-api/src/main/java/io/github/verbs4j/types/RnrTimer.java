package io.github.verbs4j.types;

import java.time.Duration;

/**
 * How long a sender waits after an RNR NAK before it tries again ({@code
 * ibv_qp_attr.min_rnr_timer}).
 *
 * <p>The responder sets it and tells the sender in the NAK that says its receive queue is empty.
 * The encoding is not monotonic: 0, what zeroed memory holds, is the longest time.
 */
public enum RnrTimer {
    /** 655.36 ms; the longest, not the shortest (encoded as 0). */
    MS_655_36(0, 655_360),

    /** 0.01 ms (encoded as 1). */
    MS_0_01(1, 10),

    /** 0.02 ms (encoded as 2). */
    MS_0_02(2, 20),

    /** 0.03 ms (encoded as 3). */
    MS_0_03(3, 30),

    /** 0.04 ms (encoded as 4). */
    MS_0_04(4, 40),

    /** 0.06 ms (encoded as 5). */
    MS_0_06(5, 60),

    /** 0.08 ms (encoded as 6). */
    MS_0_08(6, 80),

    /** 0.12 ms (encoded as 7). */
    MS_0_12(7, 120),

    /** 0.16 ms (encoded as 8). */
    MS_0_16(8, 160),

    /** 0.24 ms (encoded as 9). */
    MS_0_24(9, 240),

    /** 0.32 ms (encoded as 10). */
    MS_0_32(10, 320),

    /** 0.48 ms (encoded as 11). */
    MS_0_48(11, 480),

    /** 0.64 ms (encoded as 12). */
    MS_0_64(12, 640),

    /** 0.96 ms (encoded as 13). */
    MS_0_96(13, 960),

    /** 1.28 ms (encoded as 14). */
    MS_1_28(14, 1_280),

    /** 1.92 ms (encoded as 15). */
    MS_1_92(15, 1_920),

    /** 2.56 ms (encoded as 16). */
    MS_2_56(16, 2_560),

    /** 3.84 ms (encoded as 17). */
    MS_3_84(17, 3_840),

    /** 5.12 ms (encoded as 18). */
    MS_5_12(18, 5_120),

    /** 7.68 ms (encoded as 19). */
    MS_7_68(19, 7_680),

    /** 10.24 ms (encoded as 20). */
    MS_10_24(20, 10_240),

    /** 15.36 ms (encoded as 21). */
    MS_15_36(21, 15_360),

    /** 20.48 ms (encoded as 22). */
    MS_20_48(22, 20_480),

    /** 30.72 ms (encoded as 23). */
    MS_30_72(23, 30_720),

    /** 40.96 ms (encoded as 24). */
    MS_40_96(24, 40_960),

    /** 61.44 ms (encoded as 25). */
    MS_61_44(25, 61_440),

    /** 81.92 ms (encoded as 26). */
    MS_81_92(26, 81_920),

    /** 122.88 ms (encoded as 27). */
    MS_122_88(27, 122_880),

    /** 163.84 ms (encoded as 28). */
    MS_163_84(28, 163_840),

    /** 245.76 ms (encoded as 29). */
    MS_245_76(29, 245_760),

    /** 327.68 ms (encoded as 30). */
    MS_327_68(30, 327_680),

    /** 491.52 ms (encoded as 31). */
    MS_491_52(31, 491_520);

    private static final RnrTimer[] BY_VALUE = values();

    private final int value;
    private final int micros;

    RnrTimer(int value, int micros) {
        this.value = value;
        this.micros = micros;
    }

    /** {@return the encoding, 0 to 31} */
    public int value() {
        return value;
    }

    /** {@return the time this stands for} */
    public Duration toDuration() {
        return Duration.ofNanos(micros * 1000L);
    }

    /**
     * Returns the timer with this encoding. Only the low five bits count, as on the wire.
     *
     * @param value an encoding
     * @return the timer
     */
    public static RnrTimer of(int value) {
        return BY_VALUE[value & 31];
    }

    /**
     * Returns the shortest timer that is not shorter than a duration.
     *
     * @param duration 0 to 655.36 ms
     * @return the timer
     * @throws IllegalArgumentException if the duration is negative or longer than any timer
     */
    public static RnrTimer atLeast(Duration duration) {
        RnrTimer best = MS_655_36;
        if (duration.isNegative() || duration.compareTo(best.toDuration()) > 0) {
            throw new IllegalArgumentException("RNR timer must be 0 to 655.36 ms, was " + duration);
        }
        for (RnrTimer each : BY_VALUE) {
            if (each.micros < best.micros && each.toDuration().compareTo(duration) >= 0) {
                best = each;
            }
        }
        return best;
    }
}
