package io.github.verbs4j.examples.wire;

import io.github.verbs4j.examples.cli.ExampleException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * How {@code ibv_xsrq_pingpong} finds its peers: over TCP, client first. The sockets stay open:
 * when all is done each client says so, and leaves when the server, who waits for all of them, has
 * said so too. Until then a message for one client may come in by the connection of another.
 */
public final class XrcRendezvous implements AutoCloseable {

    private static final byte[] END = "END\0".getBytes(StandardCharsets.US_ASCII);

    private final String host;
    private final int port;
    private final Duration patience;
    private final RendezvousServer listener;
    private final List<PeerSocket> peers = new ArrayList<>();

    /**
     * Begins the side that HOST stands for.
     *
     * @param host the server to go to; null to be the server, which listens from now on
     * @param port TCP port of the server
     * @param clients how many clients may wait for the server
     * @param patience how long a peer may take to answer
     */
    public XrcRendezvous(String host, int port, int clients, Duration patience) {
        this.host = host;
        this.port = port;
        this.patience = patience;
        listener = host == null ? new RendezvousServer(port, clients, patience) : null;
    }

    /**
     * Goes to the server and tells it this side's address, or waits for the next client and answers
     * it.
     *
     * @param mine this side's address
     * @param connect learns the peer's address; a server connects before it answers
     */
    public void meet(XrcAddress mine, Consumer<XrcAddress> connect) {
        PeerSocket peer =
                new PeerSocket(
                        listener == null
                                ? new RendezvousClient(host, port, patience).open()
                                : listener.accept(),
                        patience);
        peers.add(peer);
        if (listener == null) {
            peer.write(mine.toBytes());
        }
        XrcAddress theirs = XrcAddress.of(peer.receive(XrcAddress.BYTES, "its address"));
        if (theirs == null) {
            throw new ExampleException("the peer is no xsrq-pingpong: it sent no address");
        }
        connect.accept(theirs);
        if (listener != null) {
            peer.write(mine.toBytes());
        }
    }

    /** Waits until all sides are done. */
    public void end() {
        if (listener == null) {
            peers.forEach(peer -> peer.write(END));
        }
        for (PeerSocket peer : peers) {
            if (!Arrays.equals(END, peer.receive(END.length, "END"))) {
                throw new ExampleException("the peer said something else than END");
            }
        }
        if (listener != null) {
            peers.forEach(peer -> peer.write(END));
        }
    }

    @Override
    public void close() throws IOException {
        peers.forEach(PeerSocket::close);
        if (listener != null) {
            listener.close();
        }
    }
}
