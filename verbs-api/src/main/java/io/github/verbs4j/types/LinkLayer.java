package io.github.verbs4j.types;

/** What a port speaks below RDMA ({@code ibv_port_attr.link_layer}). */
public enum LinkLayer {
    /** Reported by old kernels; means InfiniBand. */
    UNSPECIFIED(0),

    /** InfiniBand: peers are addressed by LID, by GID across subnets. */
    INFINIBAND(1),

    /** Ethernet (RoCE, iWARP): peers are addressed by GID. */
    ETHERNET(2),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    private static final LinkLayer[] ALL = values();

    private final int value;

    LinkLayer(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code IBV_LINK_LAYER_*})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static LinkLayer of(int value) {
        for (LinkLayer each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
