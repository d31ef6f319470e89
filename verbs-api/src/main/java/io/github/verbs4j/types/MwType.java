package io.github.verbs4j.types;

/** The types of memory windows: C's {@code enum ibv_mw_type}. */
public enum MwType {
    /** Bound by {@code ibv_bind_mw}, usable through every queue pair of its domain. */
    TYPE_1(1),
    /** Bound by a BIND_MW request, usable through the queue pair it was bound on. */
    TYPE_2(2);

    private final int value;

    MwType(int value) {
        this.value = value;
    }

    /**
     * The number that C uses.
     *
     * @return the value of the C constant
     */
    public int value() {
        return value;
    }
}
