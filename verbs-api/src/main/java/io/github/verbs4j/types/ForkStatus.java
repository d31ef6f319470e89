package io.github.verbs4j.types;

/** Whether registered memory survives {@code fork()} ({@code enum ibv_fork_status}). */
public enum ForkStatus {
    /** It does not: a child that is forked breaks this process's registrations. */
    DISABLED(0),

    /** {@code ibv_fork_init} protects it: the child does not see registered pages. */
    ENABLED(1),

    /** The kernel copies registered pages for the child, so nothing has to be done. */
    UNNEEDED(2),

    /** A number that this library does not know. */
    UNRECOGNIZED(-1);

    private final int value;

    ForkStatus(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }

    /**
     * Finds the constant of a number; never throws.
     *
     * @param value a number of {@code enum ibv_fork_status}
     * @return the constant
     */
    public static ForkStatus of(int value) {
        return switch (value) {
            case 0 -> DISABLED;
            case 1 -> ENABLED;
            case 2 -> UNNEEDED;
            default -> UNRECOGNIZED;
        };
    }
}
