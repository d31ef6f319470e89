package io.github.verbs4j.cm;

import io.github.verbs4j.types.TransportType;

/** How many bytes of the program's a message of the connection manager carries. */
enum PrivateData {
    /** A request to connect. */
    REQUEST("rdma_connect", 56, 180),
    /** The answer that accepts. */
    ACCEPT("rdma_accept", 196, 136),
    /** The answer that rejects. */
    REJECT("rdma_reject", 148, 136);

    /** The length is one byte, and siw drops a request of 252 without a word; 248 pass. */
    private static final int IWARP = 248;

    private final String verb;
    private final int connected;
    private final int datagram;

    PrivateData(String verb, int connected, int datagram) {
        this.verb = verb;
        this.connected = connected;
        this.datagram = datagram;
    }

    /** Refuses what is too long: a failed rdma_accept has rejected the peer. */
    void check(int length, PortSpace ps, TransportType transport) {
        int limit =
                transport == TransportType.IWARP ? IWARP : ps.isDatagram() ? datagram : connected;
        if (length > limit) {
            throw new IllegalArgumentException(
                    length
                            + " bytes of private data, "
                            + verb
                            + " on an id of port space "
                            + ps
                            + " carries "
                            + limit);
        }
    }
}
