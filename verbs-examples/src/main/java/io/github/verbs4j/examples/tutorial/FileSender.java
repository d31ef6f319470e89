package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;

/** Sends one file: its name, then as much as the server's buffer holds whenever it is READY. */
final class FileSender {

    private final Path file;
    private final byte[] name;
    private final Duration patience;
    private final Progress progress;
    private final MessageDigest digest = Digests.sha256();
    private long sent;
    private long sizeAtStart;
    private FileTime timeAtStart;
    private boolean nameSent;
    private byte[] sha256;

    FileSender(Path file, Duration patience, Progress progress) throws Refused {
        this.file = file;
        this.patience = patience;
        this.progress = progress;
        Path last = file.getFileName();
        name = FileNames.encode(last == null ? "" : last.toString());
    }

    /** {@return the line that says how it went} */
    String send(InetSocketAddress server) throws Exception {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new ExampleException("%s is no file that can be read", file);
        }
        sizeAtStart = Files.size(file);
        timeAtStart = Files.getLastModifiedTime(file);
        ConnectionOptions options = Transfer.options(patience).receives(2, FileMessage.BYTES);
        try (FileChannel input = FileChannel.open(file, StandardOpenOption.READ);
                RdmaConnection connection = RdmaConnection.connect(server, options);
                MemoryRegion buffer = connection.pd().allocateMr(Transfer.BUFFER)) {
            long start = System.nanoTime();
            FileMessage done = converse(connection, buffer, input);
            long nanos = System.nanoTime() - start;
            boolean verified = done.address() == sent && done.rkey() == FileEnd.prefix(sha256);
            return "%s: %s, SHA-256 %s%s"
                    .formatted(
                            file.getFileName(),
                            Transfer.speed(sent, nanos),
                            IncomingFile.hex(sha256),
                            verified ? ", verified by the server" : " (compare it yourself)");
        }
    }

    private FileMessage converse(RdmaConnection connection, MemoryRegion buffer, FileChannel input)
            throws Exception {
        Link link = new Link(connection, patience);
        RemoteBuffer theirs = null;
        SendWr write = new SendWr(1);
        while (true) {
            FileMessage said = receive(connection, link);
            switch (said.id()) {
                case FileMessage.MR ->
                        theirs = new RemoteBuffer(said.address(), Transfer.BUFFER, said.rkey());
                case FileMessage.READY -> requireReady(theirs);
                case FileMessage.DONE -> {
                    requireEnded();
                    return said;
                }
                case FileMessage.REFUSED ->
                        throw new ExampleException("%s: %s", file, Refusal.of(said.address()));
                default -> throw new ExampleException("the peer said %d, unknown", said.id());
            }
            Piece piece = next(buffer.segment(), input);
            write.writeWithImm(buffer, 0, piece.length(), theirs, 0, piece.imm());
            connection.qp().postSend(write.sendFlags(SendFlags.SIGNALED));
            link.sent();
        }
    }

    private static FileMessage receive(RdmaConnection connection, Link link)
            throws InterruptedException {
        WorkCompletion received = link.received();
        FileMessage message =
                FileMessage.read(connection.received(received.wrId()), received.byteLen());
        connection.repost(received.wrId());
        return message;
    }

    private void requireReady(RemoteBuffer theirs) {
        if (theirs == null || !nameSent || sha256 != null) {
            throw new ExampleException("the peer said READY out of turn");
        }
    }

    private void requireEnded() {
        if (sha256 == null) {
            throw new ExampleException("the peer said DONE before the file had ended");
        }
    }

    /** Before the end is said, so that the server stores no mixture of old and new. */
    private void requireUnchanged() throws IOException {
        if (Files.size(file) != sizeAtStart
                || !Files.getLastModifiedTime(file).equals(timeAtStart)) {
            throw new ExampleException("%s changed while it was sent: it is not stored", file);
        }
    }

    /** What to write next, and the number that tells the server. */
    private record Piece(long length, int imm) {}

    private Piece next(MemorySegment buffer, FileChannel input) throws IOException {
        if (!nameSent) {
            nameSent = true;
            MemorySegment.copy(MemorySegment.ofArray(name), 0, buffer, 0, name.length);
            return new Piece(name.length, name.length);
        }
        ByteBuffer chunk = buffer.asByteBuffer();
        while (chunk.hasRemaining() && input.read(chunk) >= 0) {
            // A file may give less than was asked for before its end.
        }
        chunk.flip();
        requireUnchanged();
        if (chunk.hasRemaining()) {
            int length = chunk.remaining();
            digest.update(chunk);
            sent += length;
            progress.show(sent, input.size());
            return new Piece(length, length);
        }
        sha256 = digest.digest();
        new FileEnd(sent, sha256).write(buffer);
        return new Piece(FileEnd.BYTES, 0);
    }
}
