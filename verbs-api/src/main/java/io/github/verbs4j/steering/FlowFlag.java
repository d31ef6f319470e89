package io.github.verbs4j.steering;

import java.util.EnumSet;
import java.util.Set;

/** How a flow works ({@code enum ibv_flow_flags}). */
public enum FlowFlag {
    /** Matched packets go on to the flows of lower priority too. */
    DONT_TRAP(1 << 1),

    /** The flow is about sent packets, not received ones. */
    EGRESS(1 << 2);

    private final int value;

    FlowFlag(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }

    /**
     * Combines flags to the bits that C expects.
     *
     * @param flags any flags, possibly none
     * @return their bits
     */
    public static int bits(Set<FlowFlag> flags) {
        int bits = 0;
        for (FlowFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits of {@code enum ibv_flow_flags}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<FlowFlag> of(int bits) {
        EnumSet<FlowFlag> flags = EnumSet.noneOf(FlowFlag.class);
        for (FlowFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
