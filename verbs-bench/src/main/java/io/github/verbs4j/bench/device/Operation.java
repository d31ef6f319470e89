package io.github.verbs4j.bench.device;

import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.WrOpcode;

/** The operations that are measured; their names are those of the C twin's options. */
public enum Operation {
    /** SEND into a posted receive. */
    SEND(WrOpcode.SEND, SendOp.SEND),
    /** RDMA WRITE. */
    WRITE(WrOpcode.RDMA_WRITE, SendOp.RDMA_WRITE),
    /** RDMA WRITE that takes a posted receive. */
    WRITE_WITH_IMM(WrOpcode.RDMA_WRITE_WITH_IMM, SendOp.RDMA_WRITE_WITH_IMM),
    /** RDMA READ. */
    READ(WrOpcode.RDMA_READ, SendOp.RDMA_READ),
    /** Atomic addition to 8 bytes. */
    FETCH_AND_ADD(WrOpcode.ATOMIC_FETCH_AND_ADD, SendOp.ATOMIC_FETCH_AND_ADD),
    /** Atomic exchange of 8 bytes. */
    COMPARE_AND_SWAP(WrOpcode.ATOMIC_CMP_AND_SWP, SendOp.ATOMIC_CMP_AND_SWP);

    final WrOpcode opcode;
    final SendOp sendOp;

    Operation(WrOpcode opcode, SendOp sendOp) {
        this.opcode = opcode;
        this.sendOp = sendOp;
    }

    /** {@return whether each request takes a receive of the peer's} */
    public boolean takesReceive() {
        return this == SEND || this == WRITE_WITH_IMM;
    }

    /** {@return whether it works on 8 bytes only} */
    public boolean isAtomic() {
        return this == FETCH_AND_ADD || this == COMPARE_AND_SWAP;
    }

    /** {@return whether its data can be copied into the request} */
    public boolean mayBeInline() {
        return this != READ && !isAtomic();
    }
}
