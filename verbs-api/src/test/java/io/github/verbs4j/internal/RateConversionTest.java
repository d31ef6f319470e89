package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import io.github.verbs4j.ffi.NameVerbs;
import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.ffi.NativeLibraryMissingException;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GlobalRoute;
import io.github.verbs4j.types.Rate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What Java computes by itself is what libibverbs computes. */
class RateConversionTest {

    @BeforeAll
    static void needsLibrary() {
        try {
            NativeLibrary.IBVERBS.load();
        } catch (NativeLibraryMissingException e) {
            abort(e.getMessage());
        }
    }

    @Test
    @DisplayName("rates convert as the installed libibverbs converts them")
    void rates() {
        for (Rate rate : Rate.values()) {
            if (rate == Rate.MAX) {
                continue;
            }
            int mult = NameVerbs.ibv_rate_to_mult(rate.value());
            if (mult < 0) {
                continue; // newer than the library
            }
            assertEquals(mult, rate.toMult(), rate::name);
            assertEquals(rate.value(), NameVerbs.mult_to_ibv_rate(rate.toMult()), rate::name);
            assertEquals(NameVerbs.ibv_rate_to_mbps(rate.value()), rate.toMbps(), rate::name);
            assertEquals(rate.value(), NameVerbs.mbps_to_ibv_rate(rate.toMbps()), rate::name);
        }
        assertEquals(0, NameVerbs.mult_to_ibv_rate(3));
    }

    @Test
    @DisplayName("the UDP source port is that of the C function")
    void udpSourcePort() {
        for (int label = 0; label <= 0xfffff; label += 0x101) {
            int port = new GlobalRoute(Gid.of(0, 1), label, 0, 1, 0).udpSourcePort();
            assertEquals(Short.toUnsignedInt(NameVerbs.ibv_flow_label_to_udp_sport(label)), port);
        }
    }
}
