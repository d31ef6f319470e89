package io.github.verbs4j.bench.device;

import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.VerbsException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** The other end on another machine: serves clients until it is stopped. */
public final class PeerServer {

    /** The port it listens on unless told otherwise. */
    public static final int PORT = 18515;

    private static final boolean ONE_CPU = Runtime.getRuntime().availableProcessors() == 1;
    private static final int GREETING_MILLIS = 10_000;
    private static final int BAD_INPUT = 2;

    private PeerServer() {}

    /**
     * Serves clients, each on a thread of its own. Ends with status 2 and one line on stderr when
     * what was asked for cannot be done.
     *
     * @param args the port
     * @throws IOException when it cannot listen
     */
    public static void main(String[] args) throws IOException {
        int port = PORT;
        try {
            if (args.length > 0) {
                port = port(args[0]);
            }
            // Here rather than at the first client, who would be told no more than that it failed.
            DeviceChoice.fromProperties().check();
        } catch (IllegalArgumentException | VerbsException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(BAD_INPUT);
        }
        try (ServerSocket server = new ServerSocket(port)) {
            System.out.println("listening on TCP port " + server.getLocalPort());
            while (true) {
                Socket client = server.accept();
                Thread.ofPlatform().daemon().start(() -> serve(client));
            }
        } catch (BindException e) {
            System.err.println("bench: TCP port " + port + ": " + e.getMessage());
            System.exit(BAD_INPUT);
        }
    }

    private static int port(String text) {
        return Numbers.between("the server's TCP port", text, 1, Numbers.MAX_TCP_PORT);
    }

    static void serve(Socket client) {
        try (client) {
            client.setSoTimeout(GREETING_MILLIS);
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.getInputStream(), StandardCharsets.US_ASCII));
            String line = in.readLine();
            if (line == null) {
                return; // It only looked whether a server is here.
            }
            Greeting greeting = Greeting.parse(line);
            Workload load = greeting.workload();
            try (Endpoint endpoint = Endpoint.forPeer(DeviceChoice.fromProperties(), load)) {
                endpoint.connect(QpAddress.parse(greeting.address()));
                endpoint.postReceives();
                String answer =
                        endpoint.address().toText() + " " + endpoint.buffer().toText() + "\n";
                client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                answer(client, in, endpoint, load);
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("client " + client.getRemoteSocketAddress() + ": " + e);
        }
    }

    /** Posts receives for those taken until the client hangs up. */
    private static void answer(Socket client, BufferedReader in, Endpoint endpoint, Workload load)
            throws IOException {
        if (!load.operation().takesReceive()) {
            client.setSoTimeout(0);
            in.read();
            return;
        }
        client.setSoTimeout(1);
        for (int empty = 0; ; ) {
            empty = endpoint.refill() > 0 ? 0 : empty + 1;
            if (empty > 0 && ONE_CPU) {
                Thread.yield(); // The client may be on it.
            }
            if (empty >= 1 << 16) {
                empty = 0;
                try {
                    if (in.read() < 0) {
                        return;
                    }
                } catch (SocketTimeoutException e) {
                    // Still there.
                }
            }
        }
    }
}
