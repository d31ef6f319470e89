package io.github.verbs4j;

import io.github.verbs4j.types.WrOpcode;

/**
 * Guards the sends of a UD queue pair. The provider follows the pointer to the address handle
 * whatever the operation is, so there must be one, it must stay open during the post, and an
 * operation whose target lies over that pointer must not get through.
 */
final class UdPosts {

    private final ProtectionDomain pd;

    UdPosts(ProtectionDomain pd) {
        this.pd = pd;
    }

    /** Refuses what a UD queue pair cannot send. */
    void check(SendWr wr) {
        if (wr.opcode() != WrOpcode.SEND && wr.opcode() != WrOpcode.SEND_WITH_IMM) {
            throw new IllegalArgumentException(
                    wr.opcode() + " does not go with UD, which has SEND and SEND_WITH_IMM only");
        }
        AddressHandle ah = wr.ah();
        if (ah == null) {
            throw new IllegalStateException("a datagram without a destination; set it by ud");
        }
        if (ah.pd() != pd) {
            throw new IllegalArgumentException(
                    "address handle and queue pair must be of one protection domain");
        }
    }

    /** Keeps the address handle open and puts it into the request. */
    void enter(SendWr wr) {
        wr.placeUd(wr.ah().nativeHandle().acquire());
    }

    void leave(SendWr wr) {
        wr.ah().nativeHandle().release();
    }

    void enter(SendWrArray wrs, int count) {
        int entered = 0;
        try {
            for (; entered < count; entered++) {
                enter(wrs.get(entered));
            }
        } catch (IllegalStateException e) {
            leave(wrs, entered);
            throw e;
        }
    }

    void leave(SendWrArray wrs, int count) {
        for (int i = 0; i < count; i++) {
            leave(wrs.get(i));
        }
    }
}
