package io.github.verbs4j.steering;

/** How the receive hash is computed ({@code enum ibv_rx_hash_function_flags}). */
public enum RxHashFunction {
    /** The Toeplitz hash. */
    TOEPLITZ(1);

    private final int value;

    RxHashFunction(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
