package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.types.SendFlags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Makes connections, sends messages over each and takes as many back. Twin of {@code ucmatose},
 * which may be the peer in either role.
 */
@Command(
        name = "ucmatose",
        description = {
            "Make connections and exchange messages over them (as ucmatose).",
            "",
            "Start it without -s on one side, then with -s and the server's address on the other,"
                    + " with the same -c, -C and -S. The server sends first. The C tool may be"
                    + " either side."
        })
public final class Ucmatose implements Callable<Integer> {

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Connect to the server at ADDR; without it, be the server.")
    private String server;

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "Server: listen on this address (default: all devices).")
    private String local;

    @Option(
            names = "-c",
            paramLabel = "N",
            defaultValue = "1",
            description = "Make N connections (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "10",
            description = "Send N messages each way over each (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Size of a message (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7471",
            description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin private Patience patience;

    private final List<RdmaConnection> made = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Arguments.range(1, 65535, "-p", port);
        Arguments.range(1, 1000, "-c", connections);
        Arguments.range(0, 16_000, "-C", messages);
        Arguments.range(0, 1 << 30, "-S", size);
        if (size == 0) {
            messages = 0;
        }
        try {
            if (server == null) {
                serve();
            } else {
                connect();
            }
        } finally {
            made.forEach(RdmaConnection::close);
        }
        System.out.println("test complete");
        System.out.println("return status 0");
        return 0;
    }

    private ConnectionOptions options() {
        ConnectionOptions options =
                new ConnectionOptions()
                        .maxSendWr(Math.max(1, messages))
                        .maxRecvWr(Math.max(1, messages))
                        .compChannel()
                        .timeout(patience.get())
                        .connParam(
                                new ConnParam()
                                        .responderResources(1)
                                        .initiatorDepth(1)
                                        .retryCount(5));
        return messages == 0 ? options : options.receives(messages, size);
    }

    private void serve() throws Exception {
        System.out.println("cmatose: starting server");
        try (RdmaListener listener = RdmaListener.bind(Address.toListen(local, port), options())) {
            while (made.size() < connections) {
                made.add(listener.accept(patience.get()));
            }
            if (messages > 0) {
                System.out.println("initiating data transfers");
                System.out.println("completing sends");
                sendAll();
                System.out.println("receiving data transfers");
                receiveAll();
                System.out.println("data transfers complete");
            }
            System.out.println("cmatose: disconnecting");
            made.forEach(RdmaConnection::close);
            System.out.println("disconnected");
        }
    }

    private void connect() throws Exception {
        System.out.println("cmatose: starting client");
        System.out.println("cmatose: connecting");
        while (made.size() < connections) {
            made.add(RdmaConnection.connect(Address.of(server, port), options()));
        }
        if (messages > 0) {
            System.out.println("receiving data transfers");
            receiveAll();
            System.out.println("sending replies");
            sendAll();
            System.out.println("data transfers complete");
        }
        for (RdmaConnection connection : made) {
            // The server ends it: leaving first could take replies from it.
            connection.awaitDisconnected(patience.get());
        }
    }

    private void sendAll() throws InterruptedException {
        for (RdmaConnection connection : made) {
            Link link = new Link(connection, patience.get());
            try (MemoryRegion message = connection.pd().allocateMr(size)) {
                SendWr send = new SendWr(1).send(message, 0, size).sendFlags(SendFlags.SIGNALED);
                for (int i = 0; i < messages; i++) {
                    connection.qp().postSend(send);
                }
                for (int i = 0; i < messages; i++) {
                    link.sent();
                }
            }
        }
    }

    private void receiveAll() throws InterruptedException {
        for (RdmaConnection connection : made) {
            Link link = new Link(connection, patience.get());
            for (int i = 0; i < messages; i++) {
                link.received();
            }
        }
    }
}
