package io.github.verbs4j.examples.wire;

import io.github.verbs4j.examples.cli.ExampleException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The side that waits for the other; it takes one client. */
final class RendezvousServer implements Rendezvous {

    private final Duration patience;
    private final ServerSocket listener;

    RendezvousServer(int port, Duration patience) {
        this(port, 1, patience);
    }

    RendezvousServer(int port, int clients, Duration patience) {
        this.patience = patience;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(port), clients);
        } catch (IOException e) {
            throw new ExampleException("could not listen on port %d: %s", port, e.getMessage());
        }
    }

    @Override
    public List<PingpongAddress> exchange(
            List<PingpongAddress> mine, Consumer<List<PingpongAddress>> connectQps) {
        try (PeerSocket peer = new PeerSocket(acceptOnly(), patience)) {
            List<PingpongAddress> theirs = peer.receive(mine.size());
            connectQps.accept(theirs);
            peer.send(mine);
            peer.receiveDone();
            return theirs;
        }
    }

    private Socket acceptOnly() {
        try (listener) {
            return accept();
        } catch (IOException e) {
            throw new ExampleException("could not stop listening: %s", e.getMessage());
        }
    }

    /** {@return the connection of the next client} */
    Socket accept() {
        try {
            return listener.accept();
        } catch (IOException e) {
            throw new ExampleException("no client: %s", e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
