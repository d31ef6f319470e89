package io.github.verbs4j;

import io.github.verbs4j.types.SendOp;

/** What the operations of a {@link SendBatch} take. */
final class SendOpKinds {

    private SendOpKinds() {}

    static boolean takesInline(SendOp op) {
        return switch (op) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> true;
            default -> false;
        };
    }

    static boolean takesData(SendOp op) {
        return switch (op) {
            case ATOMIC_WRITE, FLUSH, BIND_MW, LOCAL_INV -> false;
            default -> true;
        };
    }

    /** Tells whether it goes to a peer; else it changes a window of this side's. */
    static boolean goesToPeer(SendOp op) {
        return op != SendOp.BIND_MW && op != SendOp.LOCAL_INV;
    }
}
