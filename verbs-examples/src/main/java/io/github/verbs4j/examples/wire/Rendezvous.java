package io.github.verbs4j.examples.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How the C ping-pong tools find each other: over TCP, client first. The server connects its queue
 * pairs before it answers, so it is ready when the client learns where it is.
 *
 * <pre>
 *   client                          server
 *   its addresses, 52 bytes each →
 *                                   connects its queue pairs
 *                                 ← its addresses
 *   "done" and a NUL              →
 *   connects its queue pairs
 * </pre>
 */
public sealed interface Rendezvous extends AutoCloseable
        permits RendezvousClient, RendezvousServer {

    /**
     * Begins the side that HOST stands for.
     *
     * @param host the server to go to; null to be the server, which listens from now on
     * @param port TCP port of the server
     * @param patience how long a peer may take to answer
     */
    static Rendezvous with(String host, int port, Duration patience) {
        return host == null
                ? new RendezvousServer(port, patience)
                : new RendezvousClient(host, port, patience);
    }

    /**
     * Exchanges addresses and connects the queue pairs.
     *
     * @param mine this side's addresses
     * @param connectQps connects the queue pairs to the peer's addresses
     * @return the peer's addresses, as many
     */
    List<PingpongAddress> exchange(
            List<PingpongAddress> mine, Consumer<List<PingpongAddress>> connectQps);

    @Override
    default void close() throws IOException {}
}
