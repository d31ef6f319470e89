package io.github.verbs4j.types;

/**
 * The operations that an extended queue pair can be created with ({@code enum
 * ibv_qp_create_send_ops_flags}).
 */
public enum SendOp {
    /** Write to remote memory. */
    RDMA_WRITE(1),

    /** Write to remote memory, and consume a receive at the peer to deliver 32 bits. */
    RDMA_WRITE_WITH_IMM(1 << 1),

    /** Send a message. */
    SEND(1 << 2),

    /** Send a message and 32 bits of immediate data. */
    SEND_WITH_IMM(1 << 3),

    /** Read remote memory. */
    RDMA_READ(1 << 4),

    /** Swap 8 remote bytes if they equal a value. */
    ATOMIC_CMP_AND_SWP(1 << 5),

    /** Add to 8 remote bytes. */
    ATOMIC_FETCH_AND_ADD(1 << 6),

    /** Invalidate a local key. */
    LOCAL_INV(1 << 7),

    /** Bind a type 2 memory window. */
    BIND_MW(1 << 8),

    /** Send a message and invalidate a key at the peer. */
    SEND_WITH_INV(1 << 9),

    /** Send a long TCP segment that the device cuts into packets. */
    TSO(1 << 10),

    /** Make data written before visible or persistent at the peer; newer rdma-core than 44. */
    FLUSH(1 << 11),

    /** Write 8 remote bytes at once, after the writes before. */
    ATOMIC_WRITE(1 << 12);

    private final int value;

    SendOp(int value) {
        this.value = value;
    }

    /** {@return the bit of this constant in C ({@code IBV_QP_EX_WITH_…})} */
    public int value() {
        return value;
    }

    /**
     * Combines operations.
     *
     * @param ops the operations
     * @return their bits
     */
    public static long bits(Iterable<SendOp> ops) {
        long bits = 0;
        for (SendOp op : ops) {
            bits |= op.value;
        }
        return bits;
    }
}
