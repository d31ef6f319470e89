package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.github.verbs4j.cm.CmEventType.MULTICAST_JOIN;
import static io.github.verbs4j.cm.CmEventType.ROUTE_RESOLVED;
import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.rdma_addrinfo;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * An id whose calls wait for their event: what C has when {@code rdma_create_id} gets no channel.
 * There a call may wait for ever; here it waits on a channel of the id's own, with a timeout, and
 * ends when the thread is interrupted or the id closed.
 *
 * <p>Safe for any thread. Make one call at a time, but for {@link #getRequest} and {@link
 * #disconnect}: each of the others waits for the next event of the id, and two at once could take
 * each other's. All that does not wait is on {@link #id}.
 */
public final class SyncCmId implements AutoCloseable {

    private final EventChannel channel;
    private final CmId id;

    private SyncCmId(EventChannel channel, CmId id) {
        this.channel = channel;
        this.id = id;
    }

    /**
     * Creates an id.
     *
     * @param ps where its ports are counted, and what it connects
     * @return the id; close it
     * @throws VerbsException ENODEV: no RDMA device
     * @verbs.calls rdma_create_event_channel, rdma_create_id
     */
    public static SyncCmId create(PortSpace ps) {
        EventChannel channel = EventChannel.create();
        try {
            return new SyncCmId(channel, channel.createId(ps));
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Creates an id for a name: bound to the address, for a listener; with its route resolved, for
     * a client. librdmacm allows 2 seconds for either resolution, which cannot be interrupted.
     *
     * @param node a host name or address; null for this host
     * @param service a port number or service name
     * @param hints what to look for
     * @return the id; close it
     * @throws VerbsException as {@link AddrInfo#getaddrinfo}, {@link CmId#bindAddr}, {@link
     *     CmId#resolveAddr} and {@link CmId#resolveRoute}; ETIMEDOUT: not resolved in time
     * @verbs.calls rdma_getaddrinfo, rdma_create_ep, rdma_migrate_id, rdma_freeaddrinfo
     */
    public static SyncCmId createEp(String node, String service, AddrInfo.Hints hints) {
        EventChannel channel = EventChannel.create();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = AddrInfo.lookUp(node, service, hints, arena);
            try {
                MemorySegment out = arena.allocate(ADDRESS);
                AddrInfo address = AddrInfo.copy(list).getFirst();
                int result =
                        RdmaCm.rdma_create_ep(
                                out,
                                Structs.view(list, rdma_addrinfo.sizeof()),
                                MemorySegment.NULL,
                                MemorySegment.NULL);
                if (result != 0) {
                    throw Check.failure(
                            "rdma_create_ep", IdCore.lastErrno(), CmErrno.about(address));
                }
                return new SyncCmId(channel, adopt(channel, address, out.get(ADDRESS, 0)));
            } finally {
                RdmaCmOptions.rdma_freeaddrinfo(list);
            }
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static CmId adopt(EventChannel channel, AddrInfo address, MemorySegment pointer) {
        int result = RdmaCmOptions.rdma_migrate_id(pointer, channel.handle());
        if (result != 0) {
            int errno = io.github.verbs4j.ffi.Errno.last();
            RdmaCm.rdma_destroy_ep(pointer);
            throw Check.failure("rdma_migrate_id", errno, CmErrno.about(address));
        }
        PortSpace ps = PortSpace.of(rdma_cm_id.ps(Structs.view(pointer, rdma_cm_id.sizeof())));
        CmState state = address.passive() ? CmState.BOUND : CmState.ROUTE_RESOLVED;
        return CmId.over(channel, ps, state, pointer);
    }

    /**
     * The id, for all that does not wait.
     *
     * @return the id
     */
    public CmId id() {
        return id;
    }

    /**
     * Finds the device that reaches an address, and the path to it.
     *
     * @param peer the address
     * @param timeout how long at most for each of the two
     * @throws CmException ADDR_ERROR: the address does not answer; ROUTE_ERROR: there is no path
     * @throws VerbsException ENETUNREACH: there is no route
     * @throws TimeoutException when the kernel does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_resolve_addr, rdma_resolve_route, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void resolve(InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        resolveAddr(peer, timeout);
        resolveRoute(timeout);
    }

    /**
     * Finds the device that reaches an address.
     *
     * @param peer the address
     * @param timeout how long at most
     * @throws CmException ADDR_ERROR: the address does not answer
     * @throws VerbsException ENETUNREACH: there is no route
     * @throws TimeoutException when the kernel does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_resolve_addr, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void resolveAddr(InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        resolveAddr(null, peer, timeout);
    }

    /**
     * Finds the device that reaches an address from a local one.
     *
     * @param local the local address, or null
     * @param peer the address
     * @param timeout how long at most
     * @throws CmException ADDR_ERROR: the address does not answer
     * @throws VerbsException ENETUNREACH: there is no route; EADDRNOTAVAIL: the local address is
     *     not of this machine
     * @throws TimeoutException when the kernel does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_resolve_addr, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void resolveAddr(InetSocketAddress local, InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        id.resolveAddr(local, peer, timeout);
        id.await(ADDR_RESOLVED, grace(timeout));
    }

    /**
     * Finds the path to the resolved address.
     *
     * @param timeout how long at most
     * @throws CmException ROUTE_ERROR: there is no path
     * @throws TimeoutException when the kernel does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_resolve_route, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void resolveRoute(Duration timeout) throws InterruptedException, TimeoutException {
        id.resolveRoute(timeout);
        id.await(ROUTE_RESOLVED, grace(timeout));
    }

    /** The kernel times out by itself, some ticks late, and says why. */
    private static Duration grace(Duration timeout) {
        Duration most = Duration.ofMillis(Integer.MAX_VALUE);
        return (timeout.compareTo(most) < 0 ? timeout : most).plusSeconds(1);
    }

    /**
     * Creates the queue pair, as {@link CmId#createQp(ProtectionDomain, QpInitAttr)}.
     *
     * @param pd a domain of the id's context
     * @param attr its attributes
     * @return the queue pair
     * @verbs.calls rdma_create_qp
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        return id.createQp(pd, attr);
    }

    /**
     * Connects.
     *
     * @param param what to ask for
     * @param timeout how long to wait for the peer
     * @return the event, with the peer's private data
     * @throws CmException REJECTED, UNREACHABLE or CONNECT_ERROR
     * @throws TimeoutException when the peer does not answer in time; close the id
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_connect, rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent connect(ConnParam param, Duration timeout)
            throws InterruptedException, TimeoutException {
        id.connect(param);
        return id.await(ESTABLISHED, timeout);
    }

    /**
     * Waits for a connection request to this listening id: C's {@code rdma_get_request}.
     *
     * @param timeout how long at most
     * @return a new id for it, which waits on a channel of its own; {@link #accept} or reject it
     * @throws CmException when something else happened: after DEVICE_REMOVAL in every thread and
     *     from then on
     * @throws TimeoutException when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the id is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event, rdma_migrate_id
     */
    public SyncCmId getRequest(Duration timeout) throws InterruptedException, TimeoutException {
        return ofRequest(id.awaitRequest(timeout));
    }

    /** The id of a request, on a channel of its own. */
    static SyncCmId ofRequest(CmEvent request) {
        CmId asking = request.id();
        EventChannel own = null;
        try {
            own = EventChannel.create();
            asking.migrate(own);
            return new SyncCmId(own, asking);
        } catch (RuntimeException e) {
            asking.close();
            if (own != null) {
                own.close();
            }
            throw e;
        }
    }

    /**
     * Accepts the request, and waits until the peer has heard of it. Of a datagram id it does not
     * wait.
     *
     * @param param what to offer
     * @param timeout how long to wait for the peer
     * @throws CmException when the peer gave up
     * @throws TimeoutException when the peer does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_accept, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void accept(ConnParam param, Duration timeout)
            throws InterruptedException, TimeoutException {
        id.accept(param);
        if (!id.ps().isDatagram()) {
            id.await(ESTABLISHED, timeout);
        }
    }

    /**
     * Disconnects, and waits until the peer has disconnected, too. C waits for ever. May be called
     * twice, and while other threads wait for events of the id.
     *
     * @param timeout how long at most
     * @throws CmException when the peer does not answer any more, or something else has ended the
     *     connection, as DEVICE_REMOVAL
     * @throws TimeoutException when the peer has not disconnected in time; this side has
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_disconnect, rdma_get_cm_event, rdma_ack_cm_event
     */
    public void disconnect(Duration timeout) throws InterruptedException, TimeoutException {
        id.disconnect();
        CmEvent event = id.nextWhile(() -> id.core().end() == null, timeout);
        if (event == null) {
            throw new TimeoutException("the peer has not disconnected within " + timeout);
        }
        event.expect(DISCONNECTED);
    }

    /**
     * Joins a multicast group.
     *
     * @param group its address
     * @param timeout how long at most
     * @return how to reach the group
     * @throws CmException MULTICAST_ERROR
     * @throws TimeoutException when there is no answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_join_multicast, rdma_get_cm_event, rdma_ack_cm_event
     */
    public UdParam joinMulticast(InetAddress group, Duration timeout)
            throws InterruptedException, TimeoutException {
        id.joinMulticast(group);
        return id.await(MULTICAST_JOIN, timeout).udParam();
    }

    /**
     * Joins a multicast group, for sending only or for both.
     *
     * @param group its address
     * @param flag whether to receive from it, too
     * @param timeout how long at most
     * @return how to reach the group
     * @throws CmException MULTICAST_ERROR
     * @throws VerbsException EINVAL: the kernel or fabric cannot do it that way
     * @throws TimeoutException when there is no answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_join_multicast_ex, rdma_get_cm_event, rdma_ack_cm_event
     */
    public UdParam joinMulticast(InetAddress group, JoinFlag flag, Duration timeout)
            throws InterruptedException, TimeoutException {
        id.joinMulticast(group, flag);
        return id.await(MULTICAST_JOIN, timeout).udParam();
    }

    /**
     * Closes the id and its channel.
     *
     * @verbs.calls rdma_destroy_id, rdma_destroy_event_channel
     */
    @Override
    public void close() {
        try {
            id.close();
        } finally {
            channel.close();
        }
    }

    @Override
    public String toString() {
        return "Sync" + id;
    }
}
