package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.github.verbs4j.cm.CmState.CONNECTED;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/**
 * A reliable connection with all it needs: an id on an event channel of its own, a queue pair, a
 * completion queue for sends and one for receives, and receives posted before the peer could send.
 * {@link #connect} makes one, {@link RdmaListener#accept} the other end.
 *
 * <p>Safe for any thread, as its parts are, but for {@link #repost} and {@link #verbs}, which are
 * for one thread each. Any number of threads may wait for the end of the connection, and ask for it
 * meanwhile.
 */
public final class RdmaConnection implements AutoCloseable {

    private final SyncCmId sync;
    private final ConnectionOptions options;

    /** Closed in the opposite order. */
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private final QueuePair qp;
    private final CompletionChannel compChannel;
    private final RdmaVerbs verbs;
    private final MemoryRegion receiveRegion;
    private final RecvWr receive = new RecvWr(1);
    private volatile byte[] privateData = {};
    private volatile boolean closing;

    private RdmaConnection(SyncCmId sync, ConnectionOptions options) {
        this.sync = sync;
        this.options = options;
        parts.push(sync);
        try {
            Context context = sync.id().context();
            ProtectionDomain pd = options.pd() == null ? sync.id().pd() : options.pd();
            compChannel = options.hasCompChannel() ? part(context.createCompChannel()) : null;
            CompletionQueue sends = part(queue(context, options.maxSendWr()));
            CompletionQueue receives = part(queue(context, options.maxRecvWr()));
            receiveRegion =
                    options.receives() == 0
                            ? null
                            : part(
                                    pd.allocateMr(
                                            (long) options.receives() * options.receiveSize(),
                                            AccessFlag.LOCAL_WRITE));
            qp =
                    part(
                            sync.createQp(
                                    pd,
                                    new QpInitAttr(QpType.RC, sends, receives)
                                            .maxSendWr(options.maxSendWr())
                                            .maxRecvWr(options.maxRecvWr())
                                            .maxSendSge(options.maxSendSge())
                                            .maxRecvSge(options.maxRecvSge())
                                            .maxInlineData(options.maxInlineData())));
            verbs = new RdmaVerbs(qp);
            for (int i = 0; i < options.receives(); i++) {
                repost(i);
            }
            options.prepare(this);
        } catch (Throwable e) {
            closeParts(e);
            throw e;
        }
    }

    private <T extends AutoCloseable> T part(T made) {
        parts.push(made);
        return made;
    }

    private CompletionQueue queue(Context context, int depth) {
        return context.createCq(new CqInitAttr(Math.max(1, depth)).channel(compChannel));
    }

    // ---- making

    /**
     * Connects to a listener, with the defaults: 16 requests each way and no receives posted.
     *
     * @param peer its address
     * @return the connection; close it
     * @throws CmException as {@link #connect(InetSocketAddress, ConnectionOptions)}
     * @throws VerbsException as {@link #connect(InetSocketAddress, ConnectionOptions)}
     * @throws TimeoutException when it took too long
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_create_id, rdma_resolve_addr, rdma_resolve_route, rdma_create_qp,
     *     rdma_connect, rdma_get_cm_event
     */
    public static RdmaConnection connect(InetSocketAddress peer)
            throws InterruptedException, TimeoutException {
        return connect(peer, new ConnectionOptions());
    }

