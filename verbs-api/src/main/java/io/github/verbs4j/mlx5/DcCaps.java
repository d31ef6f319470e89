package io.github.verbs4j.mlx5;

import io.github.verbs4j.types.OdpTransportCap;
import java.util.Set;

/**
 * What a device can do for the dynamically connected transport: the parts of C's {@code struct
 * mlx5dv_context} that are about it.
 *
 * @param odp the operations that work on on-demand memory ({@code dc_odp_caps})
 * @param maxLogNumConcurrent the logarithm of how many streams an initiator can have; 0 without
 *     streams ({@code dci_streams_caps.max_log_num_concurent}, as C spells it)
 * @param maxLogNumErrored the logarithm of how many of them can be in error before the initiator is
 */
public record DcCaps(Set<OdpTransportCap> odp, int maxLogNumConcurrent, int maxLogNumErrored) {

    /** Copies the set. */
    public DcCaps {
        odp = Set.copyOf(odp);
    }

    /** {@return whether an initiator can have streams} */
    public boolean hasStreams() {
        return maxLogNumConcurrent > 0;
    }
}
