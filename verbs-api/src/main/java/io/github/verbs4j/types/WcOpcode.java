package io.github.verbs4j.types;

import java.util.Arrays;

/** What completed ({@code enum ibv_wc_opcode}); valid only in a successful completion. */
public enum WcOpcode {
    /** A send, of any kind. */
    SEND(0),

    /** An RDMA write, with or without immediate data, at its sender. */
    RDMA_WRITE(1),

    /** An RDMA read. */
    RDMA_READ(2),

    /** An atomic compare and swap. */
    COMP_SWAP(3),

    /** An atomic fetch and add. */
    FETCH_ADD(4),

    /** A memory window was bound. */
    BIND_MW(5),

    /** A local key was invalidated. */
    LOCAL_INV(6),

    /** A segmented send (TCP segmentation offload). */
    TSO(7),

    /** Remote data was flushed to its destination. */
    FLUSH(8),

    /** An atomic write of 8 bytes. */
    ATOMIC_WRITE(9),

    /** A receive took a message. */
    RECV(128),

    /** A receive was consumed by the immediate data of a peer's RDMA write. */
    RECV_RDMA_WITH_IMM(129),

    /** Tag matching: a tagged buffer was added. */
    TM_ADD(130),

    /** Tag matching: a tagged buffer was removed. */
    TM_DEL(131),

    /** Tag matching: hardware and software lists were synchronised. */
    TM_SYNC(132),

    /** Tag matching: a message matched. */
    TM_RECV(133),

    /** Tag matching: a message without a tag. */
    TM_NO_TAG(134),

    /** Defined by the provider. */
    DRIVER1(135),

    /** Defined by the provider. */
    DRIVER2(136),

    /** Defined by the provider. */
    DRIVER3(137),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1);

    // A table, because completions are decoded on the polling path.
    private static final WcOpcode[] BY_VALUE = new WcOpcode[DRIVER3.value + 1];

    static {
        Arrays.fill(BY_VALUE, UNRECOGNIZED);
        for (WcOpcode each : values()) {
            if (each != UNRECOGNIZED) {
                BY_VALUE[each.value] = each;
            }
        }
    }

    private final int value;

    WcOpcode(int value) {
        this.value = value;
    }

    /** {@return the number of this constant in C ({@code ibv_wc_opcode})} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static WcOpcode of(int value) {
        return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : UNRECOGNIZED;
    }

    /** {@return whether this completes a receive queue's request (bit {@code IBV_WC_RECV})} */
    public boolean isReceive() {
        return this != UNRECOGNIZED && (value & RECV.value) != 0;
    }
}
