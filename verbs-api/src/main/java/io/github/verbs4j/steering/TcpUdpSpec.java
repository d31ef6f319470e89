package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_spec_tcp_udp;
import io.github.verbs4j.ffi.ibv_flow_tcp_udp_filter;
import io.github.verbs4j.ffi.verbs_h;

/** A TCP or UDP header (C's {@code struct ibv_flow_spec_tcp_udp}). */
public final class TcpUdpSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_tcp_udp.sizeof(),
                    ibv_flow_spec_tcp_udp.val$offset(),
                    ibv_flow_spec_tcp_udp.mask$offset(),
                    ibv_flow_tcp_udp_filter.sizeof());

    private TcpUdpSpec(int type) {
        super(type, LAYOUT);
    }

    /**
     * A TCP header.
     *
     * @return matches any until a field is set
     */
    public static TcpUdpSpec tcp() {
        return new TcpUdpSpec(verbs_h.IBV_FLOW_SPEC_TCP());
    }

    /**
     * A UDP header.
     *
     * @return matches any until a field is set
     */
    public static TcpUdpSpec udp() {
        return new TcpUdpSpec(verbs_h.IBV_FLOW_SPEC_UDP());
    }

    /**
     * The destination port.
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public TcpUdpSpec dstPort(int number) {
        return dstPort(number, 0xffff);
    }

    /**
     * The destination port, in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public TcpUdpSpec dstPort(int number, int numberMask) {
        number("dstPort", ibv_flow_tcp_udp_filter.dst_port$offset(), 2, number, numberMask);
        return this;
    }

    /**
     * The source port.
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public TcpUdpSpec srcPort(int number) {
        return srcPort(number, 0xffff);
    }

    /**
     * The source port, in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public TcpUdpSpec srcPort(int number, int numberMask) {
        number("srcPort", ibv_flow_tcp_udp_filter.src_port$offset(), 2, number, numberMask);
        return this;
    }

    @Override
    public TcpUdpSpec inner() {
        markInner();
        return this;
    }
}
