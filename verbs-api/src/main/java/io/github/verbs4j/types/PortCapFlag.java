package io.github.verbs4j.types;

import java.util.EnumSet;

/** What a port and its management agents can do ({@code enum ibv_port_cap_flags}). */
public enum PortCapFlag {
    /** A subnet manager runs here. */
    SM(1 << 1),

    /** Notices. */
    NOTICE_SUP(1 << 2),

    /** Traps. */
    TRAP_SUP(1 << 3),

    /** Optional inter-packet delays. */
    OPT_IPD_SUP(1 << 4),

    /** Automatic path migration. */
    AUTO_MIGR_SUP(1 << 5),

    /** Tables from service levels to virtual lanes. */
    SL_MAP_SUP(1 << 6),

    /** The management key survives a loss of power. */
    MKEY_NVRAM(1 << 7),

    /** The partition keys survive a loss of power. */
    PKEY_NVRAM(1 << 8),

    /** A light can be asked for. */
    LED_INFO_SUP(1 << 9),

    /** A GUID of the whole system. */
    SYS_IMAGE_GUID_SUP(1 << 11),

    /** Traps of partition key violations at external ports of a switch. */
    PKEY_SW_EXT_PORT_TRAP_SUP(1 << 12),

    /** Speeds from FDR on. */
    EXTENDED_SPEEDS_SUP(1 << 14),

    /** There is a second set: {@link PortCapFlag2}. */
    CAP_MASK2_SUP(1 << 15),

    /** Connection management. */
    CM_SUP(1 << 16),

    /** Tunnelled SNMP. */
    SNMP_TUNNEL_SUP(1 << 17),

    /** The node can be initialized anew. */
    REINIT_SUP(1 << 18),

    /** Device management. */
    DEVICE_MGMT_SUP(1 << 19),

    /** Management of the vendor's. */
    VENDOR_CLASS_SUP(1 << 20),

    /** Notices about directed routes. */
    DR_NOTICE_SUP(1 << 21),

    /** Notices when these flags change. */
    CAP_MASK_NOTICE_SUP(1 << 22),

    /** Management of booting. */
    BOOT_MGMT_SUP(1 << 23),

    /** The round trip time of the link is measured. */
    LINK_LATENCY_SUP(1 << 24),

    /** Clients are asked to register anew, see CLIENT_REREGISTER. */
    CLIENT_REG_SUP(1 << 25),

    /** GIDs are made of IP addresses: RoCE. */
    IP_BASED_GIDS(1 << 26);

    private final int value;

    PortCapFlag(int value) {
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
    public static EnumSet<PortCapFlag> of(int bits) {
        EnumSet<PortCapFlag> flags = EnumSet.noneOf(PortCapFlag.class);
        for (PortCapFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
