package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_esp_filter;
import io.github.verbs4j.ffi.ibv_flow_spec_esp;
import io.github.verbs4j.ffi.verbs_h;

/** An ESP header of IPsec (C's {@code struct ibv_flow_spec_esp}). */
public final class EspSpec extends FilterSpec {

    private static final Layout LAYOUT =
            new Layout(
                    ibv_flow_spec_esp.sizeof(),
                    ibv_flow_spec_esp.val$offset(),
                    ibv_flow_spec_esp.mask$offset(),
                    ibv_flow_esp_filter.sizeof());

    /** Matches anything until a field is set. */
    public EspSpec() {
        super(verbs_h.IBV_FLOW_SPEC_ESP(), LAYOUT);
    }

    /**
     * The security parameters index.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public EspSpec spi(long number) {
        return spi(number, 0xffffffffL);
    }

    /**
     * The security parameters index, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public EspSpec spi(long number, long numberMask) {
        number("spi", ibv_flow_esp_filter.spi$offset(), 4, number, numberMask);
        return this;
    }

    /**
     * The sequence number.
     *
     * @param number 32 bits, in host order
     * @return this
     */
    public EspSpec seq(long number) {
        return seq(number, 0xffffffffL);
    }

    /**
     * The sequence number, in part.
     *
     * @param number 32 bits, in host order
     * @param numberMask which of them count
     * @return this
     */
    public EspSpec seq(long number, long numberMask) {
        number("seq", ibv_flow_esp_filter.seq$offset(), 4, number, numberMask);
        return this;
    }

    @Override
    public EspSpec inner() {
        markInner();
        return this;
    }
}
