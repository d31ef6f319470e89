package io.github.verbs4j.types;

/** For which use pages are to be brought in ({@code enum ibv_advise_mr_advice}). */
public enum Advice {
    /** To be read by the device: sends, RDMA writes. */
    PREFETCH(0),

    /** To be written by the device: receives, RDMA reads. Pages become writable. */
    PREFETCH_WRITE(1),

    /** As PREFETCH, but only what is in memory already. */
    PREFETCH_NO_FAULT(2);

    private final int value;

    Advice(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
