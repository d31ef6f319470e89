package io.github.verbs4j.types;

import java.util.EnumSet;

/** What a device can do with raw packets ({@code enum ibv_raw_packet_caps}). */
public enum RawPacketCap {
    /** Take the C-VLAN tag out. */
    CVLAN_STRIPPING(1),

    /** Keep the checksum. */
    SCATTER_FCS(1 << 1),

    /** Compute IP checksums. */
    IP_CSUM(1 << 2),

    /** Wait for a receive before dropping. */
    DELAY_DROP(1 << 3);

    private final int value;

    RawPacketCap(int value) {
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
    public static EnumSet<RawPacketCap> of(int bits) {
        EnumSet<RawPacketCap> flags = EnumSet.noneOf(RawPacketCap.class);
        for (RawPacketCap flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
