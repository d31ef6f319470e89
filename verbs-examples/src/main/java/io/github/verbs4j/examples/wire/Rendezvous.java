package io.github.verbs4j.examples.wire;

import io.github.verbs4j.examples.cli.ExampleException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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
public final class Rendezvous {

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final int patienceMillis;

    /**
     * Prepares an exchange.
     *
     * @param port TCP port
     * @param patience how long a peer may take to answer
     */
    public Rendezvous(int port, Duration patience) {
        this.port = port;
        this.patienceMillis = Math.toIntExact(patience.toMillis());
    }

    /**
     * Tells a server this side's addresses.
     *
     * @return the server's addresses, as many
     */
    public List<PingpongAddress> connect(String host, List<PingpongAddress> mine) {
        try (Socket socket = open(host)) {
            socket.setSoTimeout(patienceMillis);
            send(socket, mine);
            List<PingpongAddress> theirs = receive(socket, mine.size());
            socket.getOutputStream().write(DONE);
            return theirs;
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private Socket open(String host) {
        IOException last = null;
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                Socket socket = new Socket();
                try {
                    socket.connect(new InetSocketAddress(address, port), patienceMillis);
                    return socket;
                } catch (IOException e) {
                    socket.close();
                    last = e;
                }
            }
        } catch (UnknownHostException e) {
            throw new ExampleException("there is no host %s", host);
        } catch (IOException e) {
            last = e;
        }
        throw new ExampleException("could not connect to %s:%d: %s", host, port, last.getMessage());
    }

    /**
     * Waits for a client and tells it this side's addresses.
     *
     * @param connectQps connects the queue pairs to those of the client
     * @return the client's addresses, as many
     */
    public List<PingpongAddress> accept(
            List<PingpongAddress> mine, Consumer<List<PingpongAddress>> connectQps) {
        try (Socket socket = listen()) {
            socket.setSoTimeout(patienceMillis);
            List<PingpongAddress> theirs = receive(socket, mine.size());
            connectQps.accept(theirs);
            send(socket, mine);
            byte[] done = socket.getInputStream().readNBytes(DONE.length);
            if (!Arrays.equals(done, DONE)) {
                throw new ExampleException("the client left before it had this side's address");
            }
            return theirs;
        } catch (IOException e) {
            throw lost(e);
        }
    }

    /** Listens for one client only. */
    private Socket listen() throws IOException {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            try {
                server.bind(new InetSocketAddress(port), 1);
            } catch (IOException e) {
                throw new ExampleException("could not listen on port %d: %s", port, e.getMessage());
            }
            return server.accept();
        }
    }

    /** In one piece: the C tools read once and take what has arrived for the whole. */
    private static void send(Socket socket, List<PingpongAddress> addresses) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        for (PingpongAddress address : addresses) {
            message.writeBytes(address.toBytes());
        }
        socket.getOutputStream().write(message.toByteArray());
    }

    private static List<PingpongAddress> receive(Socket socket, int count) throws IOException {
        List<PingpongAddress> addresses = new ArrayList<>();
        while (addresses.size() < count) {
            addresses.add(receive(socket.getInputStream()));
        }
        return addresses;
    }

    private static PingpongAddress receive(InputStream in) throws IOException {
        byte[] message = new byte[PingpongAddress.BYTES];
        int length = 0;
        while (length < message.length) {
            int n = in.read(message, length, message.length - length);
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

    private static String printable(byte[] message, int length) {
        return new String(message, 0, length, StandardCharsets.ISO_8859_1)
                .replaceAll("[^ -~]", ".");
    }

    private ExampleException lost(IOException e) {
        return e instanceof SocketTimeoutException
                ? new ExampleException("the peer sent nothing for %d s", patienceMillis / 1000)
                : new ExampleException("lost the peer: %s", e.getMessage());
    }
}
