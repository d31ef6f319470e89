package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_eth_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_eth;
import io.github.verbs4j.ffi.verbs_h;

/** An Ethernet header (C's {@code struct ibv_flow_spec_eth}). */
public final class EthSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_eth.sizeof(),
                    ibv_flow_spec_eth.val$offset(),
                    ibv_flow_spec_eth.mask$offset(),
                    ibv_flow_eth_filter.sizeof());

    /** Matches anything until a field is set. */
    public EthSpec() {
        super(verbs_h.IBV_FLOW_SPEC_ETH(), LAYOUT);
    }

    /**
     * The destination.
     *
     * @param address 6 bytes
     * @return this
     */
    public EthSpec dstMac(byte[] address) {
        return dstMac(address, ones(6));
    }

    /**
     * The destination, in part.
     *
     * @param address 6 bytes
     * @param addressMask which bits of them count
     * @return this
     */
    public EthSpec dstMac(byte[] address, byte[] addressMask) {
        bytes("dstMac", ibv_flow_eth_filter.dst_mac$offset(), 6, address, addressMask);
        return this;
    }

    /**
     * The source.
     *
     * @param address 6 bytes
     * @return this
     */
    public EthSpec srcMac(byte[] address) {
        return srcMac(address, ones(6));
    }

    /**
     * The source, in part.
     *
     * @param address 6 bytes
     * @param addressMask which bits of them count
     * @return this
     */
    public EthSpec srcMac(byte[] address, byte[] addressMask) {
        bytes("srcMac", ibv_flow_eth_filter.src_mac$offset(), 6, address, addressMask);
        return this;
    }

    /**
     * The type of what follows.
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public EthSpec etherType(int number) {
        return etherType(number, 0xffff);
    }

    /**
     * The type of what follows, in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public EthSpec etherType(int number, int numberMask) {
        number("etherType", ibv_flow_eth_filter.ether_type$offset(), 2, number, numberMask);
        return this;
    }

    /**
     * The VLAN tag: priority 3 bits, CFI 1, identifier 12.
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public EthSpec vlanTag(int number) {
        return vlanTag(number, 0xffff);
    }

    /**
     * The VLAN tag: priority 3 bits, CFI 1, identifier 12, in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public EthSpec vlanTag(int number, int numberMask) {
        number("vlanTag", ibv_flow_eth_filter.vlan_tag$offset(), 2, number, numberMask);
        return this;
    }

    @Override
    public EthSpec inner() {
        markInner();
        return this;
    }
}
