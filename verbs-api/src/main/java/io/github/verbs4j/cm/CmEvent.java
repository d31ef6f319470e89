package io.github.verbs4j.cm;

import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * An event of the connection manager: C's {@code struct rdma_cm_event}. A value: everything was
 * copied out of the native event, private data included, and that was acknowledged at once, so no
 * event keeps an id from closing.
 */
public final class CmEvent {

    private final CmEventType type;
    private final int rawType;
    private final int status;
    private final CmId id;
    private final CmId listenId;
    private final byte[] privateData;
    private final ConnParam connParam;
    private final UdParam udParam;
    private final InetAddress group;
    private final long argument;

    CmEvent(RawEvent raw, CmId id, CmId listenId, InetAddress group) {
        this.type = raw.type();
        this.rawType = raw.rawType();
        this.status = raw.status();
        this.id = id;
        this.listenId = listenId;
        this.privateData = raw.privateData();
        this.connParam = raw.connParam();
        this.udParam = raw.udParam();
        this.group = group;
        this.argument = raw.argument();
    }

    /** {@return what happened} */
    public CmEventType type() {
        return type;
    }

    /** {@return the number of the type, for types that this library does not know} */
    public int rawType() {
        return rawType;
    }

    /**
     * The id that it is about: for CONNECT_REQUEST a new one, which the program owns.
     *
     * @return the id, or null when the program closed or dropped it
     */
    public CmId id() {
        return id;
    }

    /**
     * The listening id that a CONNECT_REQUEST came to.
     *
     * @return the id; null for other events
     */
    public CmId listenId() {
        return listenId;
    }

    /** The id that a wait for it names: of a request the listener. */
    CmId subject() {
        return listenId == null ? id : listenId;
    }

    /**
     * How it went: 0 for good; −errno, or for REJECTED and UNREACHABLE the peer's reason. {@link
     * #describe} says it in words.
     *
     * @return the status
     */
    public int status() {
        return status;
    }

    /**
     * Why the peer rejected the connection. iWARP gives no reason, only an errno.
     *
     * @return the reason, or null when the event is not REJECTED or brings no reason
     */
    public RejectReason rejectReason() {
        return type == CmEventType.REJECTED && status > 0 ? RejectReason.of(status) : null;
    }

    /**
     * The bytes that the peer sent along. RoCE and InfiniBand pad them with zeros to all that the
     * message carries (56 of a request, 196 of an answer, 148 of a rejection), so the program must
     * know their length; iWARP gives the exact length.
     *
     * @return a copy, empty when there are none
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * What the peer offers, as seen from this side, for connection events of reliable ids.
     *
     * @return a copy, or null
     */
    public ConnParam connParam() {
        return connParam == null ? null : connParam.copy();
    }

    /**
     * How to reach the peer or group, for events of datagram ids and MULTICAST_JOIN.
     *
     * @return the parameters, or null
     */
    public UdParam udParam() {
        return udParam;
    }

    /**
     * The group that a MULTICAST event is about.
     *
     * @return its address, or null
     */
    public InetAddress group() {
        return group;
    }

    /**
     * What {@link CmId#writeCmEvent} sent with a USER event.
     *
     * @return the argument, otherwise 0
     */
    public long argument() {
        return argument;
    }

    /**
     * Says what happened and why, in a sentence.
     *
     * @return the sentence
     */
    public String describe() {
        if (status == 0) {
            return type.toString();
        }
        if (status < 0) {
            return type + " with status " + status + " (" + Errno.name(-status) + ")" + hint();
        }
        if (type == CmEventType.REJECTED) {
            RejectReason reason = RejectReason.of(status);
            return type + " with reason " + status + " (" + reason + "): " + reason.describe();
        }
        if (type == CmEventType.UNREACHABLE && udParam != null) {
            return type + " with status " + status + ": " + sidr(status);
        }
        return type + " with status " + status + " (" + Errno.name(status) + ")" + hint();
    }

    private static String sidr(int status) {
        return switch (status) {
            case 1 -> "nobody listens on that port of that address";
            case 2 -> "the peer's program said no";
            case 3 -> "the peer has no queue pair for it";
            case 4 -> "the peer redirects elsewhere";
            case 5 -> "the peer does not know the protocol version";
            default -> "a status that is not known";
        };
    }

    private String hint() {
        return switch (type) {
            case ADDR_ERROR -> addressHint();
            case ROUTE_ERROR -> ": there is no path to the address from the RDMA device";
            case UNREACHABLE ->
                    ": the host did not answer the request (is its RDMA device up, is UDP port 4791"
                            + " open?)";
            default -> "";
        };
    }

    private String addressHint() {
        InetSocketAddress peer = id == null ? null : id.core().peer();
        if (status == -Errno.ENODEV && peer != null) {
            return ": " + CmDevices.explainPeer(peer.getAddress());
        }
        if (status == -Errno.EINVAL) {
            return ": the address does not fit the device or the port space";
        }
        return ": the address"
                + (peer == null ? "" : " " + peer.getAddress().getHostAddress())
                + " did not answer on the network of the RDMA device (ARP, or IPv6 neighbour"
                + " discovery)";
    }

    /** The error number that stands for it in an exception. */
    int errno() {
        if (type == CmEventType.REJECTED) {
            return Errno.ECONNREFUSED;
        }
        if (type == CmEventType.UNREACHABLE && status > 0) {
            return Errno.EHOSTUNREACH;
        }
        if (status != 0) {
            return Math.abs(status);
        }
        // No failure by itself: it came where another was due.
        return switch (type) {
            case DISCONNECTED -> Errno.ECONNRESET;
            case DEVICE_REMOVAL -> Errno.ENODEV;
            default -> Errno.EPROTO;
        };
    }

    /**
     * Throws unless the event is of a type.
     *
     * @param wanted the type
     * @return this event
     * @throws CmException when it is of another type
     */
    public CmEvent expect(CmEventType wanted) {
        if (type != wanted || status != 0) {
            throw new CmException(this, wanted);
        }
        return this;
    }

    /**
     * The event as an exception.
     *
     * @return the exception to throw
     */
    public VerbsException toException() {
        return new CmException(this, null);
    }

    @Override
    public String toString() {
        return describe()
                + (id == null ? "" : " on " + id)
                + (privateData.length == 0
                        ? ""
                        : ", " + privateData.length + " bytes of private data");
    }
}
