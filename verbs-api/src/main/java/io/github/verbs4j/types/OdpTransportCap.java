package io.github.verbs4j.types;

import java.util.EnumSet;

/**
 * What a transport can do with regions under on-demand paging ({@code enum
 * ibv_odp_transport_cap_bits}).
 */
public enum OdpTransportCap {
    /** Send from them. */
    SEND(1),

    /** Receive into them. */
    RECV(1 << 1),

    /** RDMA write. */
    WRITE(1 << 2),

    /** RDMA read. */
    READ(1 << 3),

    /** Atomics. */
    ATOMIC(1 << 4),

    /** Receive into them by a shared receive queue. */
    SRQ_RECV(1 << 5),

    /** RDMA flush; since rdma-core 46. */
    FLUSH(1 << 6),

    /** RDMA atomic write; since rdma-core 46. */
    ATOMIC_WRITE(1 << 7);

    private final int value;

    OdpTransportCap(int value) {
        this.value = value;
    }

    /** {@return the bit of this flag in C} */
    public int value() {
        return value;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits as the device reports them; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<OdpTransportCap> of(int bits) {
        EnumSet<OdpTransportCap> flags = EnumSet.noneOf(OdpTransportCap.class);
        for (OdpTransportCap flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
