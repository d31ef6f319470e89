package io.github.verbs4j.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever is killed, and when: what was in the folder stays as it was, what has the name of a sent
 * file is all of it, and the next one is served. Each side is a process of its own, and gets
 * SIGKILL.
 */
@RequiresDevice
@Timeout(400)
class FileTransferKilledDeviceTest {

    /** Twice what the server's buffer holds, so the bar moves twice. */
    private static final int SIZE = 2 * Transfer.BUFFER;

    /** Waits until a transfer has come so far. */
    private interface Moment {
        void await(Output client) throws Exception;
    }

    /** What a client, in whichever process, has printed. */
    private interface Output {
        void await(String wanted) throws InterruptedException;
    }

    @TempDir Path folder;

    private Path in;
    private Path kept;
    private Path large;
    private Path small;
    private String address;
    private String port;

    /** When to kill: the name was accepted, some was sent, all; the file has its name. */
    private final List<Moment> moments =
            List.of(
                    client -> awaitThat("a temporary file", () -> partial() > 0),
                    client -> client.await(" 50 %"),
                    client -> client.await(" 100 %"),
                    client -> awaitThat("the file", () -> Files.exists(in.resolve("large"))));

    @BeforeEach
    void prepare() throws Exception {
        in = Files.createDirectory(folder.resolve("in"));
        kept = Files.writeString(in.resolve("kept"), "mine");
        large = file("large", SIZE);
        small = file("small", 1000);
        address = RdmaPorts.address().getHostAddress();
        port = String.valueOf(RdmaPorts.free(PortSpace.TCP));
    }

    private Path file(String name, int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(folder.resolve(name), bytes);
    }

    private Tool serve() throws Exception {
        Tool server =
                JavaTool.start("file-transfer", "-b", address, "-p", port, "-o", in.toString());
        server.awaitOutput("waiting for connections");
        return server;
    }

    private String[] client(Path file) {
        return new String[] {"file-transfer", "-p", port, "--progress", address, file.toString()};
    }

    private Tool send(Path file) throws Exception {
        return JavaTool.start(client(file));
    }

    /** In this process: for the side that is not killed. */
    private Example sendFromHere(Path file) {
        return Example.start(client(file));
    }

    @Test
    void aServerOutlivesClientsThatAreKilledAtAnyMoment() throws Exception {
        try (Tool server = serve()) {
            for (Moment moment : moments) {
                try (Tool client = send(large)) {
                    moment.await(client::awaitOutput);
                    client.kill();
                }
                assertNothingHalf();
                awaitThat("the server to tidy up", () -> partial() == 0);
                assertNothingHalf();
                Files.deleteIfExists(in.resolve("large"));
            }
            sendFromHere(small).await().succeeded();
            assertEquals(-1, Files.mismatch(small, in.resolve("small")));
            assertTrue(server.isRunning());
        }
        assertNothingHalf();
    }

    @Test
    void aServerThatIsKilledAtAnyMomentLeavesTheWholeFileOrNone() throws Exception {
        long left = 0;
        for (Moment moment : moments) {
            try (Tool server = serve()) {
                // What the one before left is gone, and was told of.
                assertEquals(0, partial());
                assertEquals(left > 0, server.printed().contains("removed: " + left));
                Example client = sendFromHere(large);
                moment.await(client::awaitOutput);
                server.kill();
                left = partial();
                Result sent = client.await();
                if (sent.status() != 0) {
                    sent.failed(1, "file-transfer: ");
                }
            }
            assertNothingHalf();
            Files.deleteIfExists(in.resolve("large"));
        }
        try (Tool server = serve()) {
            sendFromHere(large).await().succeeded();
            assertTrue(server.isRunning());
        }
        assertEquals(-1, Files.mismatch(large, in.resolve("large")));
    }

    @Test
    void ofTwoFilesOfOneNameOneIsStoredWholeAndTheOtherIsRefused() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other")).resolve("large");
        Files.copy(large, other);
        Files.write(other, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        try (Tool server = serve();
                Tool second = send(other)) {
            Result one = sendFromHere(large).await();
            Result two = second.await();
            assertEquals(1, one.status() + two.status(), one + "\n" + two);
            Path winner = one.status() == 0 ? large : other;
            assertEquals(-1, Files.mismatch(winner, in.resolve("large")));
            (one.status() == 0 ? two : one).failed(1, "large: the server has a file of that name");
            awaitThat("the server to tidy up", () -> partial() == 0);
            assertTrue(server.isRunning());
        }
    }

    /** The invariant of every moment. */
    private void assertNothingHalf() throws IOException {
        assertEquals("mine", Files.readString(kept));
        Path arrived = in.resolve("large");
        if (Files.exists(arrived)) {
            assertEquals(-1, Files.mismatch(large, arrived));
        }
    }

    /** {@return how many files are on their way} */
    private long partial() throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            return all.filter(file -> file.getFileName().toString().startsWith(".")).count();
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void awaitThat(String what, Condition condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (!condition.holds()) {
            assertTrue(System.nanoTime() - deadline < 0, "there was never " + what);
            Thread.sleep(5);
        }
    }
}
