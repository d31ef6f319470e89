package io.github.verbs4j.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cm.Link;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RequiresDevice
class FileTransferDeviceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder;

    private Path in;
    private String address;
    private String port;

    @BeforeEach
    void prepare() throws Exception {
        in = Files.createDirectory(folder.resolve("in"));
        address = RdmaPorts.address().getHostAddress();
        port = String.valueOf(RdmaPorts.free(PortSpace.TCP));
    }

    private Example serve(int files) throws Exception {
        Example server =
                Example.start(
                        "file-transfer",
                        "-b",
                        address,
                        "-p",
                        port,
                        "-o",
                        in.toString(),
                        "-n",
                        String.valueOf(files));
        server.awaitOutput("waiting for connections");
        return server;
    }

    private Tool send(Path... files) throws Exception {
        return JavaTool.start(
                Stream.concat(
                                Stream.of("file-transfer", "-p", port, address),
                                Stream.of(files).map(Path::toString))
                        .toArray(String[]::new));
    }

    private Path file(String name, int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(folder.resolve(name), bytes);
    }

    private void assertArrived(Path... files) throws Exception {
        for (Path file : files) {
            assertEquals(-1, Files.mismatch(file, in.resolve(file.getFileName())), file.toString());
        }
        try (Stream<Path> all = Files.list(in)) {
            assertEquals(files.length, all.count());
        }
    }

    @Test
    void severalFilesArriveWithTheirDigestsVerifiedOnBothSides() throws Exception {
        Path empty = file("empty", 0);
        Path small = file("small file", 1000);
        Path large = file("large", (10 << 20) + 12345);
        Example server = serve(3);
        try (Tool client = send(empty, small, large)) {
            Result sent = client.await();
            String log = server.await().succeeded().out();
            assertEquals("", sent.err());
            assertEquals(0, sent.status());
            for (String out : new String[] {sent.out(), log}) {
                assertEquals(3, out.lines().filter(line -> line.contains(", verified")).count());
                assertTrue(out.contains("large: 10498105 bytes in "), out);
                assertTrue(out.contains(" Gbit/s, SHA-256 "), out);
                assertTrue(out.contains("SHA-256 e3b0c44298fc1c14"), out);
            }
        }
        assertArrived(empty, small, large);
    }

    @Test
    void aFileThatExistsIsRefusedAndTheOthersAreSent() throws Exception {
        Path mine = Files.writeString(in.resolve("a"), "mine");
        Path other = file("b", 10);
        Example server = serve(1);
        try (Tool client = send(file("a", 10), other)) {
            Result sent = client.await();
            assertEquals(1, sent.status(), sent.toString());
            assertTrue(sent.err().contains("a: the server has a file of that name"), sent.err());
            assertTrue(sent.err().contains("1 of 2 files were not sent"), sent.err());
        }
        assertEquals("mine", Files.readString(mine));
        assertEquals(-1, Files.mismatch(other, in.resolve("b")));
        Result result = server.await();
        assertEquals(0, result.status());
        assertTrue(result.err().contains("exists; it was left as it is"), result.err());
    }

    /** A client that speaks the protocol of the tutorial, up to the answer to its name. */
    private FileMessage sendName(RdmaConnection connection, MemoryRegion data, String name)
            throws Exception {
        Link link = new Link(connection, PATIENCE);
        FileMessage mr = message(connection, link);
        assertEquals(FileMessage.MR, mr.id());
        byte[] bytes = (name + "\0").getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data.segment(), 0, bytes.length);
        write(connection, data, mr, bytes.length, bytes.length);
        link.sent();
        return message(connection, link);
    }

    private static void write(
            RdmaConnection connection, MemoryRegion data, FileMessage mr, int length, int imm) {
        RemoteBuffer theirs = new RemoteBuffer(mr.address(), Transfer.BUFFER, mr.rkey());
        connection
                .qp()
                .postSend(
                        new SendWr(1)
                                .writeWithImm(data, 0, length, theirs, 0, imm)
                                .sendFlags(SendFlags.SIGNALED));
    }

    private static FileMessage message(RdmaConnection connection, Link link) throws Exception {
        var received = link.received();
        return FileMessage.read(connection.received(received.wrId()), received.byteLen());
    }

    private RdmaConnection connect() throws Exception {
        return RdmaConnection.connect(
                new InetSocketAddress(address, Integer.parseInt(port)),
                Transfer.options(PATIENCE).receives(4, FileMessage.BYTES));
    }

    @Test
    void pathTricksAreRefusedAndTheNextClientIsServed() throws Exception {
        Example server = serve(1);
        for (String name :
                new String[] {"../evil", "/tmp/evil", ".bashrc", "a\nb", "x".repeat(300)}) {
            try (RdmaConnection connection = connect();
                    MemoryRegion data = connection.pd().allocateMr(4096)) {
                FileMessage answer = sendName(connection, data, name);
                assertEquals(FileMessage.REFUSED, answer.id(), name);
                assertEquals(Refusal.BAD_NAME, Refusal.of(answer.address()));
            }
        }
        Path good = file("good", 100);
        try (Tool client = send(good)) {
            assertEquals(0, client.await().status());
        }
        Result result = server.await();
        assertEquals(0, result.status());
        assertEquals(5, result.err().lines().count(), result.err());
        assertArrived(good);
    }

    @Test
    void aClientThatDiesMidwayLeavesNothingAndTheNextIsServed() throws Exception {
        Example server = serve(1);
        try (RdmaConnection connection = connect();
                MemoryRegion data = connection.pd().allocateMr(4096)) {
            assertEquals(FileMessage.READY, sendName(connection, data, "half").id());
        }
        Path large = file("half", 1 << 20);
        try (Tool client = send(large)) {
            Result sent = client.await();
            assertEquals(0, sent.status(), sent.toString());
        }
        Result result = server.await();
        assertTrue(result.err().contains("the peer has disconnected"), result.toString());
        assertArrived(large);
    }

    @Test
    void aFileThatChangesWhileItIsSentIsNotStored() throws Exception {
        Path changing = file("changing", 1000);
        Path good = file("good", 100);
        Example server = serve(1);
        Progress changes =
                new Progress("", false) {
                    @Override
                    void show(long done, long total) {
                        try {
                            Files.write(changing, new byte[1], StandardOpenOption.APPEND);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                };
        FileSender sender = new FileSender(changing, PATIENCE, changes);
        InetSocketAddress to = new InetSocketAddress(address, Integer.parseInt(port));
        Exception failure = assertThrows(ExampleException.class, () -> sender.send(to));
        assertEquals(
                changing + " changed while it was sent: it is not stored", failure.getMessage());
        try (Tool client = send(good)) {
            client.await().succeeded();
        }
        server.await();
        assertArrived(good);
    }

    @Test
    void wrongUseIsSaid() throws Exception {
        Example.run("file-transfer", "-p", port, address).failed(2, "which files?");
        Example.run("file-transfer", "-p", port, address, folder.resolve("none").toString())
                .failed(1, "is no file that can be read");
        Example.run("file-transfer", "-o", folder.resolve("none").toString())
                .failed(1, "is no folder");
        Example.run("file-transfer", "-p", port, address, file("a", 1).toString())
                .failed(1, "REJECTED");
    }
}
