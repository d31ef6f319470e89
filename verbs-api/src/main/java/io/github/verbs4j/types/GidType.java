package io.github.verbs4j.types;

/** Encapsulation that a GID stands for ({@code enum ibv_gid_type}). Peers must use the same. */
public enum GidType {
    /** InfiniBand. */
    IB(0),

    /** RoCE v1: own EtherType, not routable. */
    ROCE_V1(1),

    /** RoCE v2: UDP port 4791 over IPv4 or IPv6. */
    ROCE_V2(2),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    private static final GidType[] ALL = values();

    private final int value;

    GidType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_gid_type})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static GidType of(int value) {
        for (GidType each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
