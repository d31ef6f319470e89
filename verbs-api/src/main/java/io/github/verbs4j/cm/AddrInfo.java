package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.rdma_addrinfo;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An address that a name stands for: C's {@code struct rdma_addrinfo}. A value; the native list was
 * copied and freed.
 *
 * @param passive for a listener; otherwise for a client
 * @param portSpace where the port is counted
 * @param qpType the transport, as a number of {@code enum ibv_qp_type}
 * @param srcAddr the local address, or null
 * @param dstAddr the peer's address, or null
 */
public record AddrInfo(
        boolean passive,
        PortSpace portSpace,
        int qpType,
        InetSocketAddress srcAddr,
        InetSocketAddress dstAddr) {

    private static final int EAI_SYSTEM = -11;

    /** What to look for: the {@code hints} of {@code rdma_getaddrinfo}. Fluent. */
    public static final class Hints {
        private int flags;
        private int family;
        private PortSpace portSpace = PortSpace.TCP;

        /** Makes hints for a client by TCP port space. */
        public Hints() {}

        /**
         * For a listener ({@code RAI_PASSIVE}).
         *
         * @return this
         */
        public Hints passive() {
            flags |= verbs_h.RAI_PASSIVE();
            return this;
        }

        /**
         * The node is an address in digits, no name ({@code RAI_NUMERICHOST}).
         *
         * @return this
         */
        public Hints numericHost() {
            flags |= verbs_h.RAI_NUMERICHOST();
            return this;
        }

        /**
         * Does not look for the route ({@code RAI_NOROUTE}).
         *
         * @return this
         */
        public Hints noRoute() {
            flags |= verbs_h.RAI_NOROUTE();
            return this;
        }

        /**
         * Only addresses of IPv4 ({@code RAI_FAMILY}).
         *
         * @return this
         */
        public Hints ipv4() {
            flags |= verbs_h.RAI_FAMILY();
            family = SockAddrCodec.AF_INET;
            return this;
        }

        /**
         * Only addresses of IPv6 ({@code RAI_FAMILY}).
         *
         * @return this
         */
        public Hints ipv6() {
            flags |= verbs_h.RAI_FAMILY();
            family = SockAddrCodec.AF_INET6;
            return this;
        }

        /**
         * Where ports are counted.
         *
         * @param ps the port space
         * @return this
         */
        public Hints portSpace(PortSpace ps) {
            portSpace = Objects.requireNonNull(ps, "ps");
            return this;
        }

        MemorySegment toNative(Arena arena) {
            MemorySegment s = rdma_addrinfo.allocate(arena);
            rdma_addrinfo.ai_flags(s, flags);
            rdma_addrinfo.ai_family(s, family);
            rdma_addrinfo.ai_port_space(s, portSpace.value());
            rdma_addrinfo.ai_qp_type(s, portSpace.qpType().value());
            return s;
        }
    }

    /**
     * Finds the addresses of a host and service.
     *
     * @param node a host name or address; null for this host
     * @param service a port number or service name, or null
     * @param hints what to look for
     * @return the addresses, the best first; not empty
     * @throws VerbsException the host or service is not known: the message says what the resolver
     *     says, and errno is 0; or another failure with its errno
     * @verbs.calls rdma_getaddrinfo, rdma_freeaddrinfo
     */
    public static List<AddrInfo> getaddrinfo(String node, String service, Hints hints) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = lookUp(node, service, hints, arena);
            try {
                return copy(list);
            } finally {
                RdmaCmOptions.rdma_freeaddrinfo(list);
            }
        }
    }

    /** The native list, which the caller frees. */
    static MemorySegment lookUp(String node, String service, Hints hints, Arena arena) {
        MemorySegment wanted = hints(hints).toNative(arena);
        MemorySegment host = text(node, arena);
        MemorySegment port = text(service, arena);
        MemorySegment out = arena.allocate(ADDRESS);
        io.github.verbs4j.ffi.Errno.set(0);
        int result = Check.present(() -> RdmaCmOptions.rdma_getaddrinfo(host, port, wanted, out));
        if (result != 0) {
            // The resolver's errors are numbers of its own; −1 is one of them and librdmacm's, too.
            int errno = io.github.verbs4j.ffi.Errno.last();
            boolean own = errno != 0 && (result == -1 || result == EAI_SYSTEM);
            String reason = own ? CmErrno.meaning(errno) : CmErrno.describeEai(result);
            throw new VerbsException(
                    "rdma_getaddrinfo",
                    own ? errno : CmErrno.ofEai(result),
                    about(node, service) + ": " + reason);
        }
        return out.get(ADDRESS, 0);
    }

    static Hints hints(Hints hints) {
        return Objects.requireNonNull(hints, "hints");
    }

    static String about(String node, String service) {
        return "node " + node + ", service " + service;
    }

    static MemorySegment text(String text, Arena arena) {
        if (text != null && text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("a name with a NUL in it");
        }
        return text == null ? MemorySegment.NULL : arena.allocateFrom(text);
    }

    static List<AddrInfo> copy(MemorySegment list) {
        List<AddrInfo> result = new ArrayList<>();
        for (MemorySegment next = list; next.address() != 0; ) {
            MemorySegment s = Structs.view(next, rdma_addrinfo.sizeof());
            int passive = verbs_h.RAI_PASSIVE();
            result.add(
                    new AddrInfo(
                            (rdma_addrinfo.ai_flags(s) & passive) != 0,
                            PortSpace.of(rdma_addrinfo.ai_port_space(s)),
                            rdma_addrinfo.ai_qp_type(s),
                            address(rdma_addrinfo.ai_src_addr(s), rdma_addrinfo.ai_src_len(s)),
                            address(rdma_addrinfo.ai_dst_addr(s), rdma_addrinfo.ai_dst_len(s))));
            next = rdma_addrinfo.ai_next(s);
        }
        return List.copyOf(result);
    }

    private static InetSocketAddress address(MemorySegment pointer, int length) {
        return pointer.address() == 0 || length == 0
                ? null
                : SockAddrCodec.read(Structs.view(pointer, length));
    }
}
