package io.github.verbs4j.internal;

import io.github.verbs4j.types.QpType;

/** Kinds of queue pairs that change state by rules of their own: a type may have several. */
public enum QpKind {
    /** Reliable connection. */
    RC(QpType.RC),
    /** Unreliable connection. */
    UC(QpType.UC),
    /** Unreliable datagram. */
    UD(QpType.UD),
    /** Raw Ethernet frames. */
    RAW_PACKET(QpType.RAW_PACKET),
    /** Sending half of an extended reliable connection. */
    XRC_SEND(QpType.XRC_SEND),
    /** Receiving half of an extended reliable connection. */
    XRC_RECV(QpType.XRC_RECV),
    /** Initiator of mlx5's dynamically connected transport. */
    DCI(QpType.DRIVER),
    /** Target of mlx5's dynamically connected transport. */
    DCT(QpType.DRIVER),
    /** Another transport of a provider's own, whose rules are not known. */
    DRIVER(QpType.DRIVER);

    private final QpType type;

    QpKind(QpType type) {
        this.type = type;
    }

    /** {@return the type that libibverbs knows} */
    public QpType type() {
        return type;
    }

    /**
     * The kind of a queue pair of which only the type is known.
     *
     * @param type its type
     * @return the kind; {@link #DRIVER} for those of a provider's own
     */
    public static QpKind of(QpType type) {
        return valueOf(type.name());
    }
}
