package io.github.verbs4j.types;

import java.util.EnumSet;

/** The second set of what a port can do ({@code enum ibv_port_cap_flags2}). */
public enum PortCapFlag2 {
    /** The description of the node can be set. */
    SET_NODE_DESC_SUP(1 << 0),

    /** Extended port information. */
    INFO_EXT_SUP(1 << 1),

    /** Virtual ports. */
    VIRT_SUP(1 << 2),

    /** A table of the states of switch ports. */
    SWITCH_PORT_STATE_TABLE_SUP(1 << 3),

    /** Two lanes. */
    LINK_WIDTH_2X_SUP(1 << 4),

    /** HDR: 50 Gb/s a lane. */
    LINK_SPEED_HDR_SUP(1 << 5),

    /** NDR: 100 Gb/s a lane. */
    LINK_SPEED_NDR_SUP(1 << 10),

    /** XDR: 200 Gb/s a lane. */
    LINK_SPEED_XDR_SUP(1 << 12);

    private final int value;

    PortCapFlag2(int value) {
        this.value = value;
    }

    /** {@return the bit of this flag in C} */
    public int value() {
        return value;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits as the device reports them; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<PortCapFlag2> of(int bits) {
        EnumSet<PortCapFlag2> flags = EnumSet.noneOf(PortCapFlag2.class);
        for (PortCapFlag2 flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
