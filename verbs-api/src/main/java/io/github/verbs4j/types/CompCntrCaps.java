package io.github.verbs4j.types;

import java.util.Set;

/**
 * What a device can count: C's {@code struct ibv_comp_cntr_caps}.
 *
 * @param maxValue the value at which a counter begins again, unsigned
 * @param maxCounters how many counters there can be
 * @param supportedQpAttachOps what can be counted of a queue pair
 */
public record CompCntrCaps(long maxValue, long maxCounters, Set<CompCntrOp> supportedQpAttachOps) {

    /** Keeps a copy of the set. */
    public CompCntrCaps {
        supportedQpAttachOps = Set.copyOf(supportedQpAttachOps);
    }
}
