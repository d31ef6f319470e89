package io.github.verbs4j.steering;

/** What kind of traffic a flow takes ({@code enum ibv_flow_attr_type}). */
public enum FlowAttrType {
    /** What its specifications match. */
    NORMAL(0),

    /** All that no other flow takes. Takes no specifications. */
    ALL_DEFAULT(1),

    /** All multicast that no other flow takes. Takes no specifications. */
    MC_DEFAULT(2),

    /** A copy of all traffic of the port. Takes no specifications. */
    SNIFFER(3);

    private final int value;

    FlowAttrType(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C} */
    public int value() {
        return value;
    }
}
