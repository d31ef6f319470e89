package io.github.verbs4j.cm;

import io.github.verbs4j.types.QpType;

/**
 * Where ports are counted, and what kind of connection they stand for: C's {@code enum
 * rdma_port_space}.
 */
public enum PortSpace {
    /** Datagrams over IP over InfiniBand, with its queue key. */
    IPOIB(0x0002, QpType.UD),
    /** Reliable connections. The ports are apart from those of TCP sockets. */
    TCP(0x0106, QpType.RC),
    /** Datagrams. */
    UDP(0x0111, QpType.UD),
    /** Reliable connections that are not told apart from others of InfiniBand. Not for XRC. */
    IB(0x013F, QpType.RC);

    private final int value;
    private final QpType qpType;

    PortSpace(int value, QpType qpType) {
        this.value = value;
        this.qpType = qpType;
    }

    /** {@return the number in C} */
    public int value() {
        return value;
    }

    /** {@return the transport of the queue pairs made on its ids} */
    public QpType qpType() {
        return qpType;
    }

    /** {@return whether it is about datagrams} */
    boolean isDatagram() {
        return qpType == QpType.UD;
    }

    /**
     * Finds the constant of a number.
     *
     * @param value a number of {@code enum rdma_port_space}
     * @return the constant
     * @throws IllegalArgumentException when no constant has this number
     */
    public static PortSpace of(int value) {
        for (PortSpace each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        throw new IllegalArgumentException("no rdma_port_space has the number " + value);
    }
}
