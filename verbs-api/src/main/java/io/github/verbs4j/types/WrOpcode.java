package io.github.verbs4j.types;

/**
 * Operation of a send work request ({@code enum ibv_wr_opcode}).
 *
 * <p>Closed on purpose: some providers index a table with the number they are given, so only
 * operations that can be posted are here.
 */
public enum WrOpcode {
    /** Write to remote memory; the peer notices nothing. */
    RDMA_WRITE(0),

    /** Write to remote memory, and consume a receive at the peer to deliver 32 bits. */
    RDMA_WRITE_WITH_IMM(1),

    /** Send a message into a receive of the peer. */
    SEND(2),

    /** Send a message and 32 bits of immediate data. */
    SEND_WITH_IMM(3),

    /** Read remote memory. */
    RDMA_READ(4),

    /** Swap 8 remote bytes if they equal a value; returns what was there. */
    ATOMIC_CMP_AND_SWP(5),

    /** Add to 8 remote bytes; returns what was there. */
    ATOMIC_FETCH_AND_ADD(6),

    /** Invalidate a local key. */
    LOCAL_INV(7),

    /** Bind a type 2 memory window. */
    BIND_MW(8),

    /** Send a message and invalidate a key at the peer. */
    SEND_WITH_INV(9);

    private static final WrOpcode[] ALL = values();

    private final int value;

    WrOpcode(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_wr_opcode})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number.
     *
     * @param value a number of {@code enum ibv_wr_opcode}
     * @return the constant
     * @throws IllegalArgumentException if no constant has this number
     */
    public static WrOpcode of(int value) {
        for (WrOpcode each : ALL) {
            if (each.value == value) {
                return each;
            }
        }
        throw new IllegalArgumentException("no ibv_wr_opcode has the number " + value);
    }
}
