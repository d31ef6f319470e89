package io.github.verbs4j.cm;

/** What a member of a multicast group does: C's {@code enum rdma_cm_mc_join_flags}. */
public enum JoinFlag {
    /** Sends and receives. */
    FULLMEMBER(0),
    /** Only sends. */
    SENDONLY_FULLMEMBER(1);

    private final int value;

    JoinFlag(int value) {
        this.value = value;
    }

    /** {@return the number in C} */
    public int value() {
        return value;
    }
}
