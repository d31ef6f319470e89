package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_ipv4_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_ipv4;
import io.github.verbs4j.ffi.verbs_h;
import java.net.Inet4Address;

/** An IPv4 header (C's {@code struct ibv_flow_spec_ipv4}). */
public final class Ipv4Spec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_ipv4.sizeof(),
                    ibv_flow_spec_ipv4.val$offset(),
                    ibv_flow_spec_ipv4.mask$offset(),
                    ibv_flow_ipv4_filter.sizeof());

    /** Matches anything until a field is set. */
    public Ipv4Spec() {
        super(verbs_h.IBV_FLOW_SPEC_IPV4(), LAYOUT);
    }

    /**
     * The source.
     *
     * @param address the address
     * @return this
     */
    public Ipv4Spec srcIp(Inet4Address address) {
        return srcIp(address, 32);
    }

    /**
     * The source: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 32
     * @return this
     */
    public Ipv4Spec srcIp(Inet4Address address, int prefixLength) {
        bytes(
                "srcIp",
                ibv_flow_ipv4_filter.src_ip$offset(),
                4,
                address.getAddress(),
                Prefix.mask(4, prefixLength));
        return this;
    }

    /**
     * The destination.
     *
     * @param address the address
     * @return this
     */
    public Ipv4Spec dstIp(Inet4Address address) {
        return dstIp(address, 32);
    }

    /**
     * The destination: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 32
     * @return this
     */
    public Ipv4Spec dstIp(Inet4Address address, int prefixLength) {
        bytes(
                "dstIp",
                ibv_flow_ipv4_filter.dst_ip$offset(),
                4,
                address.getAddress(),
                Prefix.mask(4, prefixLength));
        return this;
    }

    @Override
    public Ipv4Spec inner() {
        markInner();
        return this;
    }
}
