package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmState.BOUND;
import static io.github.verbs4j.cm.CmState.IDLE;
import static io.github.verbs4j.cm.CmState.LISTENING;
import static io.github.verbs4j.cm.CmState.RESOLVING_ADDR;
import static io.github.verbs4j.cm.CmState.RESOLVING_ROUTE;
import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Addresses of an id, its own and the peer's: a part of {@link CmId}. */
abstract sealed class CmIdAddresses extends CmIdSettings permits CmIdQueues {

    CmIdAddresses(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        super(channel, ps, state, handle);
    }

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
}
