package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cm.Address;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.examples.cm.Patience;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the two sides of the tutorial's first programs find each other. */
final class Meeting implements Checked {

    /** Where a client connects to; an argument of the program, at a position of its own. */
    String host;

    Integer port;

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "Server: listen on this address (default: all devices).")
    private String address;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Server: listen on this port (default: one that is free).")
    private int listenPort;

    @Mixin private Patience patience;

    @Override
    public void check() {
        if (isClient() && port == null) {
            throw Arguments.wrong("which port? The server prints it");
        }
        if (isClient()) {
            Arguments.range(1, 65535, "PORT", port);
        }
        Arguments.range(0, 65535, "-p", listenPort);
    }

    boolean isClient() {
        return host != null;
    }

    RdmaConnection meet(ConnectionOptions options) throws Exception {
        return isClient() ? connect(options) : serve(options);
    }

    Link link(RdmaConnection peer) {
        return new Link(peer, patience());
    }

    Duration patience() {
        return patience.get();
    }

    // @start region=meeting
    /** Waits for one client; where it goes, the server prints. */
    private RdmaConnection serve(ConnectionOptions options) throws Exception {
        try (RdmaListener listener = RdmaListener.bind(Address.toListen(address, listenPort))) {
            System.out.printf("listening on port %d.%n", listener.localAddress().getPort());
            RdmaListener.Request request = listener.next(patience());
            System.out.println("received connection request.");
            return request.accept(options);
        }
    }

    private RdmaConnection connect(ConnectionOptions options) throws Exception {
        return RdmaConnection.connect(Address.of(host, port), options);
    }

    // @end

    /** {@return the tutorial's text of a side} */
    String text() {
        String side = isClient() ? "active/client" : "passive/server";
        return "message from %s side with pid %d".formatted(side, ProcessHandle.current().pid());
    }
}
