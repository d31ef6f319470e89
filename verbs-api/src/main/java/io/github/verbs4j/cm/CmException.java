package io.github.verbs4j.cm;

import io.github.verbs4j.types.VerbsException;

/**
 * The connection manager reported something else than what was waited for. Carries the event, whose
 * private data a server that rejects may have filled.
 */
public final class CmException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** The event; an exception that was serialized has lost it. */
    private final transient CmEvent event;

    /** The type of the event. */
    private final CmEventType type;

    /** The status of the event. */
    private final int status;

    CmException(CmEvent event, CmEventType wanted) {
        super("rdma_get_cm_event", event.errno(), message(event, wanted));
        this.event = event;
        this.type = event.type();
        this.status = event.status();
    }

    private static String message(CmEvent event, CmEventType wanted) {
        String awaited = wanted == null ? "" : "waited for " + wanted + ", got ";
        CmId id = event.id();
        return awaited + event.describe() + (id == null ? "" : ", on " + id);
    }

    /** {@return the event, or null after the exception was serialized} */
    public CmEvent event() {
        return event;
    }

    /** {@return the type of the event} */
    public CmEventType type() {
        return type;
    }

    /** {@return the status of the event} */
    public int status() {
        return status;
    }

    /** {@return why the peer rejected the connection, or null when it is not that} */
    public RejectReason rejectReason() {
        return type == CmEventType.REJECTED && status > 0 ? RejectReason.of(status) : null;
    }

    /** {@return what the peer sent along, empty when there is nothing} */
    public byte[] privateData() {
        return event == null ? new byte[0] : event.privateData();
    }
}
