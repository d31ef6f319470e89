package io.github.verbs4j.types;

/** How far remote atomics are atomic ({@code enum ibv_atomic_cap}). */
public enum AtomicCap {
    /** No atomics. */
    NONE(0),

    /** Atomic among queue pairs of this device, not against the CPU or other devices. */
    HCA(1),

    /** Atomic against everything that touches the memory. */
    GLOB(2),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    private static final AtomicCap[] ALL = values();

    private final int value;

    AtomicCap(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_atomic_cap})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static AtomicCap of(int value) {
        for (AtomicCap each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
