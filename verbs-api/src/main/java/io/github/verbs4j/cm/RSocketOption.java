package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.verbs_h;

/** What can be set on an {@link RSocket}: numbers, 0 and 1 for off and on. */
public enum RSocketOption {
    /** Shares a port. */
    SO_REUSEADDR(1, 2),
    /** Bytes of the send buffer, half of what is allocated. Before connecting. */
    SO_SNDBUF(1, 7),
    /** Bytes of the receive buffer, half of what is allocated. Before connecting. */
    SO_RCVBUF(1, 8),
    /** Looks from time to time whether the peer is there. */
    SO_KEEPALIVE(1, 9),
    /** Accepted for programs of sockets; data is never held back. */
    TCP_NODELAY(6, 1),
    /** Seconds without traffic after which {@link #SO_KEEPALIVE} looks. */
    TCP_KEEPIDLE(6, 4),
    /** Keeps an IPv6 socket from IPv4. */
    IPV6_V6ONLY(41, 26),
    /** Depth of the send queue. Before connecting. */
    RDMA_SQSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_SQSIZE()),
    /** Depth of the receive queue. Before connecting. */
    RDMA_RQSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_RQSIZE()),
    /** Bytes that a send carries itself. Before connecting. */
    RDMA_INLINE(verbs_h.SOL_RDMA(), verbs_h.RDMA_INLINE()),
    /** How many mappings of the peer's this side can write to. Before connecting. */
    RDMA_IOMAPSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_IOMAPSIZE());

    private final int level;
    private final int optname;

    RSocketOption(int level, int optname) {
        this.level = level;
        this.optname = optname;
    }

    int level() {
        return level;
    }

    int optname() {
        return optname;
    }
}
