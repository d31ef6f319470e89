package io.github.verbs4j.types;

/** What happened ({@code enum ibv_event_type}). */
public enum AsyncEventType {
    /** Completion queue: it overflowed, or broke. */
    CQ_ERR(0),

    /** Queue pair: it broke and is in the error state. */
    QP_FATAL(1),

    /** Queue pair: the peer sent an invalid request. */
    QP_REQ_ERR(2),

    /** Queue pair: the peer violated the access rights. */
    QP_ACCESS_ERR(3),

    /** Queue pair in RTR: the first message arrived. */
    COMM_EST(4),

    /** Queue pair in SQD: the send queue has drained. */
    SQ_DRAINED(5),

    /** Queue pair: it moved to the alternate path. */
    PATH_MIG(6),

    /** Queue pair: it could not move to the alternate path. */
    PATH_MIG_ERR(7),

    /** Device: it broke; close everything. */
    DEVICE_FATAL(8),

    /** Port: the link came up. */
    PORT_ACTIVE(9),

    /** Port: the link went down. */
    PORT_ERR(10),

    /** Port: its LID changed. */
    LID_CHANGE(11),

    /** Port: its partition key table changed. */
    PKEY_CHANGE(12),

    /** Port: the subnet manager changed. */
    SM_CHANGE(13),

    /** Shared receive queue: it broke. */
    SRQ_ERR(14),

    /** Shared receive queue: fewer receives are left than its limit. */
    SRQ_LIMIT_REACHED(15),

    /** Queue pair of a shared receive queue: in the error state, it took its last receive. */
    QP_LAST_WQE_REACHED(16),

    /** Port: the subnet manager asks for all subscriptions again. */
    CLIENT_REREGISTER(17),

    /** Port: its GID table changed. */
    GID_CHANGE(18),

    /** Work queue: it broke. */
    WQ_FATAL(19),

    /** Device: the speed of one of its ports changed; since rdma-core 62. */
    DEVICE_SPEED_CHANGE(20),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    /** What the event is about, and so what its element is. */
    public enum Element {
        /** A completion queue. */
        CQ,
        /** A queue pair. */
        QP,
        /** A shared receive queue. */
        SRQ,
        /** A work queue. */
        WQ,
        /** A port. */
        PORT,
        /** The device, or not known. */
        DEVICE
    }

    private static final AsyncEventType[] ALL = values();

    private final int value;

    AsyncEventType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_event_type})} */
    public int value() {
        return value;
    }

    /** {@return what the event is about} */
    public Element element() {
        return switch (this) {
            case CQ_ERR -> Element.CQ;
            case QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PATH_MIG,
                    PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED ->
                    Element.QP;
            case SRQ_ERR, SRQ_LIMIT_REACHED -> Element.SRQ;
            case WQ_FATAL -> Element.WQ;
            case PORT_ACTIVE,
                    PORT_ERR,
                    LID_CHANGE,
                    PKEY_CHANGE,
                    SM_CHANGE,
                    CLIENT_REREGISTER,
                    GID_CHANGE ->
                    Element.PORT;
            case DEVICE_FATAL, DEVICE_SPEED_CHANGE, UNRECOGNIZED -> Element.DEVICE;
        };
    }

    /** {@return whether something broke or was lost} */
    public boolean isError() {
        return switch (this) {
            case CQ_ERR,
                    QP_FATAL,
                    QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    PATH_MIG_ERR,
                    DEVICE_FATAL,
                    PORT_ERR,
                    SRQ_ERR,
                    WQ_FATAL ->
                    true;
            default -> false;
        };
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static AsyncEventType of(int value) {
        for (AsyncEventType each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
