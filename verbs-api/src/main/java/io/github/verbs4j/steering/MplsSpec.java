package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_mpls_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_mpls;
import io.github.verbs4j.ffi.verbs_h;

/** An MPLS label (C's {@code struct ibv_flow_spec_mpls}). */
public final class MplsSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_mpls.sizeof(),
                    ibv_flow_spec_mpls.val$offset(),
                    ibv_flow_spec_mpls.mask$offset(),
                    ibv_flow_mpls_filter.sizeof());

    /** Matches anything until a field is set. */
    public MplsSpec() {
        super(verbs_h.IBV_FLOW_SPEC_MPLS(), LAYOUT);
    }

    /**
     * The whole entry: label 20 bits, traffic class 3, bottom of stack 1, time to live 8.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public MplsSpec label(long number) {
        return label(number, 0xffffffffL);
    }

    /**
     * The whole entry: label 20 bits, traffic class 3, bottom of stack 1, time to live 8, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public MplsSpec label(long number, long numberMask) {
        number("label", ibv_flow_mpls_filter.label$offset(), 4, number, numberMask);
        return this;
    }

    @Override
    public MplsSpec inner() {
        markInner();
        return this;
    }
}
