package io.github.verbs4j.cm;

/** Why a connection was rejected, as InfiniBand numbers it; RoCE uses the same numbers. */
public enum RejectReason {
    /** The peer has no queue pair left. */
    NO_QP(1, "the peer has no queue pair left"),
    /** The peer has no end-to-end context left. */
    NO_EEC(2, "the peer has no end-to-end context left"),
    /** The peer lacks resources. */
    NO_RESOURCES(3, "the peer lacks resources"),
    /** The peer waited too long. */
    TIMEOUT(4, "the peer waited too long for this side"),
    /** The peer does not know the request. */
    UNSUPPORTED(5, "the peer does not support the request"),
    /** The peer does not know the connection. */
    INVALID_COMM_ID(6, "the peer does not know the connection"),
    /** The peer does not know the instance. */
    INVALID_COMM_INSTANCE(7, "the peer does not know this instance of the connection"),
    /** Nobody listens. */
    INVALID_SERVICE_ID(8, "nobody listens on that port of that address"),
    /** The transport is not the peer's. */
    INVALID_TRANSPORT_TYPE(9, "the peer's queue pair is of another type"),
    /** The peer took the connection for a stale one. */
    STALE_CONN(10, "the peer still has a connection from this queue pair; try again later"),
    /** The peer has no such service at present. */
    RDC_NOT_EXIST(11, "the peer lacks the datagram context"),
    /** The GID is not the peer's. */
    INVALID_GID(12, "the GID is not the peer's"),
    /** The LID is not the peer's. */
    INVALID_LID(13, "the LID is not the peer's"),
    /** The service level is not the peer's. */
    INVALID_SL(14, "the peer does not take the service level"),
    /** The traffic class is not the peer's. */
    INVALID_TRAFFIC_CLASS(15, "the peer does not take the traffic class"),
    /** The hop limit is too low. */
    INVALID_HOP_LIMIT(16, "the hop limit is too low"),
    /** The packet rate does not fit. */
    INVALID_PACKET_RATE(17, "the peer does not take the packet rate"),
    /** The alternate GID is not the peer's. */
    INVALID_ALT_GID(18, "the alternate GID is not the peer's"),
    /** The alternate LID is not the peer's. */
    INVALID_ALT_LID(19, "the alternate LID is not the peer's"),
    /** The alternate service level is not the peer's. */
    INVALID_ALT_SL(20, "the peer does not take the alternate service level"),
    /** The alternate traffic class is not the peer's. */
    INVALID_ALT_TRAFFIC_CLASS(21, "the peer does not take the alternate traffic class"),
    /** The alternate hop limit is too low. */
    INVALID_ALT_HOP_LIMIT(22, "the alternate hop limit is too low"),
    /** The alternate packet rate does not fit. */
    INVALID_ALT_PACKET_RATE(23, "the peer does not take the alternate packet rate"),
    /** The peer is to be asked at another port. */
    PORT_CM_REDIRECT(24, "the peer redirects to another port and connection manager"),
    /** The peer is to be asked at another port. */
    PORT_REDIRECT(25, "the peer redirects to another port"),
    /** The path MTU does not fit. */
    INVALID_MTU(26, "the peer does not take the path MTU"),
    /** The peer allows too few READs for this side. */
    INSUFFICIENT_RESP_RESOURCES(27, "the peer serves fewer READs and atomics at a time"),
    /** The program at the peer said no. */
    CONSUMER_DEFINED(28, "the peer's program said no, or closed before it answered"),
    /** The peer does not take the RNR retry count. */
    INVALID_RNR_RETRY(29, "the peer does not take the RNR retry count"),
    /** Both sides asked at once. */
    DUPLICATE_LOCAL_COMM_ID(30, "the peer has a request of the same number"),
    /** The peer does not know the version. */
    INVALID_CLASS_VERSION(31, "the peer does not know the protocol version"),
    /** The peer does not know the flow label. */
    INVALID_FLOW_LABEL(32, "the peer does not take the flow label"),
    /** The peer does not know the alternate flow label. */
    INVALID_ALT_FLOW_LABEL(33, "the peer does not take the alternate flow label"),
    /** The options of the vendors do not fit: {@link CmId#rejectEce}. */
    VENDOR_OPTION_NOT_SUPPORTED(35, "the peer does not support the vendor options (ECE)"),
    /** A number that this library does not know. */
    UNRECOGNIZED(-1, "a reason that is not known");

    private final int value;
    private final String text;

    RejectReason(int value, String text) {
        this.value = value;
        this.text = text;
    }

    /** {@return the number on the wire} */
    public int value() {
        return value;
    }

    /** {@return what it means, in a phrase} */
    public String describe() {
        return text;
    }

    /**
     * Finds the constant of a number; never fails.
     *
     * @param value a reason of the IBTA specification
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static RejectReason of(int value) {
        for (RejectReason each : values()) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
