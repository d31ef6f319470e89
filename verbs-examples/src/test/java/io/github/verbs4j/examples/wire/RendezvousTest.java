package io.github.verbs4j.examples.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.types.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RendezvousTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final List<PingpongAddress> MINE =
            List.of(new PingpongAddress(1, 2, 3, Gid.of(4, 5)));
    private static final List<PingpongAddress> THEIRS =
            List.of(new PingpongAddress(6, 7, 8, Gid.of(9, 10)));

    @Test
    void bothSidesOfSeveralQueuePairsFindEachOther() throws Exception {
        int port = Ports.free();
        List<PingpongAddress> two = List.of(MINE.getFirst(), THEIRS.getFirst());
        List<PingpongAddress> three = List.of(THEIRS.getFirst(), MINE.getFirst());
        try (Rendezvous server = Rendezvous.with(null, port, PATIENCE);
                Rendezvous client = Rendezvous.with("127.0.0.1", port, PATIENCE)) {
            CompletableFuture<List<PingpongAddress>> atServer =
                    CompletableFuture.supplyAsync(() -> server.exchange(two, peer -> {}));
            assertEquals(two, client.exchange(three, peer -> {}));
            assertEquals(three, atServer.get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void serverIsConnectedBeforeTheClientHearsOfIt() throws Exception {
        int port = Ports.free();
        List<String> order = new ArrayList<>();
        try (Rendezvous server = Rendezvous.with(null, port, PATIENCE);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            CompletableFuture<Void> atServer =
                    CompletableFuture.runAsync(
                            () -> server.exchange(MINE, peer -> order.add("connected " + peer)));
            client.getOutputStream().write(THEIRS.getFirst().toBytes());
            byte[] answer = client.getInputStream().readNBytes(PingpongAddress.BYTES);
            assertEquals(List.of("connected " + THEIRS), order);
            assertArrayEquals(MINE.getFirst().toBytes(), answer);
            client.getOutputStream().write(DONE);
            atServer.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void clientSaysDoneAndThenConnects() throws Exception {
        try (ServerSocket server = new ServerSocket(0);
                Rendezvous client = Rendezvous.with("127.0.0.1", server.getLocalPort(), PATIENCE)) {
            List<PingpongAddress> connected = new ArrayList<>();
            CompletableFuture<List<PingpongAddress>> atClient =
                    CompletableFuture.supplyAsync(() -> client.exchange(MINE, connected::addAll));
            try (Socket peer = server.accept()) {
                assertArrayEquals(
                        MINE.getFirst().toBytes(),
                        peer.getInputStream().readNBytes(PingpongAddress.BYTES));
                peer.getOutputStream().write(THEIRS.getFirst().toBytes());
                assertArrayEquals(DONE, peer.getInputStream().readAllBytes());
            }
            assertEquals(THEIRS, atClient.get(10, TimeUnit.SECONDS));
            assertEquals(THEIRS, connected);
        }
    }

    @Test
    void aPeerThatSpeaksSomethingElseIsNamed() throws Exception {
        assertReason("is no ping-pong tool: it sent \"GET / HTTP/1.1..\"", "GET / HTTP/1.1\r\n");
    }

    @Test
    void aPeerThatLeavesEarlyIsNoticed() throws Exception {
        assertReason("closed the connection after 10 of 52 bytes", "0000:00001");
        assertReason("closed the connection after 0 of 52 bytes", "");
    }

    @Test
    void aPeerThatNeverConfirmsIsNoticed() throws Exception {
        assertReason(
                "left before it had this side's address",
                new String(THEIRS.getFirst().toBytes(), StandardCharsets.US_ASCII));
    }

    @Test
    void aSilentPeerIsGivenUp() throws Exception {
        int port = Ports.free();
        try (Rendezvous server = Rendezvous.with(null, port, Duration.ofSeconds(1));
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
            ExampleException e =
                    assertThrows(ExampleException.class, () -> server.exchange(MINE, peer -> {}));
            assertEquals("the peer sent nothing for 1 s", e.getMessage());
            assertTrue(silent.isConnected());
        }
    }

    @Test
    void aPortInUseIsSaid() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            ExampleException e =
                    assertThrows(
                            ExampleException.class,
                            () -> Rendezvous.with(null, taken.getLocalPort(), PATIENCE));
            assertTrue(e.getMessage().startsWith("could not listen on port "), e.getMessage());
        }
    }

    /** Sends the server a text, closes, and looks what the server makes of it. */
    private static void assertReason(String reason, String text) throws Exception {
        int port = Ports.free();
        try (Rendezvous server = Rendezvous.with(null, port, PATIENCE)) {
            CompletableFuture<Void> atServer =
                    CompletableFuture.runAsync(() -> server.exchange(MINE, peer -> {}));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
                ExecutionException e =
                        assertThrows(
                                ExecutionException.class, () -> atServer.get(10, TimeUnit.SECONDS));
                assertTrue(e.getCause() instanceof ExampleException, e.toString());
                assertTrue(e.getCause().getMessage().contains(reason), e.toString());
            }
        }
    }
}
