package io.github.verbs4j.types;

import java.util.EnumSet;

/**
 * Operations of a queue pair that a completion counter can count ({@code enum
 * ibv_qp_attach_comp_cntr_op}).
 */
public enum CompCntrOp {
    /** Sends of this side. */
    SEND(1),

    /** Receives of this side. */
    RECV(1 << 1),

    /** RDMA reads of this side. */
    RDMA_READ(1 << 2),

    /** RDMA reads of the peer's from this side. */
    REMOTE_RDMA_READ(1 << 3),

    /** RDMA writes of this side. */
    RDMA_WRITE(1 << 4),

    /** RDMA writes of the peer's into this side. */
    REMOTE_RDMA_WRITE(1 << 5);

    private final int value;

    CompCntrOp(int value) {
        this.value = value;
    }

    /** {@return the bit of this operation in C} */
    public int value() {
        return value;
    }

    /**
     * Splits bits into operations; never throws.
     *
     * @param bits bits as the device reports them; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<CompCntrOp> of(int bits) {
        EnumSet<CompCntrOp> ops = EnumSet.noneOf(CompCntrOp.class);
        for (CompCntrOp op : values()) {
            if ((bits & op.value) != 0) {
                ops.add(op);
            }
        }
        return ops;
    }
}
