package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Each side reads or writes the other's memory. The tutorial's second programs may be the peer. */
@Command(
        name = "read-write",
        description = {
            "Read or write the peer's memory by RDMA (tutorial, part 2).",
            "",
            "Start it with the mode on one side; it prints its port. Then start it with the same"
                    + " mode and the server's HOST and PORT on the other. Each tells the other"
                    + " where its memory is, reads a text from the other's or writes one there,"
                    + " and says that it is done: the peer's processor has no part in it."
        })
public final class ReadWrite implements Callable<Integer> {

    /** What both sides do. */
    enum Mode {
        /** Fetch the peer's text. */
        read,
        /** Leave a text with the peer. */
        write
    }

    private static final int SIZE = 1024;

    @Parameters(index = "0", paramLabel = "MODE", description = "read or write.")
    private Mode mode;

    @Mixin private Meeting meeting;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "The server.")
    void host(String host) {
        meeting.host = host;
    }

    @Parameters(index = "2", arity = "0..1", paramLabel = "PORT", description = "Its port.")
    void port(Integer port) {
        meeting.port = port;
    }

    @Override
    public Integer call() throws Exception {
        var options = Transfer.options(meeting.patience()).receives(2, MrMessage.BYTES);
        try (RdmaConnection peer = meeting.meet(options)) {
            exchange(peer);
        }
        return 0;
    }

    private void exchange(RdmaConnection peer) throws Exception {
        Link link = meeting.link(peer);
        AccessFlag remote = mode == Mode.write ? AccessFlag.REMOTE_WRITE : AccessFlag.REMOTE_READ;
        try (MemoryRegion mine = peer.pd().allocateMr(SIZE, AccessFlag.LOCAL_WRITE);
                MemoryRegion shared = peer.pd().allocateMr(SIZE, AccessFlag.LOCAL_WRITE, remote);
                MemoryRegion message = peer.pd().allocateMr(MrMessage.BYTES)) {
            MemoryRegion text = mode == Mode.write ? mine : shared;
            text.segment().setString(0, meeting.text());
            MemorySegment out = message.segment();
            SendWr say = new SendWr(1).send(message, 0, MrMessage.BYTES);
            // @start region=exchange
            MrMessage.writeMr(out, shared.remote());
            // The client speaks first: the tutorial's server answers.
            if (meeting.isClient()) {
                perform(peer, link, say);
            }
            RemoteBuffer theirs = MrMessage.mr(receive(peer, link, MrMessage.MR));
            if (!meeting.isClient()) {
                perform(peer, link, say);
            }
            access(peer, link, mine, theirs);
            MrMessage.writeDone(out);
            perform(peer, link, say);
            receive(peer, link, MrMessage.DONE);
            // @end
            MemoryRegion result = mode == Mode.write ? shared : mine;
            System.out.println("remote buffer: " + BasicClientServer.text(result.segment(), SIZE));
        }
    }

    private void access(RdmaConnection peer, Link link, MemoryRegion mine, RemoteBuffer theirs)
            throws InterruptedException {
        System.out.printf(
                "received MSG_MR. %s remote memory...%n",
                mode == Mode.write ? "writing message to" : "reading message from");
        // The tutorial's regions have this size, too; its messages may not say so.
        RemoteBuffer all = new RemoteBuffer(theirs.address(), SIZE, theirs.rkey());
        SendWr wr = new SendWr(1);
        perform(
                peer,
                link,
                mode == Mode.write
                        ? wr.write(mine, 0, SIZE, all, 0)
                        : wr.read(mine, 0, SIZE, all, 0));
    }

    private static void perform(RdmaConnection peer, Link link, SendWr wr)
            throws InterruptedException {
        peer.qp().postSend(wr.sendFlags(SendFlags.SIGNALED));
        link.sent();
        System.out.println("send completed successfully.");
    }

    private static MemorySegment receive(RdmaConnection peer, Link link, int expected)
            throws InterruptedException {
        WorkCompletion received = link.received();
        MemorySegment message = peer.received(received.wrId());
        if (MrMessage.type(message, received.byteLen()) != expected) {
            throw new ExampleException("the peer's message came out of turn");
        }
        return message;
    }
}
