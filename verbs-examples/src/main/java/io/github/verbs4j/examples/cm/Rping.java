package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.RemoteBuffer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Sends text to a server and gets it back: the server fetches it by RDMA READ and returns it by
 * RDMA WRITE. Twin of {@code rping}, which may be the peer in either role.
 */
@Command(
        name = "rping",
        description = {
            "Ping by RDMA READ and RDMA WRITE over the connection manager (as rping).",
            "",
            "Start it with -s on one side, then with -c -a and the server's address on the other."
                    + " Each ping, the client tells where its text is; the server reads it from"
                    + " there, and writes it back to where the client says next. The C tool may be"
                    + " either side.",
            "",
            "Addresses are those of RDMA devices: 127.0.0.1 has none."
        })
public final class Rping implements Callable<Integer>, Checked {

    private static final int MOST = 65535;

    @ArgGroup(multiplicity = "1")
    private Role role;

    private static final class Role {
        @Option(names = "-c", required = true, description = "Be the client.")
        private boolean client;

        @Option(names = "-s", required = true, description = "Be the server.")
        private boolean server;
    }

    @Option(
            names = "-a",
            paramLabel = "ADDR",
            description = "The server's address (server default: all devices).")
    private String address;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7174",
            description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "-S",
            paramLabel = "SIZE",
            defaultValue = "64",
            description = "Bytes of a ping, 26 to 65535; the same on both sides (default: 64).")
    private int size;

    @Option(
            names = "-C",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "How many pings; 0 never ends (default: 0).")
    private int count;

    @Option(names = "-I", paramLabel = "ADDR", description = "Client: the address to connect from.")
    private String source;

    @Option(
            names = "-q",
            description =
                    "Make the queue pair and move it from state to state ourselves, instead of by"
                            + " the connection manager.")
    private boolean ownQp;

    @Option(names = "-d", description = "Show each step.")
    private boolean debug;

    @Option(names = "-v", description = "Show the ping data.")
    private boolean verbose;

    @Option(names = "-V", description = "Check that the data comes back as it was sent.")
    private boolean validate;

    @Option(
            names = "-P",
            description = "Serve any number of clients, also at once, until interrupted.")
    private boolean persistent;

    @Mixin private Patience patience;

    @Override
    public void check() {
        Arguments.range(1, MOST, "-p", port);
        Arguments.range(26, MOST, "-S", size);
        Arguments.atLeast(0, "-C", count);
        if (role.client && address == null) {
            throw Arguments.wrong("the client needs the server's address (-a)");
        }
    }

    @Override
    public Integer call() throws Exception {
        if (role.client) {
            ping();
        } else {
            serve();
        }
        return 0;
    }

    // ---- client

    private void ping() throws Exception {
        Duration wait = patience.get();
        try (PingConnection server = connect(wait);
                PingLink link = new PingLink(server, wait, this::debug);
                MemoryRegion start = link.allocate(size);
                MemoryRegion sink = link.allocate(size)) {
            for (int n = 0; count == 0 || n < count; n++) {
                PingData.fill(start.segment(), n);
                link.send(start.remote());
                link.awaitGoAhead();
                link.send(sink.remote());
                link.awaitGoAhead();
                check(start, sink, n);
            }
        }
    }

    private PingConnection connect(Duration wait) throws Exception {
        InetSocketAddress local = source == null ? null : Address.of(source, 0);
        InetSocketAddress there = Address.of(address, port);
        return ownQp
                ? OwnQpConnection.connect(local, there, wait)
                : PingConnection.of(
                        RdmaConnection.connect(there, PingLink.options(wait).localAddress(local)));
    }

    private void debug(String step) {
        if (debug) {
            System.out.println(step);
        }
    }

    private void check(MemoryRegion start, MemoryRegion sink, int n) {
        long mismatch = validate ? start.segment().mismatch(sink.segment()) : -1;
        if (mismatch >= 0) {
            throw new ExampleException("data mismatch! ping %d differs at byte %d", n, mismatch);
        }
        if (verbose) {
            System.out.println("ping data: " + PingData.text(sink.segment()));
        }
    }

    // ---- server

    private void serve() throws Exception {
        try (RdmaListener listener = RdmaListener.bind(Address.toListen(address, port))) {
            if (!persistent) {
                answer(listener.next(patience.get()));
                return;
            }
            while (true) {
                try {
                    RdmaListener.Request request = listener.next(patience.get());
                    Thread.ofPlatform().daemon().start(() -> answerOneOfMany(request));
                } catch (TimeoutException e) {
                    // Nobody came for a while: that is no reason to stop serving.
                }
            }
        }
    }

    /** One client's failure does not end the service of the others. */
    private void answerOneOfMany(RdmaListener.Request request) {
        try {
            answer(request);
        } catch (Exception e) {
            System.err.println("rping: a client failed: " + e.getMessage());
        }
    }

    private void answer(RdmaListener.Request request) throws Exception {
        Duration wait = patience.get();
        int answered = 0;
        boolean between = true;
        try (PingConnection client = accept(request, wait);
                PingLink link = new PingLink(client, wait, this::debug);
                MemoryRegion data = link.allocate(size)) {
            while (count == 0 || answered < count) {
                RemoteBuffer source = link.receive();
                between = false;
                echo(link, data, source);
                between = true;
                answered++;
            }
            // The client disconnects. Done from here it could overtake the last go-ahead.
            client.awaitDisconnected(wait);
        } catch (PeerGone e) {
            // The client ends the exchange, but not in the middle of a ping, nor before the first.
            if (!between || answered == 0) {
                throw e;
            }
        }
    }

    private PingConnection accept(RdmaListener.Request request, Duration wait) throws Exception {
        return ownQp
                ? OwnQpConnection.accept(request.id(), wait)
                : PingConnection.of(request.accept(PingLink.options(wait)));
    }

    private void echo(PingLink link, MemoryRegion data, RemoteBuffer source) throws Exception {
        require(source.length() <= size, "the client pings with %d bytes", source.length());
        data.segment().fill((byte) 0);
        // @start region=rping
        link.read(data, source);
        if (verbose) {
            System.out.println("server ping data: " + PingData.text(data.segment()));
        }
        link.goAhead();
        RemoteBuffer sink = link.receive();
        long length = Math.min(PingData.length(data.segment()) + 1, size);
        require(length <= sink.length(), "the client's sink has %d bytes", sink.length());
        link.write(data, length, sink);
        link.goAhead();
        // @end
    }

    private void require(boolean fits, String what, long bytes) {
        if (!fits) {
            throw new ExampleException(what + ", this server has room for %d (-S)", bytes, size);
        }
    }
}
