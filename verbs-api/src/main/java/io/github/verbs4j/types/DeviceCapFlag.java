package io.github.verbs4j.types;

import java.util.EnumSet;

/** What a device can do ({@code enum ibv_device_cap_flags}). */
public enum DeviceCapFlag {
    /** The queues of a queue pair can be resized. */
    RESIZE_MAX_WR(1L),

    /** Ports count packets with a bad P_Key. */
    BAD_PKEY_CNTR(1L << 1),

    /** Ports count packets with a bad Q_Key. */
    BAD_QKEY_CNTR(1L << 2),

    /** Raw packets can be multicast. */
    RAW_MULTI(1L << 3),

    /** Connections can move to an alternate path by themselves. */
    AUTO_PATH_MIG(1L << 4),

    /** A queue pair can change its port between SQD and RTS. */
    CHANGE_PHY_PORT(1L << 5),

    /** The port of an address handle must be that of the queue pair. */
    UD_AV_PORT_ENFORCE(1L << 6),

    /** A transition may name the state it starts from. */
    CURR_QP_STATE_MOD(1L << 7),

    /** Ports can be shut down. */
    SHUTDOWN_PORT(1L << 8),

    /** Ports report how they were initialised. */
    INIT_TYPE(1L << 9),

    /** An event tells when a port becomes active. */
    PORT_ACTIVE_EVENT(1L << 10),

    /** The devices of one card share a system image GUID. */
    SYS_IMAGE_GUID(1L << 11),

    /** A receiver without a posted receive answers RNR. */
    RC_RNR_NAK_GEN(1L << 12),

    /** Shared receive queues can be resized. */
    SRQ_RESIZE(1L << 13),

    /** An event can be asked for after N completions. */
    N_NOTIFY_CQ(1L << 14),

    /** Memory windows, type 1. */
    MEM_WINDOW(1L << 17),

    /** Checksums of IP packets sent by UD. */
    UD_IP_CSUM(1L << 18),

    /** XRC queue pairs. */
    XRC(1L << 20),

    /** SEND_WITH_INV and other extensions of memory management. */
    MEM_MGT_EXTENSIONS(1L << 21),

    /** Memory windows, type 2A. */
    MEM_WINDOW_TYPE_2A(1L << 23),

    /** Memory windows, type 2B. */
    MEM_WINDOW_TYPE_2B(1L << 24),

    /** Checksums of IP packets sent by RC. */
    RC_IP_CSUM(1L << 25),

    /** Checksums of raw IP packets. */
    RAW_IP_CSUM(1L << 26),

    /** Flow rules. */
    MANAGED_FLOW_STEERING(1L << 29),

    /** Received raw packets can keep their checksum. */
    RAW_SCATTER_FCS(1L << 34),

    /** Received packets can be padded to whole cache lines. */
    PCI_WRITE_END_PADDING(1L << 36),

    /** Transfers go through bounce buffers, as in a confidential guest; since rdma-core 64. */
    CC_DMA_BOUNCE(1L << 41);

    private final long value;

    DeviceCapFlag(long value) {
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
    public static EnumSet<DeviceCapFlag> of(long bits) {
        EnumSet<DeviceCapFlag> flags = EnumSet.noneOf(DeviceCapFlag.class);
        for (DeviceCapFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
