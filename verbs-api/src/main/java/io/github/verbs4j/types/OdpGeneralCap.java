package io.github.verbs4j.types;

import java.util.EnumSet;

/** On-demand paging of a device ({@code enum ibv_odp_general_caps}). */
public enum OdpGeneralCap {
    /** Regions can be registered for it. */
    SUPPORT(1L),

    /** One region can span the whole address space. */
    SUPPORT_IMPLICIT(1L << 1);

    private final long value;

    OdpGeneralCap(long value) {
        this.value = value;
    }

    /** {@return the bit of this flag in C} */
    public long value() {
        return value;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits as the device reports them; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<OdpGeneralCap> of(long bits) {
        EnumSet<OdpGeneralCap> flags = EnumSet.noneOf(OdpGeneralCap.class);
        for (OdpGeneralCap flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
