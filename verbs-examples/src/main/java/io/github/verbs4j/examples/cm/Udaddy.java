package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.cm.SyncCmId;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.Resources;
import java.net.InetSocketAddress;
import java.time.Duration;
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
 * Sends datagrams to a server, which sends as many back. Twin of {@code udaddy}, which may be the
 * peer in either role.
 */
@Command(
        name = "udaddy",
        description = {
            "Exchange datagrams with a server that is found by its address (as udaddy).",
            "",
            "Start it without -s on one side, then with -s and the server's address on the other,"
                + " with the same -c, -C and -S. The connection manager only tells the client where"
                + " the server's queue pair is; there is no connection. The server learns the way"
                + " back from the first datagram. The C tool may be either side."
        })
public final class Udaddy implements Callable<Integer>, Checked {

    /** The C tool knows no other. */
    private static final int PORT = 7174;

    private static final Duration RESOLVE = Duration.ofSeconds(2);

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Send to the server at ADDR; without it, be the server.")
    private String server;

    @Option(
            names = "-t",
            paramLabel = "TOS",
            converter = CNumber.class,
            description = "Client: type of service of the datagrams, 0 to 255.")
    private Integer tos;

    @Option(
            names = "-P",
            paramLabel = "SPACE",
            converter = Space.class,
            description = "The port space: udp (default), or ipoib, which needs InfiniBand.")
    private PortSpace portSpace;

    @Mixin private AddressFormat format;
    @Mixin private DatagramOptions options;

    private final Resources open = new Resources();
    private final List<DatagramEnd> ends = new ArrayList<>();

    @Override
    public void check() {
        Arguments.range(0, 255, "-t", tos == null ? 0 : tos);
        if (portSpace != null) {
            options.portSpace = portSpace;
        }
    }

    @Override
    public Integer call() throws Exception {
        try (open) {
            if (server == null) {
                serve();
            } else {
                connect();
            }
        }
        System.out.println("test complete");
        System.out.println("return status 0");
        return 0;
    }

    private void serve() throws Exception {
        System.out.println("udaddy: starting server");
        options.checkNetwork();
        try (SyncCmId listener = SyncCmId.create(options.portSpace)) {
            listener.id().bindAddr(format.toListen(options.local, PORT));
            listener.id().listen(options.connections);
            while (ends.size() < options.connections) {
                SyncCmId client = listener.getRequest(options.patience.get());
                DatagramEnd end = open.add(new DatagramEnd(client, options));
                ends.add(end);
                end.postReceives();
                client.accept(new ConnParam(), options.patience.get());
            }
            if (options.messages > 0) {
                System.out.println("receiving data transfers");
                for (DatagramEnd end : ends) {
                    end.receiveAll();
                }
                System.out.println("sending replies");
                for (DatagramEnd end : ends) {
                    end.sendAll();
                }
                System.out.println("data transfers complete");
            }
        }
    }

    private void connect() throws Exception {
        System.out.println("udaddy: starting client");
        options.checkNetwork();
        InetSocketAddress there = format.of(server, PORT);
        System.out.println("udaddy: connecting");
        while (ends.size() < options.connections) {
            connectTo(there);
        }
        if (options.messages > 0) {
            System.out.println("initiating data transfers");
            for (DatagramEnd end : ends) {
                end.sendAll();
            }
            System.out.println("receiving data transfers");
            for (DatagramEnd end : ends) {
                end.receiveAll();
            }
            System.out.println("data transfers complete");
        }
    }

    // @start region=ud-connect
    /** Asks the server for a queue pair to send to. */
    private void connectTo(InetSocketAddress there) throws Exception {
        DatagramEnd end = open.add(new DatagramEnd(resolve(there), options));
        ends.add(end);
        end.postReceives();
        end.sendTo(end.id().connect(new ConnParam(), options.patience.get()).udParam());
    }

    // @end

    private SyncCmId resolve(InetSocketAddress there) throws Exception {
        SyncCmId id = SyncCmId.create(options.portSpace);
        try {
            id.resolveAddr(
                    options.local == null ? null : format.of(options.local, 0), there, RESOLVE);
            if (tos != null) {
                id.id().setTos(tos);
            }
            id.resolveRoute(RESOLVE);
            return id;
        } catch (Exception e) {
            id.close();
            throw e;
        }
    }

    /** The port spaces by name, as loosely as the C tool reads them. */
    static final class Space implements ITypeConverter<PortSpace> {
        @Override
        public PortSpace convert(String text) {
            String word = text.toLowerCase(Locale.ROOT);
            if (!word.startsWith("udp") && !word.startsWith("ipoib")) {
                throw new TypeConversionException("'" + text + "' is neither udp nor ipoib");
            }
            return word.startsWith("udp") ? PortSpace.UDP : PortSpace.IPOIB;
        }
    }
}
