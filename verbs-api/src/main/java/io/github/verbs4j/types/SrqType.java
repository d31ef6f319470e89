package io.github.verbs4j.types;

/** What a shared receive queue serves ({@code enum ibv_srq_type}). */
public enum SrqType {
    /** Queue pairs that name it when they are created. */
    BASIC(0),

    /** Extended reliable connections: each message names it by number. */
    XRC(1),

    /** Tag matching: the device puts a message where its tag says. */
    TM(2);

    private final int value;

    SrqType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_srq_type})} */
    public int value() {
        return value;
    }
}
