package io.github.verbs4j.types;

/** State of a queue pair ({@code enum ibv_qp_state}). */
public enum QpState {
    /** Newly created: nothing may be posted. */
    RESET(0),

    /** Initialised: receives may be posted, none is served yet. */
    INIT(1),

    /** Ready to receive. */
    RTR(2),

    /** Ready to send and receive. */
    RTS(3),

    /** Send queue drained or draining: requests already started complete, later ones wait. */
    SQD(4),

    /** Send queue error: sends are flushed, receives still work (UC and UD only). */
    SQE(5),

    /** Error: everything posted completes with {@link WcStatus#WR_FLUSH_ERR}. */
    ERR(6),

    /** The state is not known. */
    UNKNOWN(7);

    private static final QpState[] ALL = values();

    private final int value;

    QpState(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_qp_state})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNKNOWN} if no constant has this number
     */
    public static QpState of(int value) {
        for (QpState each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
