package io.github.verbs4j.bench.device;

import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.RemoteBuffer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The other end is a {@link PeerServer} on another machine; the socket's end is the link's. */
final class PeerLink implements Link {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Workload load;
    private final Socket socket;

    PeerLink(DeviceChoice choice, Workload load) {
        this.load = load;
        try {
            socket = connect(choice.peer().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Connects to the server at {@code HOST:PORT}. */
    static Socket connect(String peer) throws IOException {
        int colon = peer.lastIndexOf(':');
        int port =
                Numbers.between(
                        "the port of " + peer, peer.substring(colon + 1), 1, Numbers.MAX_TCP_PORT);
        Socket socket = new Socket();
        try {
            InetSocketAddress address =
                    new InetSocketAddress(peer.substring(0, Math.max(colon, 0)), port);
            if (address.isUnresolved()) {
                throw new IOException("no host " + address.getHostString());
            }
            socket.connect(address, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "no server at " + peer + " (scripts/bench server): " + e.getMessage(), e);
        }
    }

    @Override
    public RemoteBuffer connect(Endpoint local) {
        try {
            Greeting mine =
                    new Greeting(
                            load.operation(), load.size(), load.depth(), local.address().toText());
            socket.getOutputStream().write(mine.toLine().getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            if (line == null) {
                throw new IOException("the server hung up; see its output");
            }
            String[] answer = line.split(" ");
            local.connect(QpAddress.parse(answer[0]));
            return RemoteBuffer.parse(answer[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean takesReceivesHere() {
        return false;
    }

    @Override
    public void refill() {
        throw new IllegalStateException("the peer posts its receives itself");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
