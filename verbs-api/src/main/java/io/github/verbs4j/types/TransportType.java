package io.github.verbs4j.types;

/** Transport of an RDMA device ({@code enum ibv_transport_type}). */
public enum TransportType {
    /** Not known. */
    UNKNOWN(-1),

    /** InfiniBand transport, also over Ethernet (RoCE). */
    IB(0),

    /** iWARP: RDMA over TCP; connects through the connection manager only. */
    IWARP(1),

    /** Cisco usNIC. */
    USNIC(2),

    /** Cisco usNIC over UDP. */
    USNIC_UDP(3),

    /** The driver does not say. */
    UNSPECIFIED(4);

    private static final TransportType[] ALL = values();

    private final int value;

    TransportType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_transport_type})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNKNOWN} if no constant has this number
     */
    public static TransportType of(int value) {
        for (TransportType each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
