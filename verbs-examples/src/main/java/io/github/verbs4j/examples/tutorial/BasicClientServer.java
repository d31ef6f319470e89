package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.examples.cm.Patience;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Each side sends the other a text. The tutorial's first programs may be the peer. */
@Command(
        name = "basic-client-server",
        description = {
            "Send a text each way over a connection (tutorial, part 1).",
            "",
            "Start it without arguments on one side; it prints its port. Then start it with the"
                    + " server's HOST and PORT on the other. Both post a receive before they"
                    + " connect, so that nothing arrives too early, and send when connected."
        })
public final class BasicClientServer implements Callable<Integer>, Checked {

    private static final int SIZE = 1024;

    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "The server.")
    private String host;

    @Parameters(index = "1", arity = "0..1", paramLabel = "PORT", description = "Its port.")
    private Integer port;

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
        if (host != null && port == null) {
            throw new ExampleException("which port? The server prints it");
        }
        Arguments.range(0, 65535, "-p", listenPort);
        patience.get();
    }

    @Override
    public Integer call() throws Exception {
        var options = Transfer.options(patience.get()).receives(1, SIZE);
        try (RdmaConnection peer =
                host == null
                        ? Meeting.serve(address, listenPort, options, patience.get())
                        : Meeting.connect(host, port, options)) {
            exchange(peer);
        }
        System.out.println("disconnected.");
        return 0;
    }

    private void exchange(RdmaConnection peer) throws Exception {
        Link link = new Link(peer, patience.get());
        try (MemoryRegion text = peer.pd().allocateMr(SIZE)) {
            System.out.println("connected. posting send...");
            // @start region=basic
            text.segment().setString(0, Meeting.text(host != null));
            peer.qp().postSend(new SendWr(1).send(text, 0, SIZE).sendFlags(SendFlags.SIGNALED));
            link.sent();
            System.out.println("send completed successfully.");
            WorkCompletion received = link.received();
            System.out.println(
                    "received message: "
                            + text(peer.received(received.wrId()), received.byteLen()));
            // @end
            if (host == null) {
                // The client ends it, when it has both completions.
                peer.awaitDisconnected(patience.get());
                System.out.println("peer disconnected.");
            }
        }
    }

    /** A text of the peer's, which may lack its NUL. */
    static String text(MemorySegment received, long length) {
        byte[] bytes = received.asSlice(0, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, java.nio.charset.StandardCharsets.UTF_8);
    }
}
