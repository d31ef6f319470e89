package io.github.verbs4j.examples.wire;

import io.github.verbs4j.examples.cli.ExampleException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a ping-pong tool says to its peer, and what it makes of the answers. */
final class PeerSocket implements AutoCloseable {

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final Duration patience;

    /** Takes the socket over. */
    PeerSocket(Socket socket, Duration patience) {
        this.socket = socket;
        this.patience = patience;
    }

    /** Sends all in one piece: the C tools take what one read brings for the whole. */
    void send(List<PingpongAddress> addresses) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        addresses.forEach(address -> message.writeBytes(address.toBytes()));
        write(message.toByteArray());
    }

    List<PingpongAddress> receive(int count) {
        List<PingpongAddress> addresses = new ArrayList<>();
        while (addresses.size() < count) {
            addresses.add(receive());
        }
        return addresses;
    }

    private PingpongAddress receive() {
        byte[] message = new byte[PingpongAddress.BYTES];
        int length = 0;
        while (length < message.length) {
            int n = read(message, length);
            if (n < 0) {
                throw new ExampleException(
                        "the peer closed the connection after %d of %d bytes of its address",
                        length, message.length);
            }
            length += n;
            if (!PingpongAddress.isPlausible(message, length)) {
                throw new ExampleException(
                        "the peer is no ping-pong tool: it sent \"%s\" for LID:QPN:PSN:GID",
                        printable(message, length));
            }
        }
        return PingpongAddress.of(message);
    }

    void sendDone() {
        write(DONE);
    }

    void receiveDone() {
        byte[] message = new byte[DONE.length];
        int length = 0;
        for (int n; length < message.length && (n = read(message, length)) > 0; ) {
            length += n;
        }
        if (!Arrays.equals(message, DONE)) {
            throw new ExampleException("the peer left before it had this side's address");
        }
    }

    /** {@return so many bytes} */
    byte[] receive(int count, String what) {
        byte[] message = new byte[count];
        for (int length = 0, n; length < count; length += n) {
            n = read(message, length);
            if (n < 0) {
                throw new ExampleException(
                        "the peer closed the connection after %d of %d bytes of %s",
                        length, count, what);
            }
        }
        return message;
    }

    void write(byte[] message) {
        try {
            socket.getOutputStream().write(message);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private int read(byte[] message, int from) {
        try {
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            return socket.getInputStream().read(message, from, message.length - from);
        } catch (SocketTimeoutException e) {
            throw new ExampleException("the peer sent nothing for %d s", patience.toSeconds());
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private static ExampleException lost(IOException e) {
        return new ExampleException("lost the peer: %s", e.getMessage());
    }

    private static String printable(byte[] message, int length) {
        return new String(message, 0, length, StandardCharsets.ISO_8859_1)
                .replaceAll("[^ -~]", ".");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // All that mattered has been said.
        }
    }
}
