package io.github.verbs4j.types;

/** Logical state of a port ({@code enum ibv_port_state}). */
public enum PortState {
    /** No state; never reported by a working port. */
    NOP(0),

    /** No link: the cable or the network device is down. */
    DOWN(1),

    /** Link up, not yet configured by a subnet manager. */
    INIT(2),

    /** Configured by the subnet manager, not yet activated. */
    ARMED(3),

    /** Carries traffic. */
    ACTIVE(4),

    /** Active, while the link recovers from an error. */
    ACTIVE_DEFER(5),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    private static final PortState[] ALL = values();

    private final int value;

    PortState(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_port_state})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static PortState of(int value) {
        for (PortState each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }

    /** {@return whether the port carries traffic: {@link #ACTIVE} or {@link #ACTIVE_DEFER}} */
    public boolean isActive() {
        return this == ACTIVE || this == ACTIVE_DEFER;
    }
}
