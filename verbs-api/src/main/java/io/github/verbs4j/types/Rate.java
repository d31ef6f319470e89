package io.github.verbs4j.types;

/**
 * A rate of packets ({@code enum ibv_rate}), for {@link AhAttr#staticRate(Rate)}. The numbers of
 * the constants do not grow with the rate.
 */
public enum Rate {
    /** As fast as the port goes. */
    MAX(0, 0, 0),
    /** 2.5 Gbit/s. */
    GBPS_2_5(2, 1, 2500),
    /** 5 Gbit/s. */
    GBPS_5(5, 2, 5000),
    /** 10 Gbit/s. */
    GBPS_10(3, 4, 10000),
    /** 20 Gbit/s. */
    GBPS_20(6, 8, 20000),
    /** 30 Gbit/s. */
    GBPS_30(4, 12, 30000),
    /** 40 Gbit/s. */
    GBPS_40(7, 16, 40000),
    /** 60 Gbit/s. */
    GBPS_60(8, 24, 60000),
    /** 80 Gbit/s. */
    GBPS_80(9, 32, 80000),
    /** 120 Gbit/s. */
    GBPS_120(10, 48, 120000),
    /** 14 Gbit/s. */
    GBPS_14(11, 5, 14062),
    /** 56 Gbit/s. */
    GBPS_56(12, 22, 56250),
    /** 112 Gbit/s. */
    GBPS_112(13, 45, 112500),
    /** 168 Gbit/s. */
    GBPS_168(14, 67, 168750),
    /** 25 Gbit/s. */
    GBPS_25(15, 10, 25781),
    /** 100 Gbit/s. */
    GBPS_100(16, 41, 103125),
    /** 200 Gbit/s. */
    GBPS_200(17, 82, 206250),
    /** 300 Gbit/s. */
    GBPS_300(18, 123, 309375),
    /** 28 Gbit/s. */
    GBPS_28(19, 11, 28125),
    /** 50 Gbit/s. */
    GBPS_50(20, 20, 53125),
    /** 400 Gbit/s. */
    GBPS_400(21, 160, 425000),
    /** 600 Gbit/s. */
    GBPS_600(22, 240, 637500),
    /** 800 Gbit/s. */
    GBPS_800(23, 320, 850000),
    /** 1200 Gbit/s. */
    GBPS_1200(24, 480, 1275000);

    private static final Rate[] ALL = values();

    private final int value;
    private final int mult;
    private final int mbps;

    Rate(int value, int mult, int mbps) {
        this.value = value;
        this.mult = mult;
        this.mbps = mbps;
    }

    /** {@return the number of this constant in C ({@code ibv_rate})} */
    public int value() {
        return value;
    }

    /** {@return the rate as a multiple of 2.5 Gbit/s ({@code ibv_rate_to_mult}); 0 for MAX} */
    public int toMult() {
        return mult;
    }

    /** {@return the rate in Mbit/s ({@code ibv_rate_to_mbps}); 0 for MAX} */
    public int toMbps() {
        return mbps;
    }

    /**
     * Returns the rate that is a multiple of 2.5 Gbit/s ({@code mult_to_ibv_rate}).
     *
     * @param mult the multiple
     * @return the rate, or {@link #MAX} if there is none
     */
    public static Rate ofMult(int mult) {
        for (Rate each : ALL) {
            if (each.mult == mult) {
                return each;
            }
        }
        return MAX;
    }

    /**
     * Returns the rate of so many Mbit/s ({@code mbps_to_ibv_rate}).
     *
     * @param mbps exactly as {@link #toMbps()}
     * @return the rate, or {@link #MAX} if there is none
     */
    public static Rate ofMbps(int mbps) {
        for (Rate each : ALL) {
            if (each.mbps == mbps) {
                return each;
            }
        }
        return MAX;
    }

    /**
     * Returns the constant with this number.
     *
     * @param value a number of {@code enum ibv_rate}
     * @return the constant
     * @throws IllegalArgumentException if no constant has this number
     */
    public static Rate of(int value) {
        for (Rate each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        throw new IllegalArgumentException("no ibv_rate has the number " + value);
    }
}
