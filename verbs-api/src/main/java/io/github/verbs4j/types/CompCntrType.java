package io.github.verbs4j.types;

/** What a completion counter counts: C's {@code enum ibv_comp_cntr_type}. */
public enum CompCntrType {
    /** Completed requests. */
    WRS(0),
    /** Bytes of completed requests. */
    BYTES(1);

    private final int value;

    CompCntrType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
