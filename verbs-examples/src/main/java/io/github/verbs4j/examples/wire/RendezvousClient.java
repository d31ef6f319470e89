package io.github.verbs4j.examples.wire;

import io.github.verbs4j.examples.cli.ExampleException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The side that goes to the other. */
record RendezvousClient(String host, int port, Duration patience) implements Rendezvous {

    @Override
    public List<PingpongAddress> exchange(
            List<PingpongAddress> mine, Consumer<List<PingpongAddress>> connectQps) {
        List<PingpongAddress> theirs;
        try (PeerSocket peer = new PeerSocket(open(), patience)) {
            peer.send(mine);
            theirs = peer.receive(mine.size());
            peer.sendDone();
        }
        connectQps.accept(theirs);
        return theirs;
    }

    /** {@return a connection to the server} */
    Socket open() {
        IOException last = null;
        for (InetAddress address : resolve()) {
            Socket socket = new Socket();
            try {
                socket.connect(
                        new InetSocketAddress(address, port), Math.toIntExact(patience.toMillis()));
                return socket;
            } catch (IOException e) {
                last = e; // A socket that did not connect is closed.
            }
        }
        throw new ExampleException("could not connect to %s:%d: %s", host, port, last.getMessage());
    }

    private InetAddress[] resolve() {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new ExampleException("there is no host %s", host);
        }
    }
}
