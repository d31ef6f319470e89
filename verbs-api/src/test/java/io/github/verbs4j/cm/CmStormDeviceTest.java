package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.SendFlags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many connections, and peers that vanish. */
@RequiresDevice(Kind.RXE)
class CmStormDeviceTest {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 200;
    private static final int AT_A_TIME = 20;

    @Test
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("CM-34 200 connections, 20 at a time, leave no descriptor, id or memory behind")
    void storm() throws Exception {
        storm(Kind.RXE);
    }

    @Test
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("CM-34 200 connections on iWARP, 20 at a time, leave nothing behind either")
    void stormIwarp() throws Exception {
        storm(Kind.SIW);
    }

    private static void storm(Kind kind) throws Exception {
        try (RdmaListener listener =
                        RdmaListener.bind(
                                CmAddress.of(kind, 0),
                                new ConnectionOptions().receives(2, 64).timeout(WAIT));
                ExecutorService workers = Executors.newFixedThreadPool(2 * AT_A_TIME)) {
            wave(listener, workers);
            int files = OpenFiles.count();
            int ids = CmIds.size();
            long memory = residentKb();
            for (int i = 1; i < CONNECTIONS / AT_A_TIME; i++) {
                wave(listener, workers);
            }
            assertEquals(files, OpenFiles.count());
            assertEquals(ids, CmIds.size());
            long grown = residentKb() - memory;
            assertTrue(grown < 64 << 10, grown + " KiB more than after the first wave");
        }
    }

    private static void wave(RdmaListener listener, ExecutorService workers) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            all.add(workers.submit(() -> serve(listener)));
            int number = i;
            all.add(workers.submit(() -> visit(listener, number)));
        }
        ExecutionException failure = null;
        for (Future<?> each : all) {
            try {
                each.get(WAIT.toSeconds() * 2, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // A visitor that fails leaves a server waiting: all of them tell why.
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static Void serve(RdmaListener listener) throws Exception {
        try (RdmaConnection server = listener.accept(WAIT)) {
            WorkCompletion got = server.verbs().getRecvComp(WAIT);
            assertTrue(server.received(got.wrId()).getString(0).startsWith("visitor "));
            assertTrue(server.awaitDisconnected(WAIT));
        }
        return null;
    }

    private static Void visit(RdmaListener listener, int number) throws Exception {
        try (RdmaConnection client =
                        RdmaConnection.connect(
                                listener.localAddress(), new ConnectionOptions().timeout(WAIT));
                MemoryRegion buffer = client.pd().allocateMr(64)) {
            buffer.segment().setString(0, "visitor " + number);
            client.verbs().postSend(1, buffer, 0, 32, SendFlags.SIGNALED);
            client.verbs().getSendComp(WAIT);
        }
        return null;
    }

    private static long residentKb() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    @Test
    @DisplayName("CM-22 a client that is killed disconnects the server")
    void killedClient() throws Exception {
        try (RdmaListener listener =
                RdmaListener.bind(
                        CmAddress.of(Kind.RXE, 0), new ConnectionOptions().receives(2, 64))) {
            Process client =
                    new ProcessBuilder(
                                    "rping",
                                    "-c",
                                    "-a",
                                    CmAddress.of(Kind.RXE).getHostAddress(),
                                    "-p",
                                    String.valueOf(listener.localAddress().getPort()))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (RdmaConnection server = listener.accept(WAIT)) {
                WorkCompletion got = server.verbs().getRecvComp(WAIT);
                assertEquals(16, got.byteLen(), "rping's first message");
                client.destroyForcibly();
                assertTrue(server.awaitDisconnected(WAIT));
            } finally {
                client.destroyForcibly();
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the program waits for our end to close
    @DisplayName("IOP-01 the C program ucmatose talks to our client")
    void ucmatoseServer() throws Exception {
        String host = CmAddress.of(Kind.RXE).getHostAddress();
        Process server = ucmatose("-b", host, "-p", "7493");
        try (RdmaConnection client = connectWhenReady(7493)) {
            talk(client, false);
            assertTrue(client.awaitDisconnected(WAIT));
            client.close();
            finish(server);
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    @DisplayName("IOP-02 the C program ucmatose talks to our server")
    void ucmatoseClient() throws Exception {
        try (RdmaListener listener =
                RdmaListener.bind(
                        CmAddress.of(Kind.RXE, 0), new ConnectionOptions().receives(10, 100))) {
            Process client =
                    ucmatose(
                            "-s",
                            CmAddress.of(Kind.RXE).getHostAddress(),
                            "-p",
                            String.valueOf(listener.localAddress().getPort()));
            try {
                try (RdmaConnection server = listener.accept(WAIT)) {
                    talk(server, true);
                }
                finish(client);
            } finally {
                client.destroyForcibly();
            }
        }
    }

    /** The server sends its ten messages of 100 bytes first, then the client. */
    private static void talk(RdmaConnection connection, boolean first) throws Exception {
        try (MemoryRegion buffer = connection.pd().allocateMr(4096)) {
            if (first) {
                sendTen(connection, buffer);
            }
            for (int i = 0; i < 10; i++) {
                assertEquals(100, connection.verbs().getRecvComp(WAIT).byteLen());
            }
            if (!first) {
                sendTen(connection, buffer);
            }
        }
    }

    private static void sendTen(RdmaConnection connection, MemoryRegion buffer) throws Exception {
        for (int i = 0; i < 10; i++) {
            connection.verbs().postSend(i, buffer, 0, 100, SendFlags.SIGNALED);
        }
        for (int i = 0; i < 10; i++) {
            connection.verbs().getSendComp(WAIT);
        }
    }

    private static RdmaConnection connectWhenReady(int port) throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (true) {
            try {
                return RdmaConnection.connect(
                        CmAddress.of(Kind.RXE, port), new ConnectionOptions().receives(10, 100));
            } catch (CmException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.sleep(50); // the program does not say when it listens
            }
        }
    }

    private static Process ucmatose(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ucmatose", "-c", "1"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void finish(Process process) throws Exception {
        try {
            if (!process.waitFor(WAIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(output.contains("return status 0"), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
