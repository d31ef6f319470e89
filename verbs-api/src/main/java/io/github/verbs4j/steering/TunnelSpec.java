package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_spec_tunnel;
import io.github.verbs4j.ffi.ibv_flow_tunnel_filter;
import io.github.verbs4j.ffi.verbs_h;

/** A VXLAN header (C's {@code struct ibv_flow_spec_tunnel}). */
public final class TunnelSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_tunnel.sizeof(),
                    ibv_flow_spec_tunnel.val$offset(),
                    ibv_flow_spec_tunnel.mask$offset(),
                    ibv_flow_tunnel_filter.sizeof());

    /** Matches anything until a field is set. */
    public TunnelSpec() {
        super(verbs_h.IBV_FLOW_SPEC_VXLAN_TUNNEL(), LAYOUT);
    }

    /**
     * The network identifier (VNI), 24 bits.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public TunnelSpec tunnelId(long number) {
        return tunnelId(number, 0xffffffffL);
    }

    /**
     * The network identifier (VNI), 24 bits, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public TunnelSpec tunnelId(long number, long numberMask) {
        number("tunnelId", ibv_flow_tunnel_filter.tunnel_id$offset(), 4, number, numberMask);
        return this;
    }

    @Override
    public TunnelSpec inner() {
        markInner();
        return this;
    }
}
