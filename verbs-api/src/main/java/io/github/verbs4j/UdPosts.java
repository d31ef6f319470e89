package io.github.verbs4j;

import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;

/**
 * Guards the sends of a UD queue pair. The provider follows the pointer to the address handle
 * whatever the operation is, so there must be one, it must stay open during the post, and an
 * operation whose target lies over that pointer must not get through. A message is one packet: rxe
 * drops a longer one and reports success.
 */
final class UdPosts {

    private final ProtectionDomain pd;
    private volatile int port;

    /** The active MTU when the port was asked last; no limit while that is not known. */
    private volatile long mtu = Long.MAX_VALUE;

    UdPosts(ProtectionDomain pd) {
        this.pd = pd;
    }

    /** The queue pair sends through this port from now on; 0 when that is not known. */
    void port(int newPort) {
        port = newPort;
        mtu = activeMtu();
    }

    private long activeMtu() {
        if (port == 0) {
            return Long.MAX_VALUE;
        }
        try {
            int bytes = pd.context().queryPort(port).activeMtu().bytes();
            return bytes == 0 ? Long.MAX_VALUE : bytes;
        } catch (VerbsException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Refuses a message longer than a packet; asks the port again first, as links change. */
    void checkLength(long length) {
        if (length > mtu) {
            mtu = activeMtu();
            if (length > mtu) {
                throw new IllegalArgumentException(
                        "a datagram of "
                                + length
                                + " bytes does not fit in one packet: the active MTU of port "
                                + port
                                + " is "
                                + mtu
                                + " bytes");
            }
        }
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
        checkLength(wr.length());
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
