package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class BasicClientServer implements Callable<Integer> {

    private static final int SIZE = 1024;

    @Mixin private Meeting meeting;

    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "The server.")
    void host(String host) {
        meeting.host = host;
    }

    @Parameters(index = "1", arity = "0..1", paramLabel = "PORT", description = "Its port.")
    void port(Integer port) {
        meeting.port = port;
    }

    @Override
    public Integer call() throws Exception {
        var options = Transfer.options(meeting.patience()).receives(1, SIZE);
        try (RdmaConnection peer = meeting.meet(options)) {
            exchange(peer);
        }
        System.out.println("disconnected.");
        return 0;
    }

    private void exchange(RdmaConnection peer) throws Exception {
        Link link = meeting.link(peer);
        try (MemoryRegion text = peer.pd().allocateMr(SIZE)) {
            System.out.println("connected. posting send...");
            // @start region=basic
            text.segment().setString(0, meeting.text());
            peer.qp().postSend(new SendWr(1).send(text, 0, SIZE).sendFlags(SendFlags.SIGNALED));
            link.sent();
            System.out.println("send completed successfully.");
            WorkCompletion received = link.received();
            System.out.println(
                    "received message: "
                            + text(peer.received(received.wrId()), received.byteLen()));
            // @end
            if (!meeting.isClient()) {
                // The client ends it, when it has both completions.
                peer.awaitDisconnected(meeting.patience());
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