    /**
     * Connects to a listener.
     *
     * @param peer its address
     * @param options how
     * @return the connection; close it
     * @throws CmException ADDR_ERROR or ROUTE_ERROR: the address cannot be reached; REJECTED:
     *     nobody listens there, or the peer said no, perhaps with private data; UNREACHABLE: the
     *     host does not answer
     * @throws VerbsException ENODEV: no RDMA device; ENETUNREACH: no route to the address;
     *     EADDRNOTAVAIL: the local address is not of this machine
     * @throws TimeoutException when it took too long
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_create_id, rdma_resolve_addr, rdma_resolve_route, rdma_create_qp,
     *     rdma_connect, rdma_get_cm_event
     */
    public static RdmaConnection connect(InetSocketAddress peer, ConnectionOptions options)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(peer, "peer");
        long deadline = System.nanoTime() + Timeouts.nanos(options.timeout());
        SyncCmId sync = SyncCmId.create(options.portSpace());
        RdmaConnection connection = null;
        try {
            options.prepareId(sync.id());
            sync.resolveAddr(options.localAddress(), peer, left(deadline));
            sync.resolveRoute(left(deadline));
            connection = new RdmaConnection(sync, options);
            CmEvent established = sync.connect(options.connParam(), left(deadline));
            connection.privateData = established.privateData();
            return connection;
        } catch (Throwable e) {
            give(connection == null ? sync : connection, e);
            throw e;
        }
    }

    /** Makes the connection that a request asks for. */
    static RdmaConnection accept(CmEvent request, ConnectionOptions options)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(options, "options");
        long deadline = System.nanoTime() + Timeouts.nanos(options.timeout());
        SyncCmId sync = SyncCmId.ofRequest(request);
        RdmaConnection connection = null;
        try {
            options.prepareId(sync.id());
            connection = new RdmaConnection(sync, options);
            connection.privateData = request.privateData();
            sync.accept(options.connParam(), left(deadline));
            return connection;
        } catch (Throwable e) {
            give(connection == null ? sync : connection, e);
            throw e;
        }
    }

    private static Duration left(long deadline) throws TimeoutException {
        long nanos = deadline - System.nanoTime();
        if (nanos <= 0) {
            throw new TimeoutException("connecting took too long");
        }
        return Duration.ofMillis(Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
    }

    private static void give(AutoCloseable up, Throwable reason) {
        try {
            up.close();
        } catch (Exception e) {
            reason.addSuppressed(e);
        }
    }

    // ---- using

    /**
     * The queue pair, connected.
     *
     * @return the queue pair; closed with the connection
     */
    public QueuePair qp() {
        return qp;
    }

    /**
     * The id.
     *
     * @return the id; closed with the connection
     */
    public CmId id() {
        return sync.id();
    }

    /**
     * The domain of the queue pair: regions for it are made there, and closed by who made them.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return qp.pd();
    }

    /**
     * The completion channel of both completion queues.
     *
     * @return the channel, or null unless {@link ConnectionOptions#compChannel} asked for it
     */
    public CompletionChannel compChannel() {
        return compChannel;
    }

    /**
     * Short forms of posting and waiting. For one thread.
     *
     * @return the short forms
     */
    public RdmaVerbs verbs() {
        return verbs;
    }

    /**
     * The bytes that the peer sent with its request or answer; see {@link CmEvent#privateData}.
     *
     * @return a copy
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * The memory of a receive of {@link ConnectionOptions#receives}.
     *
     * @param number the {@code wr_id} of its completion
     * @return its memory, all of it; the completion tells how much was received
     * @throws IndexOutOfBoundsException when there is no such receive
     */
    public MemorySegment received(long number) {
        checkReceive(number);
        return receiveRegion
                .segment()
                .asSlice(number * options.receiveSize(), options.receiveSize());
    }

    /**
     * Posts a receive of {@link ConnectionOptions#receives} again, when its bytes are done with.
     * For one thread at a time.
     *
     * @param number the {@code wr_id} of its completion
     * @throws IndexOutOfBoundsException when there is no such receive
     * @throws io.github.verbs4j.types.PostException as {@link QueuePair#postRecv(RecvWr)}
     * @verbs.calls ibv_post_recv
     */
    public void repost(long number) {
        checkReceive(number);
        receive.wrId(number)
                .sge(receiveRegion, number * options.receiveSize(), options.receiveSize());
        qp.postRecv(receive);
    }

    private void checkReceive(long number) {
        if (number < 0 || number >= options.receives()) {
            throw new IndexOutOfBoundsException(
                    "receive " + number + ", there are " + options.receives());
        }
    }

    /**
     * Tells whether the connection stands, as far as is known without a message. When the peer has
     * disconnected, this side does too, and what was posted completes as flushed.
     *
     * @return false once either side has disconnected
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the connection is closed
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event, rdma_disconnect
     */
    public boolean isConnected() throws InterruptedException {
        CmEvent event = sync.id().getCmEvent(Duration.ZERO);
        if (event != null && event.type() == DISCONNECTED) {
            disconnect();
        }
        return sync.id().state() == CONNECTED;
    }

    /**
     * Waits until the peer disconnects or vanishes. Then this side disconnects too: what was posted
     * completes as flushed, and ends the waits for completions. When this side disconnects by
     * {@link CmId#disconnect}, the wait ends, too.
     *
     * @param timeout how long at most
     * @return whether the connection has ended
     * @throws CmException when something else happened: after DEVICE_REMOVAL in every thread and
     *     from then on; another event in the thread that takes it
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the connection is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event, rdma_disconnect
     */
    public boolean awaitDisconnected(Duration timeout) throws InterruptedException {
        CmId id = sync.id();
        CmEvent event = id.nextWhile(() -> id.state() == CONNECTED, timeout);
        if (closing) {
            throw new IllegalStateException("the connection is closed");
        }
        if (event != null && event.type() != DISCONNECTED) {
            event.expect(DISCONNECTED);
        }
        CmState state = id.state();
        if (state == CmState.DISCONNECTED) {
            disconnect(); // also when another thread took the event: it may not have come to this
        }
        return state != CONNECTED;
    }

    private void disconnect() {
        try {
            sync.id().disconnect();
        } catch (VerbsException | IllegalStateException e) {
            // The peer was faster, or another thread closes: the connection ends all the same.
        }
    }

    /**
     * Disconnects, and closes the queue pair, its completion queues, the receives' region, the id
     * and its channel, in this order. What was posted and has not completed is dropped: wait for
     * the completion of the last send before closing. May be called in any state and twice.
     *
     * @throws VerbsException the first failure, after everything was tried
     * @verbs.calls rdma_disconnect, rdma_destroy_qp, ibv_destroy_cq, ibv_dereg_mr, rdma_destroy_id,
     *     rdma_destroy_event_channel
     */
    @Override
    public void close() {
        closing = true; // or else those who wait would be told that the peer went
        if (sync.id().isOpen() && sync.id().state() == CONNECTED) {
            disconnect();
        }
        RuntimeException failure = closeParts(null);
        if (failure != null) {
            throw failure;
        }
    }

    private RuntimeException closeParts(Throwable reason) {
        RuntimeException failure = null;
        synchronized (parts) {
            while (!parts.isEmpty()) {
                try {
                    parts.pop().close();
                } catch (RuntimeException e) {
                    if (reason != null) {
                        reason.addSuppressed(e);
                    } else if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                } catch (Exception e) {
                    throw new AssertionError("parts throw nothing else", e);
                }
            }
        }
        return failure;
    }

    @Override
    public String toString() {
        return "RdmaConnection[" + qp + ", " + sync.id() + "]";
    }
}
