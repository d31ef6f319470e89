package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_ipv6_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_ipv6;
import io.github.verbs4j.ffi.verbs_h;
import java.net.Inet6Address;

/** An IPv6 header (C's {@code struct ibv_flow_spec_ipv6}). */
public final class Ipv6Spec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_ipv6.sizeof(),
                    ibv_flow_spec_ipv6.val$offset(),
                    ibv_flow_spec_ipv6.mask$offset(),
                    ibv_flow_ipv6_filter.sizeof());

    /** Matches anything until a field is set. */
    public Ipv6Spec() {
        super(verbs_h.IBV_FLOW_SPEC_IPV6(), LAYOUT);
    }

    /**
     * The source.
     *
     * @param address the address
     * @return this
     */
    public Ipv6Spec srcIp(Inet6Address address) {
        return srcIp(address, 128);
    }

    /**
     * The source: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 128
     * @return this
     */
    public Ipv6Spec srcIp(Inet6Address address, int prefixLength) {
        bytes(
                "srcIp",
                ibv_flow_ipv6_filter.src_ip$offset(),
                16,
                address.getAddress(),
                Prefix.mask(16, prefixLength));
        return this;
    }

    /**
     * The destination.
     *
     * @param address the address
     * @return this
     */
    public Ipv6Spec dstIp(Inet6Address address) {
        return dstIp(address, 128);
    }

    /**
     * The destination: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 128
     * @return this
     */
    public Ipv6Spec dstIp(Inet6Address address, int prefixLength) {
        bytes(
                "dstIp",
                ibv_flow_ipv6_filter.dst_ip$offset(),
                16,
                address.getAddress(),
                Prefix.mask(16, prefixLength));
        return this;
    }

    /**
     * The flow label, 20 bits.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public Ipv6Spec flowLabel(long number) {
        return flowLabel(number, 0xffffffffL);
    }

    /**
     * The flow label, 20 bits, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv6Spec flowLabel(long number, long numberMask) {
        number("flowLabel", ibv_flow_ipv6_filter.flow_label$offset(), 4, number, numberMask);
        return this;
    }

    /**
     * The protocol of what follows.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv6Spec nextHdr(int number) {
        return nextHdr(number, 0xff);
    }

    /**
     * The protocol of what follows, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv6Spec nextHdr(int number, int numberMask) {
        number("nextHdr", ibv_flow_ipv6_filter.next_hdr$offset(), 1, number, numberMask);
        return this;
    }

    /**
     * The traffic class.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv6Spec trafficClass(int number) {
        return trafficClass(number, 0xff);
    }

    /**
     * The traffic class, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv6Spec trafficClass(int number, int numberMask) {
        number("trafficClass", ibv_flow_ipv6_filter.traffic_class$offset(), 1, number, numberMask);
        return this;
    }

    /**
     * The hop limit.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv6Spec hopLimit(int number) {
        return hopLimit(number, 0xff);
    }

    /**
     * The hop limit, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv6Spec hopLimit(int number, int numberMask) {
        number("hopLimit", ibv_flow_ipv6_filter.hop_limit$offset(), 1, number, numberMask);
        return this;
    }

    @Override
    public Ipv6Spec inner() {
        markInner();
        return this;
    }
}
