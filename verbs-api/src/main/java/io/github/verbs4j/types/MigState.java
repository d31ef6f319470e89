package io.github.verbs4j.types;

/** State of path migration ({@code enum ibv_mig_state}). */
public enum MigState {
    /** The alternate path has become the primary one, or there is none. */
    MIGRATED(0),

    /** The queue pair asks its peer to arm migration. */
    REARM(1),

    /** Both sides may switch to the alternate path. */
    ARMED(2),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    private static final MigState[] ALL = values();

    private final int value;

    MigState(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_mig_state})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static MigState of(int value) {
        for (MigState each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNRECOGNIZED;
    }
}
