package io.github.verbs4j.types;

/** What kind of memory a hint on the bus is about: C's {@code enum ibv_tph_mem_type}. */
public enum TphMemType {
    /** Volatile memory. */
    VM(0),
    /** Persistent memory. */
    PM(1);

    private final int value;

    TphMemType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
