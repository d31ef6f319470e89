package io.github.verbs4j.cm;

/** What the connection manager reports: C's {@code enum rdma_cm_event_type}. */
public enum CmEventType {
    /** The address is resolved: the id has a device. Answers {@link CmId#resolveAddr}. */
    ADDR_RESOLVED(0),
    /** The address could not be resolved; the id may try again. */
    ADDR_ERROR(1),
    /** The route is resolved. Answers {@link CmId#resolveRoute}. */
    ROUTE_RESOLVED(2),
    /** The route could not be resolved; the id may try again. */
    ROUTE_ERROR(3),
    /** A peer wants to connect to a listening id; the event brings a new id for it. */
    CONNECT_REQUEST(4),
    /** The peer accepted an id without a queue pair of its own: {@link CmId#establish} is next. */
    CONNECT_RESPONSE(5),
    /** Connecting failed on this side. */
    CONNECT_ERROR(6),
    /** The peer did not answer, or has no such datagram service. */
    UNREACHABLE(7),
    /** The peer rejected the connection, or nobody listens on its port. */
    REJECTED(8),
    /** The connection is made. */
    ESTABLISHED(9),
    /** The connection has ended. */
    DISCONNECTED(10),
    /** The device goes away: everything on it must be closed. */
    DEVICE_REMOVAL(11),
    /** The multicast group is joined. Answers {@link CmId#joinMulticast}. */
    MULTICAST_JOIN(12),
    /** The multicast group could not be joined, or was lost. */
    MULTICAST_ERROR(13),
    /** The device's address changed, as when a bond fails over. */
    ADDR_CHANGE(14),
    /** The queue pair of an ended connection may be used again. */
    TIMEWAIT_EXIT(15),
    /** Names of services resolved to addresses (rdma-core 60 and later). */
    ADDRINFO_RESOLVED(16),
    /** Names of services could not be resolved (rdma-core 60 and later). */
    ADDRINFO_ERROR(17),
    /** An event of the program's own (rdma-core 60 and later). */
    USER(18),
    /** A number that this library does not know. */
    UNRECOGNIZED(-1);

    private static final CmEventType[] ALL = values();

    private final int value;

    CmEventType(int value) {
        this.value = value;
    }

    /** {@return the number in C} */
    public int value() {
        return value;
    }

    /**
     * Finds the constant of a number; never fails.
     *
     * @param value a number of {@code enum rdma_cm_event_type}
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static CmEventType of(int value) {
        return value >= 0 && value < UNRECOGNIZED.ordinal() ? ALL[value] : UNRECOGNIZED;
    }
}
