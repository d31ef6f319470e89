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
            throw new IllegalStateException("a datagram without an address handle; set it by ud");
        }
        if (ah.pd() != pd) {
            throw new IllegalArgumentException(
                    "address handle and queue pair must be of one protection domain");
        }
    }

    /** Builds the copy to post; it keeps the address handle open until it is left. */
    long build(SendWr wr, int maxInline) {
        InlineImage image = wr.image();
        boolean inline = (wr.traits() & SendWr.INLINE) != 0;
        long built = inline ? image.build(wr, maxInline) : image.copy(wr);
        image.enter(wr.ah().nativeHandle(), wr.remoteQpn(), wr.remoteQkey());
        return built;
    }
}
