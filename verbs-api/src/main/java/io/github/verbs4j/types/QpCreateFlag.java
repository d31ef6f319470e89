package io.github.verbs4j.types;

/** What an extended queue pair can be created to do ({@code enum ibv_qp_create_flags}). */
public enum QpCreateFlag {
    /** Do not receive the multicast messages that this side sends. */
    BLOCK_SELF_MCAST_LB(1 << 1),

    /** Deliver the frame check sequence of received frames; raw packets. */
    SCATTER_FCS(1 << 8),

    /** Strip the VLAN tag from received frames; raw packets. */
    CVLAN_STRIPPING(1 << 9),

    /** Pad writes to host memory to a full cache line. */
    PCI_WRITE_END_PADDING(1 << 11);

    private final int value;

    QpCreateFlag(int value) {
        this.value = value;
    }

    /** {@return the bit of this constant in C ({@code IBV_QP_CREATE_…})} */
    public int value() {
        return value;
    }
}
