package io.github.verbs4j.types;

/** In which order a message's bytes land ({@code enum ibv_query_qp_data_in_order_caps}). */
public enum DataInOrder {
    /** The whole message from its first byte to its last. */
    WHOLE_MSG(1),

    /** Blocks of 128 bytes, each at once. */
    ALIGNED_128_BYTES(1 << 1);

    private final int value;

    DataInOrder(int value) {
        this.value = value;
    }

    /** {@return the bit of this constant in C} */
    public int value() {
        return value;
    }
}
