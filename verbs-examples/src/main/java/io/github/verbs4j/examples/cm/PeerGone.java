package io.github.verbs4j.examples.cm;

/** The peer has disconnected, or its process has ended. */
public final class PeerGone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PeerGone() {
        super("the peer has disconnected");
    }
}
