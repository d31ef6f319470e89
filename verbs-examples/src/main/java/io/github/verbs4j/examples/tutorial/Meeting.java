package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cm.Address;
import java.net.InetSocketAddress;
import java.time.Duration;

/** How the two sides of the tutorial's first programs find each other. */
final class Meeting {

    private Meeting() {}

    // @start region=meeting
    /** Waits for one client; where it goes, the server prints. */
    static RdmaConnection serve(
            String address, int port, ConnectionOptions options, Duration patience)
            throws Exception {
        try (RdmaListener listener = RdmaListener.bind(Address.toListen(address, port))) {
            System.out.printf("listening on port %d.%n", listener.localAddress().getPort());
            RdmaListener.Request request = listener.next(patience);
            System.out.println("received connection request.");
            return request.accept(options);
        }
    }

    static RdmaConnection connect(String host, int port, ConnectionOptions options)
            throws Exception {
        InetSocketAddress server = Address.of(host, port);
        return RdmaConnection.connect(server, options);
    }

    // @end

    /** {@return the tutorial's text of a side} */
    static String text(boolean client) {
        return "message from %s side with pid %d"
                .formatted(
                        client ? "active/client" : "passive/server", ProcessHandle.current().pid());
    }
}
