package io.github.verbs4j.steering;

import java.util.EnumSet;
import java.util.Set;

/** A packet field that the receive hash covers ({@code enum ibv_rx_hash_fields}). */
public enum RxHashField {
    /** Source of IPv4. */
    SRC_IPV4(1),

    /** Destination of IPv4. */
    DST_IPV4(1 << 1),

    /** Source of IPv6. */
    SRC_IPV6(1 << 2),

    /** Destination of IPv6. */
    DST_IPV6(1 << 3),

    /** Source port of TCP. */
    SRC_PORT_TCP(1 << 4),

    /** Destination port of TCP. */
    DST_PORT_TCP(1 << 5),

    /** Source port of UDP. */
    SRC_PORT_UDP(1 << 6),

    /** Destination port of UDP. */
    DST_PORT_UDP(1 << 7),

    /** Security parameters index of IPsec. */
    IPSEC_SPI(1 << 8),

    /** The fields are those of the inner packet of a tunnel. */
    INNER(1L << 31);

    private final long value;

    RxHashField(long value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public long value() {
        return value;
    }

    /**
     * Combines flags to the bits that C expects.
     *
     * @param flags any flags, possibly none
     * @return their bits
     */
    public static long bits(Set<RxHashField> flags) {
        long bits = 0;
        for (RxHashField flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits of {@code enum ibv_rx_hash_fields}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<RxHashField> of(long bits) {
        EnumSet<RxHashField> flags = EnumSet.noneOf(RxHashField.class);
        for (RxHashField flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
