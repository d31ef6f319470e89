package io.github.verbs4j.types;

/** Which transport service a queue pair offers ({@code enum ibv_qp_type}). */
public enum QpType {
    /** Reliable connection: one peer, delivered once and in order; every operation. */
    RC(2),

    /** Unreliable connection: one peer, in order, lost messages vanish; SEND and RDMA write. */
    UC(3),

    /** Unreliable datagram: any peer, one packet per message; SEND only. */
    UD(4),

    /** Raw Ethernet frames; needs {@code CAP_NET_RAW}. */
    RAW_PACKET(8),

    /** Sending half of an extended reliable connection. */
    XRC_SEND(9),

    /** Receiving half of an extended reliable connection; messages go to shared receive queues. */
    XRC_RECV(10),

    /** A transport that only the provider knows, such as DC of mlx5. */
    DRIVER(0xff);

    private static final QpType[] ALL = values();

    private final int value;

    QpType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_qp_type})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number.
     *
     * @param value a number of {@code enum ibv_qp_type}
     * @return the constant
     * @throws IllegalArgumentException if no constant has this number
     */
    public static QpType of(int value) {
        for (QpType each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        throw new IllegalArgumentException("no ibv_qp_type has the number " + value);
    }

    /** Tells whether a mask of types, bit n for the type with number n, has this one. */
    boolean isIn(int types) {
        return value >= 0 && value < Integer.SIZE && (types & 1 << value) != 0;
    }
}
