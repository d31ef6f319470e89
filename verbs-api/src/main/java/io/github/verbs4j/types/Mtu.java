package io.github.verbs4j.types;

/** Largest payload of one packet ({@code enum ibv_mtu}). */
public enum Mtu {
    /** 256 bytes. */
    MTU_256(1),

    /** 512 bytes. */
    MTU_512(2),

    /** 1024 bytes; what RoCE offers on a 1500-byte Ethernet. */
    MTU_1024(3),

    /** 2048 bytes. */
    MTU_2048(4),

    /** 4096 bytes. */
    MTU_4096(5),

    /** Not known, or not one of the above: 0 until a queue pair is in RTR; value -1, 0 bytes. */
    UNRECOGNIZED(-1);

    private final int value;

    Mtu(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in {@code enum ibv_mtu}, 1 to 5} */
    public int value() {
        return value;
    }

    /** {@return the size in bytes; 0 for {@link #UNRECOGNIZED}} */
    public int bytes() {
        return this == UNRECOGNIZED ? 0 : 128 << value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static Mtu of(int value) {
        return value >= 1 && value <= 5 ? values()[value - 1] : UNRECOGNIZED;
    }

    /**
     * Returns the MTU of this many bytes.
     *
     * @param bytes 256, 512, 1024, 2048 or 4096
     * @return the MTU
     * @throws IllegalArgumentException if it is none of these
     */
    public static Mtu ofBytes(int bytes) {
        for (Mtu each : values()) {
            if (each.bytes() == bytes && each != UNRECOGNIZED) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "MTU must be 256, 512, 1024, 2048 or 4096 bytes, was " + bytes);
    }

    /**
     * Returns the smaller of two; what two ports can use between them.
     *
     * @param a one MTU
     * @param b another
     * @return the smaller; if one is {@link #UNRECOGNIZED}, the other
     */
    public static Mtu min(Mtu a, Mtu b) {
        if (a == UNRECOGNIZED || b == UNRECOGNIZED) {
            return a == UNRECOGNIZED ? b : a;
        }
        return a.value <= b.value ? a : b;
    }
}
