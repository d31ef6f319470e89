package io.github.verbs4j.examples.testing;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A server that is no example: it says something strange to its one client, or dies at once. */
public final class Stranger implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST = 1 << 16;
    private static final byte[] STRANGE = "?????".getBytes(StandardCharsets.US_ASCII);

    private final AutoCloseable listener;
    private final Thread serving;

    private interface Service {
        void serve() throws Exception;
    }

    private Stranger(AutoCloseable listener, Service service) {
        this.listener = listener;
        serving =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        service.serve();
                                    } catch (Exception e) {
                                        // The client has seen enough of it.
                                    }
                                });
    }

    /** Listens on a TCP port. */
    public static Stranger tcp(int port, boolean talks) throws IOException {
        ServerSocket server = new ServerSocket(port);
        return new Stranger(
                server,
                () -> {
                    try (Socket client = server.accept()) {
                        if (talks) {
                            client.getOutputStream().write(STRANGE);
                            client.getInputStream().readAllBytes();
                        }
                    }
                });
    }

    /** Listens on a port of the connection manager. */
    public static Stranger rdma(InetAddress address, int port, boolean talks) {
        RdmaListener server = RdmaListener.bind(new InetSocketAddress(address, port));
        return new Stranger(
                server,
                () -> {
                    ConnectionOptions options =
                            new ConnectionOptions().timeout(PATIENCE).receives(4, MOST);
                    try (RdmaConnection client = server.next(PATIENCE).accept(options);
                            MemoryRegion message = client.pd().allocateMr(STRANGE.length)) {
                        if (talks) {
                            message.segment().asByteBuffer().put(STRANGE);
                            client.qp().postSend(new SendWr(1).send(message, 0, STRANGE.length));
                            client.awaitDisconnected(PATIENCE);
                        }
                    }
                });
    }

    @Override
    public void close() {
        try {
            listener.close();
            serving.join();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
