package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcOpcode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** Receives the file of one client: it writes into the buffer and says how much by a number. */
final class FileReceiver {

    private final Path folder;
    private final Duration patience;
    private final RdmaConnection connection;
    private final MemoryRegion buffer;
    private final MemoryRegion message;
    private final Link link;
    private final RecvWr notice = new RecvWr(0);
    private final SendWr send = new SendWr(1);

    private FileReceiver(
            Path folder,
            Duration patience,
            RdmaConnection connection,
            MemoryRegion buffer,
            MemoryRegion message) {
        this.folder = folder;
        this.patience = patience;
        this.connection = connection;
        this.buffer = buffer;
        this.message = message;
        link = new Link(connection, patience);
    }

    /** {@return the line that says how it went} */
    static String receive(RdmaListener.Request request, Path folder, Duration patience)
            throws Exception {
        RecvWr first = new RecvWr(0);
        try (RdmaConnection connection =
                        request.accept(
                                Transfer.options(patience)
                                        .prepare(made -> made.qp().postRecv(first)));
                MemoryRegion buffer =
                        connection
                                .pd()
                                .allocateMr(
                                        Transfer.BUFFER,
                                        AccessFlag.LOCAL_WRITE,
                                        AccessFlag.REMOTE_WRITE);
                MemoryRegion message = connection.pd().allocateMr(FileMessage.BYTES)) {
            return new FileReceiver(folder, patience, connection, buffer, message).receive();
        }
    }

    private String receive() throws Exception {
        say(new FileMessage(FileMessage.MR, buffer.address(), buffer.rkey()));
        long start = System.nanoTime();
        try (IncomingFile file = new IncomingFile(folder, name())) {
            // @start region=receive-file
            while (true) {
                connection.qp().postRecv(notice);
                say(new FileMessage(FileMessage.READY, 0, 0));
                WorkCompletion written = written();
                if (written.immData() == 0) {
                    return end(file, written.byteLen(), start);
                }
                file.append(buffer.segment().asSlice(0, length(written)).asByteBuffer());
            }
            // @end
        } catch (Refused e) {
            refuse(e.reason());
            throw e;
        }
    }

    private String name() throws Exception {
        WorkCompletion written = written();
        long length = length(written);
        return FileNames.decode(
                buffer.segment()
                        .asSlice(0, Math.min(length, FileNames.MOST + 1))
                        .toArray(JAVA_BYTE));
    }

    private String end(IncomingFile file, long written, long start) throws Exception {
        FileEnd end = FileEnd.read(buffer.segment(), written);
        byte[] sha256 = file.digest();
        if (end != null
                && (end.length() != file.length() || !Arrays.equals(end.sha256(), sha256))) {
            throw new Refused(Refusal.CORRUPTED, file.name() + ": " + Refusal.CORRUPTED);
        }
        file.commit();
        long nanos = System.nanoTime() - start;
        String line =
                "%s: %s, SHA-256 %s%s"
                        .formatted(
                                file.name(),
                                Transfer.speed(file.length(), nanos),
                                IncomingFile.hex(sha256),
                                end != null ? ", verified" : " (the client sent none)");
        sayDone(new FileMessage(FileMessage.DONE, file.length(), FileEnd.prefix(sha256)));
        return line;
    }

    /** The file is stored, whether or not the client stays to hear it. */
    private void sayDone(FileMessage done) throws InterruptedException {
        try {
            say(done);
            connection.awaitDisconnected(patience);
        } catch (RuntimeException e) {
            System.err.println(
                    "file-transfer: the client left before it was told: " + e.getMessage());
        }
    }

    private WorkCompletion written() throws InterruptedException {
        WorkCompletion received = link.received();
        if (received.opcode() != WcOpcode.RECV_RDMA_WITH_IMM) {
            throw new ExampleException(
                    "the peer is no file-transfer: it sent a %s", received.opcode());
        }
        return received;
    }

    /** How much there is in the buffer: what the client says, if that can be. */
    private static int length(WorkCompletion written) {
        int length = written.immData();
        if (length < 1 || length > Transfer.BUFFER || length != written.byteLen()) {
            throw new ExampleException(
                    "the client said %d bytes and wrote %d", length, written.byteLen());
        }
        return length;
    }

    private void refuse(Refusal reason) throws InterruptedException {
        try {
            say(new FileMessage(FileMessage.REFUSED, reason.ordinal(), 0));
            // The client reads it and leaves; disconnecting at once could overtake it.
            connection.awaitDisconnected(Duration.ofSeconds(1));
        } catch (RuntimeException e) {
            // Gone already: it will not miss the reason.
        }
    }

    private void say(FileMessage what) throws InterruptedException {
        what.write(message.segment());
        connection
                .qp()
                .postSend(send.send(message, 0, FileMessage.BYTES).sendFlags(SendFlags.SIGNALED));
        link.sent();
    }
}
