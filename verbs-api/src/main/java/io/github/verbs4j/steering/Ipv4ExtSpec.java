package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_ipv4_ext_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_ipv4_ext;
import io.github.verbs4j.ffi.verbs_h;
import java.net.Inet4Address;

/** An IPv4 header with more of its fields (C's {@code struct ibv_flow_spec_ipv4_ext}). */
public final class Ipv4ExtSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_ipv4_ext.sizeof(),
                    ibv_flow_spec_ipv4_ext.val$offset(),
                    ibv_flow_spec_ipv4_ext.mask$offset(),
                    ibv_flow_ipv4_ext_filter.sizeof());

    /** Matches anything until a field is set. */
    public Ipv4ExtSpec() {
        super(verbs_h.IBV_FLOW_SPEC_IPV4_EXT(), LAYOUT);
    }

    /**
     * The source.
     *
     * @param address the address
     * @return this
     */
    public Ipv4ExtSpec srcIp(Inet4Address address) {
        return srcIp(address, 32);
    }

    /**
     * The source: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 32
     * @return this
     */
    public Ipv4ExtSpec srcIp(Inet4Address address, int prefixLength) {
        bytes(
                "srcIp",
                ibv_flow_ipv4_ext_filter.src_ip$offset(),
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
    public Ipv4ExtSpec dstIp(Inet4Address address) {
        return dstIp(address, 32);
    }

    /**
     * The destination: a network.
     *
     * @param address an address in it
     * @param prefixLength how many bits count, 0 to 32
     * @return this
     */
    public Ipv4ExtSpec dstIp(Inet4Address address, int prefixLength) {
        bytes(
                "dstIp",
                ibv_flow_ipv4_ext_filter.dst_ip$offset(),
                4,
                address.getAddress(),
                Prefix.mask(4, prefixLength));
        return this;
    }

    /**
     * The protocol of what follows.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv4ExtSpec proto(int number) {
        return proto(number, 0xff);
    }

    /**
     * The protocol of what follows, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv4ExtSpec proto(int number, int numberMask) {
        number("proto", ibv_flow_ipv4_ext_filter.proto$offset(), 1, number, numberMask);
        return this;
    }

    /**
     * The type of service.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv4ExtSpec tos(int number) {
        return tos(number, 0xff);
    }

    /**
     * The type of service, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv4ExtSpec tos(int number, int numberMask) {
        number("tos", ibv_flow_ipv4_ext_filter.tos$offset(), 1, number, numberMask);
        return this;
    }

    /**
     * The time to live.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv4ExtSpec ttl(int number) {
        return ttl(number, 0xff);
    }

    /**
     * The time to live, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv4ExtSpec ttl(int number, int numberMask) {
        number("ttl", ibv_flow_ipv4_ext_filter.ttl$offset(), 1, number, numberMask);
        return this;
    }

    /**
     * The flags: 1 more fragments, 2 do not fragment.
     *
     * @param number 8 bits, in host order
     * @return this
     */
    public Ipv4ExtSpec flags(int number) {
        return flags(number, 0xff);
    }

    /**
     * The flags: 1 more fragments, 2 do not fragment, in part.
     *
     * @param number 8 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public Ipv4ExtSpec flags(int number, int numberMask) {
        number("flags", ibv_flow_ipv4_ext_filter.flags$offset(), 1, number, numberMask);
        return this;
    }

    @Override
    public Ipv4ExtSpec inner() {
        markInner();
        return this;
    }
}
