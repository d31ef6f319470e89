package io.github.verbs4j.types;

/** Kind of an RDMA device ({@code enum ibv_node_type}). */
public enum NodeType {
    /** Not known. */
    UNKNOWN(-1),

    /** Channel adapter: InfiniBand and RoCE cards, Soft-RoCE. */
    CA(1),

    /** InfiniBand switch. */
    SWITCH(2),

    /** InfiniBand router. */
    ROUTER(3),

    /** iWARP card, Soft-iWARP. */
    RNIC(4),

    /** Cisco usNIC. */
    USNIC(5),

    /** Cisco usNIC over UDP. */
    USNIC_UDP(6),

    /** The driver does not say. */
    UNSPECIFIED(7);

    private static final NodeType[] ALL = values();

    private final int value;

    NodeType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_node_type})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNKNOWN} if no constant has this number
     */
    public static NodeType of(int value) {
        for (NodeType each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
