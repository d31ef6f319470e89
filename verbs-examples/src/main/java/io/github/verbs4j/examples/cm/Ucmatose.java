package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.EventChannel;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.SendFlags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
public final class Ucmatose implements Callable<Integer>, Checked {

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Connect to the server at ADDR; without it, be the server.")
    private String server;

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "The local address (server default: all devices).")
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

    @Mixin private ServerPort port;

    @Option(
            names = "-t",
            paramLabel = "TOS",
            converter = CNumber.class,
            description = "Client: type of service of the packets, 0 to 255.")
    private Integer tos;

    @Option(
            names = "-a",
            paramLabel = "N",
            converter = CNumber.class,
            description =
                    "Send again what is not acknowledged within 4.096 microseconds x 2^N; 1 to 31,"
                            + " or 0 for never.")
    private Integer ackTimeout;

    @Option(
            names = "-m",
            description = "Move the connections to another event channel before they end.")
    private boolean migrate;

    @Option(
            names = "-P",
            paramLabel = "SPACE",
            defaultValue = "tcp",
            converter = Space.class,
            description = "The port space: tcp (default) or ib; the same on both sides.")
    private PortSpace portSpace;

    @Mixin private AddressFormat format;
    @Mixin private Patience patience;

    private final List<RdmaConnection> made = new ArrayList<>();

    @Override
    public void check() {
        Arguments.range(1, 1000, "-c", connections);
        Arguments.range(0, 16_000, "-C", messages);
        Arguments.range(0, 1 << 30, "-S", size);
        Arguments.range(0, 255, "-t", tos == null ? 0 : tos);
        Arguments.range(0, 31, "-a", ackTimeout == null ? 0 : ackTimeout);
        if (size == 0) {
            messages = 0;
        }
    }

    @Override
    public Integer call() throws Exception {
        try (EventChannel other = migrate ? EventChannel.create() : null) {
            try {
                if (server == null) {
                    serve(other);
                } else {
                    connect(other);
                }
            } finally {
                made.forEach(RdmaConnection::close);
            }
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
                        .portSpace(portSpace)
                        .timeout(patience.get())
                        .connParam(
                                new ConnParam()
                                        .responderResources(1)
                                        .initiatorDepth(1)
                                        .retryCount(5));
        if (ackTimeout != null) {
            options.prepareId(id -> id.setAckTimeout(AckTimeout.of(ackTimeout)));
        }
        return messages == 0 ? options : options.receives(messages, size);
    }

    // @start region=client-options
    private ConnectionOptions clientOptions() {
        ConnectionOptions options = options();
        if (tos != null) {
            options.tos(tos);
        }
        return options.localAddress(local == null ? null : format.of(local, 0));
    }

    // @end

    private void serve(EventChannel other) throws Exception {
        System.out.println("cmatose: starting server");
        try (RdmaListener listener =
                RdmaListener.bind(format.toListen(local, port.get()), options())) {
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
            if (other != null) {
                migrateTo(other);
                listener.id().migrate(other);
            }
            System.out.println("cmatose: disconnecting");
            made.forEach(RdmaConnection::close);
            System.out.println("disconnected");
        }
    }

    private void connect(EventChannel other) throws Exception {
        System.out.println("cmatose: starting client");
        System.out.println("cmatose: connecting");
        while (made.size() < connections) {
            made.add(RdmaConnection.connect(format.of(server, port.get()), clientOptions()));
        }
        if (messages > 0) {
            System.out.println("receiving data transfers");
            receiveAll();
            System.out.println("sending replies");
            sendAll();
            System.out.println("data transfers complete");
        }
        if (other != null) {
            migrateTo(other);
        }
        for (RdmaConnection connection : made) {
            // The server ends it: leaving first could take replies from it.
            connection.awaitDisconnected(patience.get());
        }
    }

    private void migrateTo(EventChannel other) {
        System.out.println("migrating to new event channel");
        made.forEach(connection -> connection.id().migrate(other));
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

    /** The port spaces by name, as loosely as the C tool reads them. */
    static final class Space implements ITypeConverter<PortSpace> {
        @Override
        public PortSpace convert(String text) {
            String word = text.toLowerCase(Locale.ROOT);
            if (!word.startsWith("tcp") && !word.startsWith("ib")) {
                throw new TypeConversionException("'" + text + "' is neither tcp nor ib");
            }
            return word.startsWith("tcp") ? PortSpace.TCP : PortSpace.IB;
        }
    }
}
