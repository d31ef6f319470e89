package io.github.verbs4j.steering;

/** The state of a work queue ({@code enum ibv_wq_state}). */
public enum WqState {
    /** Takes no requests. */
    RESET(0),

    /** Takes requests and packets. */
    RDY(1),

    /** Something failed; requests are flushed. */
    ERR(2),

    /** The provider does not know; also a number this library does not know. */
    UNKNOWN(3);

    private final int value;

    WqState(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }

    /**
     * Finds the constant of a number; never throws.
     *
     * @param value a number of {@code enum ibv_wq_state}
     * @return the constant
     */
    public static WqState of(int value) {
        return switch (value) {
            case 0 -> RESET;
            case 1 -> RDY;
            case 2 -> ERR;
            default -> UNKNOWN;
        };
    }
}
