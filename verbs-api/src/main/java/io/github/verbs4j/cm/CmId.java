package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ACCEPTED;
import static io.github.verbs4j.cm.CmState.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmState.BOUND;
import static io.github.verbs4j.cm.CmState.CONNECTED;
import static io.github.verbs4j.cm.CmState.CONNECTING;
import static io.github.verbs4j.cm.CmState.DISCONNECTED;
import static io.github.verbs4j.cm.CmState.FAILED;
import static io.github.verbs4j.cm.CmState.IDLE;
import static io.github.verbs4j.cm.CmState.LISTENING;
import static io.github.verbs4j.cm.CmState.REJECTED;
import static io.github.verbs4j.cm.CmState.REQUESTED;
import static io.github.verbs4j.cm.CmState.RESOLVING_ADDR;
import static io.github.verbs4j.cm.CmState.RESOLVING_ROUTE;
import static io.github.verbs4j.cm.CmState.RESPONDED;
import static io.github.verbs4j.cm.CmState.ROUTE_RESOLVED;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.ibv_ece;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One end of a connection, or a listener: C's {@code struct rdma_cm_id}. Its calls start something
 * and return; an event on its channel tells how it ended ({@link #await}). Safe for any thread.
 *
 * <p>A call that does not fit the {@linkplain #state state} throws {@code IllegalStateException};
 * in C some of them crash. Closing an id closes its queue pair first, leaves its multicast groups,
 * and tells the peer.
 *
 * <p>{@link SyncCmId} is an id whose calls wait by themselves; {@link RdmaListener} and {@link
 * RdmaConnection} do all of it for the common case.
 */
public final class CmId implements AutoCloseable {

    private final IdCore core;

    private CmId(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        handle.acquire(); // or else the channel has closed meanwhile, and this with it
        try {
            this.core = new IdCore(this, channel, ps, state, handle);
            CmIds.add(core.address(), this);
        } finally {
            handle.release();
        }
        LeakDetector.watch(this, handle);
    }

    static CmId create(EventChannel channel, PortSpace ps) {
        Objects.requireNonNull(ps, "ps");
        NativeHandle owner = channel.nativeHandle();
        NativeHandle handle =
                NativeHandle.create(
                        "CmId",
                        () -> {
                            try (Arena arena = Arena.ofConfined()) {
                                MemorySegment out = arena.allocate(ADDRESS);
                                int result =
                                        RdmaCm.rdma_create_id(
                                                owner.pointer(),
                                                out,
                                                MemorySegment.NULL,
                                                ps.value());
                                if (result != 0) {
                                    throw Check.failure(
                                            "rdma_create_id",
                                            IdCore.lastErrno(),
                                            CmErrno.about("port space " + ps));
                                }
                                return out.get(ADDRESS, 0);
                            }
                        },
                        destroyer(channel),
                        owner);
        return new CmId(channel, ps, IDLE, handle);
    }

    /** An id that librdmacm made, on a channel of ours. */
    static CmId over(EventChannel channel, PortSpace ps, CmState state, MemorySegment pointer) {
        try {
            NativeHandle handle =
                    NativeHandle.create(
                            "CmId", () -> pointer, destroyer(channel), channel.nativeHandle());
            return new CmId(channel, ps, state, handle);
        } catch (IllegalStateException e) {
            // The channel closes at this moment: nobody else would destroy the id.
            RdmaCm.rdma_destroy_id(pointer);
            throw e;
        }
    }

    static CmId requested(EventChannel channel, PortSpace ps, MemorySegment pointer) {
        return over(channel, ps, REQUESTED, pointer);
    }

    /** Refers to no CmId: that would keep the lost ones from being noticed. */
    private static NativeHandle.Destroyer destroyer(EventChannel made) {
        return pointer -> {
            CmId id = CmIds.find(pointer.address());
            EventChannel channel = id == null ? made : id.core.channel();
            // In this order: no event taken after it was forgotten may be kept for it.
            Object closing = CmIds.closing(pointer.address());
            channel.forget(pointer.address());
            try {
                Check.notMinusOne("rdma_destroy_id", RdmaCm.rdma_destroy_id(pointer));
            } finally {
                CmIds.remove(pointer.address(), closing);
            }
        };
    }

    /** It waits for an event: nobody else may refer to it meanwhile. */
    private void pin() {
        nativeHandle()
                .within(
                        pointer -> {
                            CmIds.pin(this);
                            return null;
                        });
    }

    // ---- addresses

    /**
     * Gives the id a local address.
     *
     * @param local the address; port 0 lets the system choose, the wildcard address means all
     *     devices
     * @throws IllegalArgumentException when the host name was not resolved
     * @throws IllegalStateException when the id is not in state IDLE
     * @throws VerbsException EADDRNOTAVAIL: the address is not of this machine; EADDRINUSE: the
     *     port is taken in the id's port space; EACCES: a port below 1024; ENODEV: no RDMA device
     *     has the address
     * @verbs.calls rdma_bind_addr
     */
    public void bindAddr(InetSocketAddress local) {
        Objects.requireNonNull(local, "local");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment addr = SockAddrCodec.write(local, arena);
            core.call(
                    "rdma_bind_addr",
                    id -> RdmaCm.rdma_bind_addr(id, addr),
                    errno -> explainLocal(errno, local),
                    BOUND,
                    IDLE);
        }
    }

    private String explainLocal(int errno, InetSocketAddress local) {
        return switch (errno) {
            case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
                    local + ": " + CmDevices.explain(local.getAddress());
            case Errno.EADDRINUSE ->
                    local + " is taken in port space " + ps() + " (setReuseAddr shares it)";
            case Errno.EINVAL ->
                    ps() == PortSpace.IPOIB
                            ? local + ": port space IPOIB needs an address of IP over InfiniBand"
                            : CmErrno.meaning(errno) + ": " + local;
            case Errno.EACCES -> "port " + local.getPort() + " needs CAP_NET_BIND_SERVICE";
            default -> CmErrno.meaning(errno) + ": " + local;
        };
    }

    /**
     * Starts to listen for connection requests, which arrive as CONNECT_REQUEST events with a new
     * id each. An id without an address gets the wildcard and a port.
     *
     * @param backlog how many requests wait at most until they are accepted or rejected, 0 for as
     *     many as the system allows; further ones are dropped in silence, and their senders try
     *     again for some time
     * @throws IllegalArgumentException when the number is negative
     * @throws IllegalStateException when the id is not in state IDLE or BOUND
     * @throws VerbsException EADDRINUSE: the port is taken
     * @verbs.calls rdma_listen
     */
    public void listen(int backlog) {
        Check.range("backlog", backlog, 0, Integer.MAX_VALUE);
        pin();
        core.call(
                "rdma_listen",
                id -> RdmaCm.rdma_listen(id, backlog),
                IdCore::noDetail,
                LISTENING,
                IDLE,
                BOUND);
    }

    /**
     * Starts to find the device and, on RoCE and InfiniBand, the link address that reach an
     * address. ADDR_RESOLVED or ADDR_ERROR answers.
     *
     * @param peer the address
     * @param timeout how long the kernel waits for the peer's link address, 1 ms or more
     * @throws IllegalArgumentException when the host name was not resolved, or the timeout is less
     *     than 1 ms
     * @throws IllegalStateException when the id is not in state IDLE or BOUND
     * @throws VerbsException ENETUNREACH: there is no route to the address
     * @verbs.calls rdma_resolve_addr
     */
    public void resolveAddr(InetSocketAddress peer, Duration timeout) {
        resolveAddr(null, peer, timeout);
    }

    /**
     * Starts to find the device that reaches an address from a local one. ADDR_RESOLVED or
     * ADDR_ERROR answers.
     *
     * @param local the local address, or null
     * @param peer the address
     * @param timeout how long the kernel waits for the peer's link address, 1 ms or more
     * @throws IllegalArgumentException when a host name was not resolved, the addresses are of
     *     different families, or the timeout is less than 1 ms
     * @throws IllegalStateException when the id is not in state IDLE or BOUND
     * @throws VerbsException ENETUNREACH: there is no route to the address; EADDRNOTAVAIL: the
     *     local address is not of this machine
     * @verbs.calls rdma_resolve_addr
     */
    public void resolveAddr(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        Objects.requireNonNull(peer, "peer");
        int millis = millis(timeout);
        if (local != null && isIpv6(local) != isIpv6(peer)) {
            throw new IllegalArgumentException(
                    "local " + local + " and peer " + peer + " are of different families");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment src =
                    local == null ? MemorySegment.NULL : SockAddrCodec.write(local, arena);
            MemorySegment dst = SockAddrCodec.write(peer, arena);
            pin();
            core.peer(peer);
            core.call(
                    "rdma_resolve_addr",
                    id -> RdmaCm.rdma_resolve_addr(id, src, dst, millis),
                    errno -> explainPeer(errno, local, peer),
                    RESOLVING_ADDR,
                    IDLE,
                    BOUND);
        }
    }

    private String explainPeer(int errno, InetSocketAddress local, InetSocketAddress peer) {
        return switch (errno) {
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                    "there is no route to " + peer.getAddress().getHostAddress();
            case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
                    local == null
                            ? CmDevices.explainPeer(peer.getAddress())
                            : CmDevices.explain(local.getAddress());
            default ->
                    CmErrno.meaning(errno) + ": " + peer + (local == null ? "" : " from " + local);
        };
    }

    private String explainRoute(int errno) {
        InetSocketAddress peer = core.peer();
        if (peer == null) {
            return CmErrno.meaning(errno);
        }
        return errno == Errno.ENODEV
                ? CmDevices.explainPeer(peer.getAddress())
                : CmErrno.meaning(errno) + ": to " + peer;
    }

    private static boolean isIpv6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    /** The kernel counts 24 days at most. */
    static int millis(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        long millis = Timeouts.nanos(timeout) / 1_000_000;
        if (millis < 1) {
            throw new IllegalArgumentException("timeout is " + timeout + ", must be 1 ms or more");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    /**
     * Starts to find the path to the resolved address. ROUTE_RESOLVED or ROUTE_ERROR answers.
     *
     * @param timeout how long the kernel waits for the subnet manager, 1 ms or more
     * @throws IllegalStateException when the id is not in state ADDR_RESOLVED
     * @throws VerbsException when there is no path
     * @verbs.calls rdma_resolve_route
     */
    public void resolveRoute(Duration timeout) {
        int millis = millis(timeout);
        core.call(
                "rdma_resolve_route",
                id -> RdmaCm.rdma_resolve_route(id, millis),
                this::explainRoute,
                RESOLVING_ROUTE,
                ADDR_RESOLVED);
    }

    /**
     * The local address.
     *
     * @return the address with its port, or null before there is one
     * @verbs.calls rdma_get_local_addr
     */
    public InetSocketAddress getLocalAddr() {
        return core.inState(
                "rdma_get_local_addr",
                id -> SockAddrCodec.read(RdmaCmOptions.rdma_get_local_addr(id)));
    }

    /**
     * The peer's address.
     *
     * @return the address with its port, or null before there is one
     * @verbs.calls rdma_get_peer_addr
     */
    public InetSocketAddress getPeerAddr() {
        return core.inState(
                "rdma_get_peer_addr",
                id -> SockAddrCodec.read(RdmaCmOptions.rdma_get_peer_addr(id)));
    }

    /**
     * The local port.
     *
     * @return 1 to 65535, or 0 before there is one
     * @verbs.calls rdma_get_src_port
     */
    public int getSrcPort() {
        return core.inState("rdma_get_src_port", id -> port(RdmaCmOptions.rdma_get_src_port(id)));
    }

    /**
     * The peer's port.
     *
     * @return 1 to 65535, or 0 before there is one
     * @verbs.calls rdma_get_dst_port
     */
    public int getDstPort() {
        return core.inState("rdma_get_dst_port", id -> port(RdmaCmOptions.rdma_get_dst_port(id)));
    }

    private static int port(short networkOrder) {
        return Short.toUnsignedInt(NetworkOrder.toHost(networkOrder));
    }

    // ---- queue pairs

    /**
     * Creates the id's queue pair in the default domain of its device.
     *
     * @param attr its completion queues, made from {@link #context}, and capabilities
     * @return the queue pair, in INIT: receives can be posted; or, of a datagram id, in RTS
     * @throws IllegalStateException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @throws IllegalArgumentException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @throws VerbsException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @verbs.calls rdma_create_qp
     */
    public QueuePair createQp(QpInitAttr attr) {
        return createQp(pd(), attr);
    }

    /**
     * Creates the id's queue pair. The connection manager moves it from state to state; closing it,
     * or the id, ends it. With {@link io.github.verbs4j.QpInitAttrEx} it is a {@link
     * io.github.verbs4j.QueuePairEx}. Without a shared receive queue it takes that of {@link
     * #createSrq}, if there is one.
     *
     * @param pd a domain made from {@link #context}
     * @param attr its completion queues, made from {@link #context}, and capabilities
     * @return the queue pair, in INIT: receives can be posted; or, of a datagram id, in RTS
     * @throws IllegalStateException when the id has no device yet, has a queue pair already, or has
     *     begun to connect
     * @throws IllegalArgumentException when the domain or a completion queue is from another
     *     context, or the type is not that of the port space
     * @throws VerbsException EINVAL: a capability above the device's limit; ENOMEM: not enough
     *     memory
     * @verbs.calls rdma_create_qp, rdma_create_qp_ex
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        Objects.requireNonNull(pd, "pd");
        Objects.requireNonNull(attr, "attr");
        return core.inState(
                "rdma_create_qp",
                id -> {
                    core.requireDevice("rdma_create_qp");
                    if (qp() != null) {
                        throw new IllegalStateException("the id has a queue pair already");
                    }
                    Check.sameContext(
                            "pd (make it from the id's context())", pd.context(), context());
                    if (attr.qpType() != core.qpType()) {
                        throw new IllegalArgumentException(
                                "an id of port space "
                                        + ps()
                                        + " takes "
                                        + core.qpType()
                                        + " queue pairs");
                    }
                    QueuePair made = core.make(pd, attr);
                    SharedContexts.FRIEND.moved(
                            made, core.qpType() == QpType.UD ? QpState.RTS : QpState.INIT);
                    core.qp(made);
                    return made;
                },
                BOUND,
                ADDR_RESOLVED,
                RESOLVING_ROUTE,
                ROUTE_RESOLVED,
                REQUESTED);
    }

    /**
     * Creates a shared receive queue in the default domain of the id's device, for the queue pairs
     * of this id and others.
     *
     * @param attr its attributes
     * @return the queue; close it
     * @throws IllegalStateException as {@link #createSrq(ProtectionDomain, SrqInitAttr)}
     * @throws VerbsException as {@link #createSrq(ProtectionDomain, SrqInitAttr)}
     * @verbs.calls ibv_create_srq, ibv_create_srq_ex
     */
    public SharedReceiveQueue createSrq(SrqInitAttr attr) {
        return createSrq(pd(), attr);
    }

    /**
     * Creates a shared receive queue, which the id's queue pair takes when it is given none. As
     * {@code rdma_create_srq}, except that it does not end with the id.
     *
     * @param pd a domain made from {@link #context}
     * @param attr its attributes
     * @return the queue; close it
     * @throws IllegalStateException when the id has no device yet, or has a queue pair already
     * @throws IllegalArgumentException when the domain is from another context
     * @throws VerbsException EINVAL: more than the device allows; ENOMEM: not enough memory
     * @verbs.calls ibv_create_srq, ibv_create_srq_ex
     */
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        Objects.requireNonNull(pd, "pd");
        Objects.requireNonNull(attr, "attr");
        return core.inState(
                "rdma_create_srq",
                id -> {
                    core.requireDevice("rdma_create_srq");
                    if (qp() != null) {
                        throw new IllegalStateException("the id has a queue pair already");
                    }
                    Check.sameContext(
                            "pd (make it from the id's context())", pd.context(), context());
                    SharedReceiveQueue made = pd.createSrq(attr);
                    core.srq(made);
                    return made;
                });
    }

    /**
     * The attributes that bring a queue pair, which the program made itself and names in {@link
     * ConnParam#qpNum}, to a state: modify it with them to INIT before connecting, and to RTR and
     * RTS at CONNECT_RESPONSE or before accepting.
     *
     * @param to INIT, RTR or RTS
     * @return the attributes, for {@link QueuePair#modify}
     * @throws IllegalArgumentException when it is another state
     * @throws IllegalStateException when the id has no device
     * @throws VerbsException EINVAL: the connection is not far enough
     * @verbs.calls rdma_init_qp_attr
     */
    public QpAttr initQpAttr(QpState to) {
        Objects.requireNonNull(to, "to");
        if (to != QpState.INIT && to != QpState.RTR && to != QpState.RTS) {
            throw new IllegalArgumentException("state " + to + ", must be INIT, RTR or RTS");
        }
        return core.inState(
                "rdma_init_qp_attr",
                id -> {
                    core.requireDevice("rdma_init_qp_attr");
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment attr = ibv_qp_attr.allocate(arena);
                        MemorySegment mask = arena.allocate(JAVA_INT);
                        ibv_qp_attr.qp_state(attr, to.value());
                        if (RdmaCmOptions.rdma_init_qp_attr(id, attr, mask) != 0) {
                            throw Check.failure(
                                    "rdma_init_qp_attr",
                                    IdCore.lastErrno(),
                                    CmErrno.about("to " + to + ", on " + this));
                        }
                        QpAttr result = QpAttrCodec.read(attr);
                        for (QpAttrMask each : QpAttrMask.values()) {
                            if ((mask.get(JAVA_INT, 0) & each.value()) == 0) {
                                result.without(each);
                            }
                        }
                        return result;
                    }
                });
    }

    // ---- connecting

    /**
     * Asks the peer for a connection. ESTABLISHED answers (CONNECT_RESPONSE when the id has no
     * queue pair), or REJECTED, UNREACHABLE or CONNECT_ERROR. A peer that does not answer is
     * noticed only after minutes: wait with a timeout, and close the id to give up.
     *
     * @param param what to ask for, with up to 56 bytes of private data (180 of a datagram id)
     * @throws IllegalStateException when the id is not in state ROUTE_RESOLVED
     * @throws IllegalArgumentException when there is too much private data, or neither a queue pair
     *     nor the number of one
     * @throws VerbsException EINVAL: more READs at a time than the device allows; ECONNREFUSED:
     *     nobody listens (iWARP says so here)
     * @verbs.calls rdma_connect
     */
    public void connect(ConnParam param) {
        Objects.requireNonNull(param, "param");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = param.toNative(arena);
            core.call(
                    "rdma_connect",
                    id -> {
                        core.checkParam(param, PrivateData.REQUEST);
                        int result = RdmaCm.rdma_connect(id, struct);
                        if (result != 0 && IdCore.lastErrno() != Errno.EINVAL) {
                            core.state(FAILED);
                        }
                        return result;
                    },
                    errno ->
                            errno == Errno.ECONNREFUSED
                                    ? "nobody listens on " + getPeerAddr()
                                    : CmErrno.meaning(errno) + ": " + param,
                    CONNECTING,
                    ROUTE_RESOLVED);
        }
    }

    /**
     * Accepts the connection that the peer of a CONNECT_REQUEST asks for. ESTABLISHED answers when
     * the peer has heard of it; of a datagram id nothing does. Post receives before.
     *
     * @param param what to offer, with up to 196 bytes of private data (136 of a datagram id)
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there is too much private data, or neither a queue pair
     *     nor the number of one
     * @throws VerbsException EINVAL: more READs at a time than the device allows; EINVAL,
     *     ECONNRESET: the peer has given up
     * @verbs.calls rdma_accept
     */
    public void accept(ConnParam param) {
        Objects.requireNonNull(param, "param");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = param.toNative(arena);
            pin();
            core.call(
                    "rdma_accept",
                    id -> {
                        requirePeer("rdma_accept");
                        core.checkParam(param, PrivateData.ACCEPT);
                        int result = RdmaCm.rdma_accept(id, struct);
                        int errno = IdCore.lastErrno();
                        core.moved(result == 0 ? QpState.RTS : QpState.ERR);
                        if (result != 0) {
                            core.state(FAILED);
                            io.github.verbs4j.ffi.Errno.set(errno);
                        }
                        return result;
                    },
                    CmErrno.about(param),
                    ps().isDatagram() ? CONNECTED : ACCEPTED,
                    REQUESTED,
                    FAILED);
        }
    }

    /** A peer that gave up meanwhile is no fault of the program's. */
    private void requirePeer(String verb) {
        if (state() == FAILED) {
            throw new VerbsException(verb, Errno.ECONNRESET, "the peer has given up");
        }
    }

    /**
     * Rejects the connection that the peer of a CONNECT_REQUEST asks for.
     *
     * @param privateData bytes for the peer, 148 at most (136 of a datagram id)
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there are too many bytes
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_reject
     */
    public void reject(byte... privateData) {
        reject("rdma_reject", RdmaCm::rdma_reject, privateData);
    }

    /**
     * Rejects the connection because the peer's vendor options do not fit.
     *
     * @param privateData bytes for the peer, 148 at most
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there are too many bytes
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_reject_ece
     */
    public void rejectEce(byte... privateData) {
        reject("rdma_reject_ece", RdmaCm::rdma_reject_ece, privateData);
    }

    @FunctionalInterface
    private interface Rejection {
        int call(MemorySegment id, MemorySegment privateData, byte length);
    }

    private void reject(String verb, Rejection rejection, byte[] privateData) {
        Objects.requireNonNull(privateData, "privateData");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, privateData);
            core.call(
                    verb,
                    id -> {
                        requirePeer(verb);
                        PrivateData.REJECT.check(
                                privateData.length, ps(), context().device().transportType());
                        return rejection.call(id, bytes, (byte) privateData.length);
                    },
                    errno -> errno == Errno.EINVAL ? "the peer has given up" : "",
                    REJECTED,
                    REQUESTED,
                    FAILED);
        }
    }

    /**
     * Completes the connection of an id without a queue pair, after CONNECT_RESPONSE and after the
     * program moved its own queue pair to RTS. The accepting side gets ESTABLISHED.
     *
     * @throws IllegalStateException when the id is not in state RESPONDED
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_establish
     */
    public void establish() {
        core.call("rdma_establish", RdmaCm::rdma_establish, IdCore::noDetail, CONNECTED, RESPONDED);
    }

    /**
     * Tells the connection manager that the peer's first message has come in before ESTABLISHED did
     * (the asynchronous event COMM_EST), so that the connection counts as made.
     *
     * @throws IllegalStateException when the id has not accepted
     * @throws VerbsException EISCONN: it is connected already
     * @verbs.calls rdma_notify
     */
    public void notifyCommEst() {
        core.call(
                "rdma_notify",
                id -> RdmaCm.rdma_notify(id, verbs_h.IBV_EVENT_COMM_EST()),
                IdCore::noDetail,
                null,
                ACCEPTED,
                CONNECTED);
    }

    /**
     * Ends the connection: the queue pair moves to ERR and what is posted on it is flushed. Both
     * sides get DISCONNECTED, this one when the peer, too, has disconnected. May be called twice.
     *
     * @throws IllegalStateException when the id was never connected
     * @throws VerbsException when the connection manager refuses
     * @verbs.calls rdma_disconnect
     */
    public void disconnect() {
        if (ps().isDatagram()) {
            throw new IllegalStateException("a datagram id is not connected; close it");
        }
        core.call(
                "rdma_disconnect",
                id -> {
                    if (state() == FAILED) {
                        return 0; // the peer was faster: there is nothing left to end
                    }
                    int result = RdmaCm.rdma_disconnect(id);
                    int errno = IdCore.lastErrno();
                    if (result == 0) {
                        core.state(DISCONNECTED);
                    }
                    core.moved(QpState.ERR);
                    io.github.verbs4j.ffi.Errno.set(errno);
                    return result;
                },
                IdCore::noDetail,
                null,
                ACCEPTED,
                RESPONDED,
                CONNECTED,
                DISCONNECTED,
                FAILED);
    }

    // ---- events

    /**
     * Waits {@linkplain EventChannel#DEFAULT_TIMEOUT some seconds} for an event of this id.
     *
     * @param type the type of the event
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type) throws InterruptedException, TimeoutException {
        return await(type, EventChannel.DEFAULT_TIMEOUT);
    }

    /**
     * Waits for an event of this id, or for a request to it. The events of other ids are kept for
     * their waits.
     *
     * @param type the type of the event
     * @param timeout how long at most
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the id or channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type, Duration timeout)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(type, "type");
        CmEvent event = getCmEvent(timeout);
        if (event == null) {
            throw new TimeoutException(
                    "no event within " + timeout + ", waited for " + type + " on " + this);
        }
        return event.expect(type);
    }

    /**
     * Takes the next event of this id, or request to it.
     *
     * @param timeout how long to wait at most; zero only looks
     * @return the event, or null when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the id or channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent getCmEvent(Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        return core.channel()
                .next(
                        event -> (event.listenId() == null ? event.id() : event.listenId()) == this,
                        nativeHandle(),
                        timeout);
    }

    /**
     * Moves the id to another channel, with the events that wait there for it.
     *
     * @param to the new channel
     * @throws IllegalStateException when the channel is closed
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_migrate_id
     */
    public void migrate(EventChannel to) {
        core.migrate(Objects.requireNonNull(to, "to"));
    }

    /**
     * Puts an event of the program's own on the id's channel, of type USER.
     *
     * @param status what {@link CmEvent#status} tells
     * @param argument what {@link CmEvent#argument} tells
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 60, or the
     *     kernel cannot
     * @verbs.calls rdma_write_cm_event
     */
    public void writeCmEvent(int status, long argument) {
        core.call(
                "rdma_write_cm_event",
                id ->
                        Check.present(
                                () ->
                                        RdmaCm.rdma_write_cm_event(
                                                id, CmEventType.USER.value(), status, argument)),
                IdCore::noDetail,
                null);
    }

    /**
     * Starts to find the addresses of a host and service, on InfiniBand with the subnet manager's
     * help. ADDRINFO_RESOLVED or ADDRINFO_ERROR answers.
     *
     * @param node a host name or address, or null
     * @param service a port number or service name, or null
     * @param hints what to look for
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 60
     * @throws VerbsException EBUSY: a look-up is under way; or what the resolver says
     * @verbs.calls rdma_resolve_addrinfo
     */
    public void resolveAddrinfo(String node, String service, AddrInfo.Hints hints) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = AddrInfo.text(node, arena);
            MemorySegment port = AddrInfo.text(service, arena);
            MemorySegment wanted = AddrInfo.hints(hints).toNative(arena);
            pin();
            core.call(
                    "rdma_resolve_addrinfo",
                    id ->
                            Check.present(
                                    () ->
                                            RdmaCmOptions.rdma_resolve_addrinfo(
                                                    id, host, port, wanted)),
                    CmErrno.about(AddrInfo.about(node, service)),
                    null,
                    IDLE);
        }
    }

    /**
     * Takes the addresses that {@link #resolveAddrinfo} found, once, after ADDRINFO_RESOLVED.
     *
     * @return the addresses
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 60
     * @throws VerbsException ENOENT: nothing was found, or it was taken
     * @verbs.calls rdma_query_addrinfo, rdma_freeaddrinfo
     */
    public List<AddrInfo> queryAddrinfo() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            core.call(
                    "rdma_query_addrinfo",
                    id -> Check.present(() -> RdmaCmOptions.rdma_query_addrinfo(id, out)),
                    IdCore::noDetail,
                    null);
            MemorySegment list = out.get(ADDRESS, 0);
            try {
                return AddrInfo.copy(list);
            } finally {
                RdmaCmOptions.rdma_freeaddrinfo(list);
            }
        }
    }

    // ---- multicast

    /**
     * Starts to join a multicast group, for sending and receiving, and attaches the queue pair to
     * it. MULTICAST_JOIN or MULTICAST_ERROR answers; the former tells how to reach the group.
     *
     * @param group its address
     * @throws IllegalStateException when the id is no datagram id, has no device, is connected, or
     *     joined the group already
     * @throws IllegalArgumentException when the address is no multicast group
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_join_multicast
     */
    public void joinMulticast(InetAddress group) {
        join(group, null);
    }

    /**
     * Starts to join a multicast group.
     *
     * @param group its address
     * @param flag whether to receive from it, too
     * @throws IllegalStateException as {@link #joinMulticast(InetAddress)}
     * @throws IllegalArgumentException as {@link #joinMulticast(InetAddress)}
     * @throws VerbsException EINVAL: the kernel or fabric cannot do it that way
     * @verbs.calls rdma_join_multicast_ex
     */
    public void joinMulticast(InetAddress group, JoinFlag flag) {
        join(group, Objects.requireNonNull(flag, "flag"));
    }

    private void join(InetAddress group, JoinFlag flag) {
        Objects.requireNonNull(group, "group");
        if (!ps().isDatagram()) {
            throw new IllegalStateException(
                    "port space " + ps() + " has no multicast groups; take UDP or IPOIB");
        }
        pin();
        core.inState(
                "rdma_join_multicast",
                id -> {
                    core.requireDevice("rdma_join_multicast");
                    core.groups().join(handle(), group, flag);
                    return null;
                },
                BOUND,
                ADDR_RESOLVED);
    }

    /**
     * Leaves a multicast group.
     *
     * @param group its address
     * @throws VerbsException EADDRNOTAVAIL: it was not joined
     * @verbs.calls rdma_leave_multicast
     */
    public void leaveMulticast(InetAddress group) {
        core.inState(
                "rdma_leave_multicast",
                id -> {
                    core.groups().leave(handle(), group);
                    return null;
                });
    }

    // ---- options

    /**
     * Sets the type of service (DSCP and ECN bits) of the connection's packets.
     *
     * @param tos 0 to 255
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_set_option
     */
    public void setTos(int tos) {
        Check.range("tos", tos, 0, 255);
        setOption(verbs_h.RDMA_OPTION_ID_TOS(), arena -> arena.allocateFrom(JAVA_BYTE, (byte) tos));
    }

    /**
     * Allows to bind a port that another id has, which allows it too. A bound id can still allow it
     * to others, until it listens.
     *
     * @param on whether
     * @throws VerbsException EINVAL: the id listens, or is bound and cannot withdraw it
     * @verbs.calls rdma_set_option
     */
    public void setReuseAddr(boolean on) {
        setOption(
                verbs_h.RDMA_OPTION_ID_REUSEADDR(),
                arena -> arena.allocateFrom(JAVA_INT, on ? 1 : 0));
    }

    /**
     * Keeps a listener on the IPv6 wildcard from taking IPv4 requests.
     *
     * @param on whether
     * @throws VerbsException EINVAL: the id listens, or has resolved an address
     * @verbs.calls rdma_set_option
     */
    public void setAfOnly(boolean on) {
        setOption(
                verbs_h.RDMA_OPTION_ID_AFONLY(), arena -> arena.allocateFrom(JAVA_INT, on ? 1 : 0));
    }

    /**
     * Sets how long the queue pair waits for an acknowledgement before it sends again.
     *
     * @param timeout the time
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_set_option
     */
    public void setAckTimeout(AckTimeout timeout) {
        Objects.requireNonNull(timeout, "timeout");
        setOption(
                verbs_h.RDMA_OPTION_ID_ACK_TIMEOUT(),
                arena -> arena.allocateFrom(JAVA_BYTE, (byte) timeout.value()));
    }

    private void setOption(int name, Function<Arena, MemorySegment> value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = value.apply(arena);
            core.call(
                    "rdma_set_option",
                    id ->
                            RdmaCmOptions.rdma_set_option(
                                    id, verbs_h.RDMA_OPTION_ID(), name, bytes, bytes.byteSize()),
                    IdCore::noDetail,
                    null);
        }
    }

    /**
     * Sets the options to offer the peer, for a queue pair that the program makes itself.
     *
     * @param ece the options; the vendor must not be 0
     * @throws VerbsException EINVAL: the id has a queue pair, or there is no vendor
     * @verbs.calls rdma_set_local_ece
     */
    public void setLocalEce(Ece ece) {
        Objects.requireNonNull(ece, "ece");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            ibv_ece.vendor_id(struct, ece.vendorId());
            ibv_ece.options(struct, ece.options());
            ibv_ece.comp_mask(struct, ece.compMask());
            core.call(
                    "rdma_set_local_ece",
                    id -> RdmaCmOptions.rdma_set_local_ece(id, struct),
                    errno -> ece + "; the id must have no queue pair",
                    null);
        }
    }

    /**
     * The options that the peer offered with its request or answer, for a queue pair that the
     * program makes itself.
     *
     * @return the options
     * @throws VerbsException EINVAL: the id has a queue pair
     * @verbs.calls rdma_get_remote_ece
     */
    public Ece getRemoteEce() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            core.call(
                    "rdma_get_remote_ece",
                    id -> RdmaCmOptions.rdma_get_remote_ece(id, struct),
                    errno -> "the id must have no queue pair",
                    null);
            return new Ece(
                    ibv_ece.vendor_id(struct), ibv_ece.options(struct), ibv_ece.comp_mask(struct));
        }
    }

    // ---- what it is

    /** {@return where its ports are counted, and what it connects} */
    public PortSpace ps() {
        return core.ps();
    }

    /** {@return how far it has come, as of the last event taken} */
    public CmState state() {
        return core.state();
    }

    /** {@return the channel that reports its events} */
    public EventChannel channel() {
        return core.channel();
    }

    /** {@return its queue pair, or null when it has none} */
    public QueuePair qp() {
        return core.qp();
    }

    /**
     * The context of the device that it uses: shared by all ids on the device, one of {@link
     * CmDevices#list}. Completion queues and domains for its queue pair must come from it.
     *
     * @return the context, or null before the id has a device
     */
    public Context context() {
        return core.context();
    }

    /**
     * The default domain of its device, see {@link CmDevices#defaultPd}.
     *
     * @return the domain
     * @throws IllegalStateException when the id has no device yet
     * @verbs.calls ibv_alloc_pd
     */
    public ProtectionDomain pd() {
        core.requireDevice("The default domain");
        return SharedContexts.defaultPd(context());
    }

    /**
     * The port of the device that it uses.
     *
     * @return from 1, or 0 before the id has a device
     */
    public int portNum() {
        return nativeHandle()
                .within(id -> Byte.toUnsignedInt(rdma_cm_id.port_num(IdCore.view(id))));
    }

    /**
     * Tells whether the id has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return nativeHandle().isOpen();
    }

    /**
     * The native {@code struct rdma_cm_id *}, for calls that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return nativeHandle().pointer();
    }

    /**
     * Closes its queue pair and the id. A peer that is connected gets DISCONNECTED, one whose
     * request was not answered REJECTED.
     *
     * @throws VerbsException when the connection manager reports a failure
     * @verbs.calls rdma_destroy_qp, rdma_destroy_id
     */
    @Override
    public void close() {
        nativeHandle().close();
    }

    @Override
    public String toString() {
        return nativeHandle() + "[" + ps() + ", " + state() + "]";
    }

    NativeHandle nativeHandle() {
        return core.handle();
    }

    IdCore core() {
        return core;
    }
}
