package io.github.verbs4j.steering;

/** What a counter counts ({@code enum ibv_counter_description}). */
public enum CounterDescription {
    /** Packets. */
    PACKETS(0),

    /** Bytes. */
    BYTES(1);

    private final int value;

    CounterDescription(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
