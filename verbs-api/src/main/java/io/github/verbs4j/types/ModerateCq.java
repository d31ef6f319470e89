package io.github.verbs4j.types;

/**
 * How a completion queue holds its events back: C's {@code struct ibv_moderate_cq}. An event is
 * raised after so many completions or so much time, whatever comes first.
 *
 * @param cqCount completions per event, 0 to 65535
 * @param cqPeriod microseconds at most before the event, 0 to 65535
 */
public record ModerateCq(int cqCount, int cqPeriod) {
    /** Checks the ranges. */
    public ModerateCq {
        Text.range("cq_count", cqCount, 0, 0xffff);
        Text.range("cq_period", cqPeriod, 0, 0xffff);
    }
}
