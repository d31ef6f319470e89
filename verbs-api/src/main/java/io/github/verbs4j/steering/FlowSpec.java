package io.github.verbs4j.steering;

import java.util.Objects;

/**
 * One part of a flow: what packets must look like ({@link FilterSpec}), or what is done with those
 * that do. C's {@code struct ibv_flow_spec}. Filters come in the order of the headers in the
 * packet, actions behind them.
 */
public sealed interface FlowSpec
        permits FilterSpec,
                FlowSpec.ActionTag,
                FlowSpec.ActionDrop,
                FlowSpec.ActionHandle,
                FlowSpec.ActionCount {

    /**
     * Marks the packets: extended completions carry the tag.
     *
     * @param tagId 24 bits on most devices
     */
    record ActionTag(int tagId) implements FlowSpec {}

    /** Drops the packets. */
    record ActionDrop() implements FlowSpec {}

    /**
     * Has an action done that exists by itself.
     *
     * @param action the action, which closes its flows when it closes
     */
    record ActionHandle(FlowAction action) implements FlowSpec {
        /** Checks that there is one. */
        public ActionHandle {
            Objects.requireNonNull(action, "action");
        }
    }

    /**
     * Counts the packets.
     *
     * @param counters the counters, which close their flows when they close
     */
    record ActionCount(Counters counters) implements FlowSpec {
        /** Checks that there are some. */
        public ActionCount {
            Objects.requireNonNull(counters, "counters");
        }
    }
}
