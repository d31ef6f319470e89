package io.github.verbs4j.steering;

import java.util.EnumSet;
import java.util.Set;

/** What a work queue does with packets ({@code enum ibv_wq_flags}). */
public enum WqFlag {
    /** Takes the VLAN tag off; the extended completion carries it. */
    CVLAN_STRIPPING(1),

    /** Leaves the frame check sequence at the end of the data. */
    SCATTER_FCS(1 << 1),

    /** Waits for a receive request for a while instead of dropping the packet. */
    DELAY_DROP(1 << 2),

    /** Fills up the last cache line it writes, which is faster. */
    PCI_WRITE_END_PADDING(1 << 3);

    private final int value;

    WqFlag(int value) {
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
    public static int bits(Set<WqFlag> flags) {
        int bits = 0;
        for (WqFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits of {@code enum ibv_wq_flags}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<WqFlag> of(int bits) {
        EnumSet<WqFlag> flags = EnumSet.noneOf(WqFlag.class);
        for (WqFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
