package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;

/** What can be set on an {@link RSocket}: numbers, 0 and 1 for off and on. */
public enum RSocketOption {
    /** Shares a port. */
    SO_REUSEADDR(1, 2, 0, 1),
    /** Bytes of the send buffer, 1 or more, half of what is allocated. Before connecting. */
    SO_SNDBUF(1, 7, 1, 1 << 30),
    /** Bytes of the receive buffer, 1 or more, half of what is allocated. Before connecting. */
    SO_RCVBUF(1, 8, 1, 1 << 30),
    /** Looks from time to time whether the peer is there. */
    SO_KEEPALIVE(1, 9, 0, 1),
    /** Accepted for programs of sockets; data is never held back. */
    TCP_NODELAY(6, 1, 0, 1),
    /** Seconds without traffic after which {@link #SO_KEEPALIVE} looks, 1 to 32767. */
    TCP_KEEPIDLE(6, 4, 1, Short.MAX_VALUE),
    /** Keeps an IPv6 socket from IPv4. */
    IPV6_V6ONLY(41, 26, 0, 1),
    /** Depth of the send queue, 1 to 65534. Before connecting. */
    RDMA_SQSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_SQSIZE(), 1, 0xfffe),
    /** Depth of the receive queue, 1 to 65534. Before connecting. */
    RDMA_RQSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_RQSIZE(), 1, 0xfffe),
    /** Bytes that a send carries itself, 0 to 65534. Before connecting. */
    RDMA_INLINE(verbs_h.SOL_RDMA(), verbs_h.RDMA_INLINE(), 0, 0xfffe),
    /**
     * How many mappings of the peer's this side can write to: 0 to 128, or a multiple of 256 up to
     * 32512, which is what the protocol can say. Before connecting.
     */
    RDMA_IOMAPSIZE(verbs_h.SOL_RDMA(), verbs_h.RDMA_IOMAPSIZE(), 0, 127 << 8);

    private final int level;
    private final int optname;
    private final int least;
    private final int most;

    RSocketOption(int level, int optname, int least, int most) {
        this.level = level;
        this.optname = optname;
        this.least = least;
        this.most = most;
    }

    /** librdmacm would change a value that does not fit, and say nothing. */
    void check(int value) {
        Check.range(name(), value, least, most);
        if (this == RDMA_IOMAPSIZE && value > 128 && value % 256 != 0) {
            throw new IllegalArgumentException(
                    this + " = " + value + ", must be 128 at most or a multiple of 256");
        }
    }

    int level() {
        return level;
    }

    int optname() {
        return optname;
    }
}
