package io.github.verbs4j.cm;

import static io.github.verbs4j.testing.Threads.start;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets over RDMA. */
@RequiresDevice(Kind.RXE)
class RSocketDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;
    private static final Duration SHORT = Duration.ofMillis(100);

    private RServerSocket listener;
    private RSocket client;
    private RSocket server;

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    @BeforeEach
    void connect() throws Exception {
        listener = RServerSocket.bind(CmAddress.of(Kind.RXE, 0), 1);
        FutureTask<RSocket> accepting = start(() -> listener.accept(WAIT));
        client = RSocket.create(false);
        client.setOption(RSocketOption.RDMA_IOMAPSIZE, 1);
        client.connect(listener.getLocalAddress(), WAIT);
        server = result(accepting);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        listener.close();
    }

    @Test
    @DisplayName("bytes go both ways, from segments and buffers on and off the heap")
    void bytes() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom("from a segment");
            assertEquals(from.byteSize(), client.write(from, WAIT));
            MemorySegment into = arena.allocate(100);
            assertEquals(from.byteSize(), server.read(into, WAIT));
            assertEquals("from a segment", into.getString(0));
        }
        ByteBuffer text = ByteBuffer.wrap("from the heap".getBytes(StandardCharsets.UTF_8));
        assertEquals(13, server.write(text, WAIT));
        assertFalse(text.hasRemaining());
        ByteBuffer room = ByteBuffer.allocate(100);
        assertEquals(13, client.read(room, WAIT));
        assertEquals("from the heap", StandardCharsets.UTF_8.decode(room.flip()).toString());
        ByteBuffer direct = ByteBuffer.allocateDirect(8).putLong(0x1234).flip();
        assertEquals(8, client.write(direct, WAIT));
        ByteBuffer directRoom = ByteBuffer.allocateDirect(8);
        assertEquals(8, server.read(directRoom, WAIT));
        assertEquals(0x1234, directRoom.flip().getLong());
        assertThrows(
                IllegalArgumentException.class,
                () -> client.write(MemorySegment.ofArray(new byte[4]), WAIT));
    }

    @Test
    @DisplayName("a megabyte arrives whole, in order")
    void volume() throws Exception {
        byte[] sent = new byte[1 << 20];
        new java.util.Random(1).nextBytes(sent);
        FutureTask<byte[]> reading =
                start(
                        () -> {
                            ByteBuffer all = ByteBuffer.allocate(sent.length);
                            while (all.hasRemaining() && server.read(all, WAIT) > 0) {}
                            return all.array();
                        });
        ByteBuffer left = ByteBuffer.wrap(sent);
        while (left.hasRemaining()) {
            client.write(left, WAIT);
        }
        assertArrayEquals(sent, result(reading));
    }

    @Test
    @DisplayName("waits end with their timeout, an interrupt, or the socket's closing")
    void waits() throws Exception {
        ByteBuffer room = ByteBuffer.allocate(8);
        assertThrows(TimeoutException.class, () -> server.read(room, SHORT));
        assertEquals(0, server.poll(RSocket.POLLIN, Duration.ZERO));
        assertEquals(RSocket.POLLOUT, server.poll(RSocket.POLLOUT, WAIT));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> server.read(room, WAIT));
        FutureTask<Integer> reading = start(() -> server.read(ByteBuffer.allocate(8), WAIT));
        assertThrows(TimeoutException.class, () -> reading.get(100, TimeUnit.MILLISECONDS));
        server.close();
        assertEquals(
                IllegalStateException.class,
                assertThrows(ExecutionException.class, () -> result(reading))
                        .getCause()
                        .getClass());
        FutureTask<RSocket> accepting = start(() -> listener.accept(WAIT));
        assertThrows(TimeoutException.class, () -> accepting.get(100, TimeUnit.MILLISECONDS));
        listener.close();
        assertEquals(
                IllegalStateException.class,
                assertThrows(ExecutionException.class, () -> result(accepting))
                        .getCause()
                        .getClass());
    }

    @Test
    @DisplayName("shutting down the writing side ends the peer's stream, not its own reading")
    void shutdown() throws Exception {
        client.write(ByteBuffer.wrap(new byte[] {1}), WAIT);
        client.shutdown(RSocket.How.SHUT_WR);
        ByteBuffer room = ByteBuffer.allocate(8);
        assertEquals(1, server.read(room, WAIT));
        assertEquals(-1, server.read(room, WAIT));
        server.write(ByteBuffer.wrap(new byte[] {2}), WAIT);
        assertEquals(1, client.read(room, WAIT));
    }

    @Test
    @DisplayName("the peer writes into mapped memory")
    void directAccess() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mapped = arena.allocate(4096);
            assertEquals(0x100, server.riomap(mapped, 0x100));
            VerbsException full =
                    assertThrows(VerbsException.class, () -> server.riomap(arena.allocate(16), 0));
            assertEquals(Errno.ENOMEM, full.errno());
            // The mapping travels with the next bytes.
            server.write(ByteBuffer.wrap(new byte[] {1}), WAIT);
            client.read(ByteBuffer.allocate(1), WAIT);
            MemorySegment from = arena.allocateFrom("placed");
            assertEquals(from.byteSize(), client.riowrite(from, 0x110, WAIT));
            client.write(ByteBuffer.wrap(new byte[] {2}), WAIT);
            server.read(ByteBuffer.allocate(1), WAIT);
            assertEquals("placed", mapped.getString(0x10));
            assertEquals(0, client.riowrite(from, 1 << 20, WAIT), "not mapped there");
            server.riounmap(mapped);
            assertThrows(VerbsException.class, () -> server.riounmap(mapped));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("closing ends with memory still mapped, whether the peer was told of it or not")
    void closeMapped(boolean told) throws Exception {
        server.riomap(Arena.ofAuto().allocate(4096), 0);
        if (told) {
            server.write(ByteBuffer.wrap(new byte[] {1}), WAIT);
            client.read(ByteBuffer.allocate(1), WAIT);
        }
        Thread closing = Thread.ofPlatform().daemon().start(server::close);
        assertTrue(closing.join(WAIT), "the socket does not close");
        assertEquals(-1, client.read(ByteBuffer.allocate(1), WAIT));
    }

    @Test
    @DisplayName("addresses and options")
    void addressesAndOptions() {
        assertEquals(listener.getLocalAddress(), client.getPeerAddress());
        assertEquals(client.getLocalAddress(), server.getPeerAddress());
        server.setOption(RSocketOption.TCP_NODELAY, 1);
        assertEquals(1, server.getOption(RSocketOption.TCP_NODELAY));
        assertTrue(client.getOption(RSocketOption.SO_SNDBUF) > 0);
        assertEquals(
                Errno.EINVAL,
                assertThrows(
                                VerbsException.class,
                                () -> client.setOption(RSocketOption.RDMA_SQSIZE, 8))
                        .errno());
    }

    @Test
    @DisplayName("calls on an unconnected or closed socket are refused")
    void wrongState() throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        try (RSocket fresh = RSocket.create(false)) {
            assertThrows(IllegalStateException.class, () -> fresh.read(one, SHORT));
            assertThrows(IllegalStateException.class, () -> fresh.write(one, SHORT));
            assertThrows(IllegalStateException.class, () -> fresh.poll(RSocket.POLLIN, SHORT));
            assertThrows(IllegalStateException.class, () -> fresh.shutdown(RSocket.How.SHUT_RDWR));
        }
        assertThrows(
                IllegalStateException.class,
                () -> client.connect(listener.getLocalAddress(), SHORT));
        client.close();
        client.close();
        assertFalse(client.isOpen());
        assertThrows(IllegalStateException.class, () -> client.read(one, SHORT));
    }

    @Test
    @DisplayName("connecting to a closed port is refused")
    void refused() {
        VerbsException refused =
                assertThrows(
                        VerbsException.class,
                        () -> RSocket.connectTo(CmAddress.of(Kind.RXE, 7478), WAIT));
        assertEquals(Errno.ECONNREFUSED, refused.errno());
        assertThrows(VerbsException.class, () -> RServerSocket.bind(listener.getLocalAddress()));
    }

    @Test
    @DisplayName("a peer that closes ends the stream")
    void peerCloses() throws Exception {
        client.close();
        assertEquals(-1, server.read(ByteBuffer.allocate(1), WAIT));
    }
}
