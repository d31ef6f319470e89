package io.github.verbs4j.steering;

import java.util.EnumSet;
import java.util.Set;

/** How an ESP action works ({@code enum ib_uverbs_flow_action_esp_flags}). */
public enum EspFlag {
    /** The device adds and removes the ESP header and trailer too; without it only ciphers. */
    FULL_OFFLOAD(1),

    /** Transport mode; tunnel mode without it. */
    TRANSPORT(1 << 1),

    /** Encrypts; decrypts without it. */
    ENCRYPT(1 << 2),

    /** The window of extended sequence numbers begins anew. */
    ESN_NEW_WINDOW(1 << 3);

    private final int value;

    EspFlag(int value) {
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
    public static int bits(Set<EspFlag> flags) {
        int bits = 0;
        for (EspFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits of {@code enum ib_uverbs_flow_action_esp_flags}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<EspFlag> of(int bits) {
        EnumSet<EspFlag> flags = EnumSet.noneOf(EspFlag.class);
        for (EspFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
