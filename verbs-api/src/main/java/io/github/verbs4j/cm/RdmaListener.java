package io.github.verbs4j.cm;

import io.github.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/**
 * Accepts reliable connections. Several threads may accept; closing the listener ends their waits
 * and rejects those who still ask, and leaves the connections that were made.
 */
public final class RdmaListener implements AutoCloseable {

    private static final int BACKLOG = 128;

    private final EventChannel events;
    private final CmId id;
    private final ConnectionOptions options;

    private RdmaListener(InetSocketAddress local, ConnectionOptions options) {
        Objects.requireNonNull(local, "local");
        this.options = Objects.requireNonNull(options, "options");
        events = EventChannel.create();
        try {
            id = events.createId(options.portSpace());
            options.prepareId(id);
            id.bindAddr(local);
            id.listen(BACKLOG);
        } catch (RuntimeException e) {
            events.close();
            throw e;
        }
    }

    /**
     * Listens with the default options.
     *
     * @param local the address; the wildcard listens on all devices, port 0 lets the system choose
     * @return the listener; close it
     * @throws VerbsException EADDRINUSE: the port is taken; EADDRNOTAVAIL, ENODEV: no RDMA device
     *     has the address
     * @verbs.calls rdma_create_event_channel, rdma_create_id, rdma_bind_addr, rdma_listen
     */
    public static RdmaListener bind(InetSocketAddress local) {
        return new RdmaListener(local, new ConnectionOptions());
    }

    /**
     * Listens.
     *
     * @param local the address; the wildcard listens on all devices, port 0 lets the system choose
     * @param options how {@link #accept(Duration)} makes connections
     * @return the listener; close it
     * @throws VerbsException EADDRINUSE: the port is taken; EADDRNOTAVAIL, ENODEV: no RDMA device
     *     has the address
     * @verbs.calls rdma_create_event_channel, rdma_create_id, rdma_bind_addr, rdma_listen
     */
    public static RdmaListener bind(InetSocketAddress local, ConnectionOptions options) {
        return new RdmaListener(local, options);
    }

    /**
     * Where it listens.
     *
     * @return the address with its port
     * @verbs.calls rdma_get_local_addr
     */
    public InetSocketAddress localAddress() {
        return id.getLocalAddr();
    }

    /**
     * The listening id.
     *
     * @return the id; closed with the listener
     */
    public CmId id() {
        return id;
    }

    /**
     * Accepts the next connection with the listener's options.
     *
     * @param timeout how long to wait for a request
     * @return the connection; close it
     * @throws TimeoutException when nobody asked in time, or making the connection took too long
     * @throws CmException when the one who asked has given up; the listener goes on. Or as {@link
     *     #next}
     * @throws VerbsException when the connection could not be made; the listener goes on
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the listener is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_create_qp, rdma_accept
     */
    public RdmaConnection accept(Duration timeout) throws InterruptedException, TimeoutException {
        return next(timeout).accept(options);
    }

    /**
     * Waits for the next request, to be looked at before it is accepted or rejected.
     *
     * @param timeout how long at most
     * @return the request
     * @throws CmException when something else happened: after DEVICE_REMOVAL in every thread and
     *     from then on
     * @throws TimeoutException when nobody asked in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the listener is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public Request next(Duration timeout) throws InterruptedException, TimeoutException {
        return new Request(id.awaitRequest(timeout));
    }

    /**
     * Tells whether the listener has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return id.isOpen();
    }

    /**
     * Ends the waits of {@link #accept}, rejects those who still ask, and closes the listener.
     *
     * @verbs.calls rdma_destroy_id, rdma_destroy_event_channel
     */
    @Override
    public void close() {
        try {
            id.close(); // it may have been moved to another channel
        } finally {
            events.close();
        }
    }

    @Override
    public String toString() {
        return "RdmaListener[" + id + "]";
    }

    /** A peer that wants to connect. Accept it, or close it, which rejects. */
    public static final class Request implements AutoCloseable {

        private final CmEvent event;

        private Request(CmEvent event) {
            this.event = event;
        }

        /**
         * Who asks.
         *
         * @return the address with its port
         * @verbs.calls rdma_get_peer_addr
         */
        public InetSocketAddress peerAddress() {
            return event.id().getPeerAddr();
        }

        /**
         * The bytes that it sent along; see {@link CmEvent#privateData}.
         *
         * @return a copy
         */
        public byte[] privateData() {
            return event.privateData();
        }

        /**
         * What it asks for.
         *
         * @return the parameters
         */
        public ConnParam connParam() {
            return event.connParam();
        }

        /**
         * Its id.
         *
         * @return the id, in state REQUESTED
         */
        public CmId id() {
            return event.id();
        }

        /**
         * Makes the connection.
         *
         * @param options how
         * @return the connection; close it
         * @throws CmException when the one who asked has given up
         * @throws VerbsException when the connection could not be made
         * @throws TimeoutException when making it took too long
         * @throws InterruptedException when the thread is interrupted
         * @verbs.calls rdma_create_qp, rdma_accept, rdma_get_cm_event
         */
        public RdmaConnection accept(ConnectionOptions options)
                throws InterruptedException, TimeoutException {
            return RdmaConnection.accept(event, options);
        }

        /**
         * Rejects the request.
         *
         * @param privateData bytes that tell the peer why, 148 at most
         * @throws VerbsException when the one who asked has given up
         * @verbs.calls rdma_reject, rdma_destroy_id
         */
        public void reject(byte... privateData) {
            try {
                event.id().reject(privateData);
            } finally {
                close();
            }
        }

        /**
         * Rejects the request, unless it was accepted: then its connection owns the id.
         *
         * @verbs.calls rdma_destroy_id
         */
        @Override
        public void close() {
            CmState state = event.id().state();
            if (state == CmState.REQUESTED
                    || state == CmState.REJECTED
                    || state == CmState.FAILED) {
                event.id().close();
            }
        }
    }
}
