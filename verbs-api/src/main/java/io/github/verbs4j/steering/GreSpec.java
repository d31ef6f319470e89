package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_gre_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_gre;
import io.github.verbs4j.ffi.verbs_h;

/** A GRE header (C's {@code struct ibv_flow_spec_gre}). */
public final class GreSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_gre.sizeof(),
                    ibv_flow_spec_gre.val$offset(),
                    ibv_flow_spec_gre.mask$offset(),
                    ibv_flow_gre_filter.sizeof());

    /** Matches anything until a field is set. */
    public GreSpec() {
        super(verbs_h.IBV_FLOW_SPEC_GRE(), LAYOUT);
    }

    /**
     * The first 16 bits: checksum, key and sequence present, version (C's {@code c_ks_res0_ver}).
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public GreSpec flagsAndVersion(int number) {
        return flagsAndVersion(number, 0xffff);
    }

    /**
     * The first 16 bits: checksum, key and sequence present, version (C's {@code c_ks_res0_ver}),
     * in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public GreSpec flagsAndVersion(int number, int numberMask) {
        number(
                "flagsAndVersion",
                ibv_flow_gre_filter.c_ks_res0_ver$offset(),
                2,
                number,
                numberMask);
        return this;
    }

    /**
     * The type of what follows.
     *
     * @param number 16 bits, in host order
     * @return this
     */
    public GreSpec protocol(int number) {
        return protocol(number, 0xffff);
    }

    /**
     * The type of what follows, in part.
     *
     * @param number 16 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public GreSpec protocol(int number, int numberMask) {
        number("protocol", ibv_flow_gre_filter.protocol$offset(), 2, number, numberMask);
        return this;
    }

    /**
     * The key.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public GreSpec key(long number) {
        return key(number, 0xffffffffL);
    }

    /**
     * The key, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public GreSpec key(long number, long numberMask) {
        number("key", ibv_flow_gre_filter.key$offset(), 4, number, numberMask);
        return this;
    }

    @Override
    public GreSpec inner() {
        markInner();
        return this;
    }
}
