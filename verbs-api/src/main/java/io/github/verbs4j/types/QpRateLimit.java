package io.github.verbs4j.types;

/**
 * How fast a queue pair may send: C's {@code struct ibv_qp_rate_limit_attr}.
 *
 * @param rateLimit in kilobits per second; 0 for no limit
 * @param maxBurstSz bytes that may go at once; 0 for the device's default
 * @param typicalPktSz the size of most packets in bytes; 0 for the device's default
 */
public record QpRateLimit(long rateLimit, long maxBurstSz, int typicalPktSz) {
    /** Checks the ranges. */
    public QpRateLimit {
        unsigned32("rate_limit", rateLimit);
        unsigned32("max_burst_sz", maxBurstSz);
        Text.range("typical_pkt_sz", typicalPktSz, 0, 0xffff);
    }

    private static void unsigned32(String field, long value) {
        if (value < 0 || value > 0xffffffffL) {
            throw new IllegalArgumentException(field + " must be 0 to 4294967295, was " + value);
        }
    }
}
