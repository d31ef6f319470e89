package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several sockets over RDMA in one process, and their shutting down. */
@RequiresDevice(Kind.RXE)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RSocketManyDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;
    private static final int EPIPE = 32;

    /** Two connected sockets. */
    private record Pair(RSocket client, RSocket server) implements AutoCloseable {

        static Pair connect(RServerSocket listener) throws Exception {
            FutureTask<RSocket> accepting = new FutureTask<>(() -> listener.accept(WAIT));
            Thread.ofPlatform().daemon().start(accepting);
            RSocket client = RSocket.connectTo(listener.getLocalAddress(), WAIT);
            return new Pair(client, accepting.get(WAIT.toSeconds(), TimeUnit.SECONDS));
        }

        void talk() throws Exception {
            ByteBuffer room = ByteBuffer.allocate(8);
            client.write(ByteBuffer.wrap(new byte[] {1}), WAIT);
            assertEquals(1, server.read(room, WAIT));
            server.write(ByteBuffer.wrap(new byte[] {2}), WAIT);
            assertEquals(1, client.read(room, WAIT));
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    private static RServerSocket listener() {
        return RServerSocket.bind(CmAddress.of(Kind.RXE, 0));
    }

    @ParameterizedTest
    @EnumSource(RSocket.How.class)
    @DisplayName("after a shutdown other sockets are opened, used and closed as before")
    void othersAfterShutdown(RSocket.How how) throws Exception {
        try (RServerSocket listener = listener();
                Pair ended = Pair.connect(listener);
                Pair endedByServer = Pair.connect(listener)) {
            ended.client().shutdown(how);
            endedByServer.server().shutdown(how);
            for (int i = 0; i < 4; i++) {
                try (Pair first = Pair.connect(listener);
                        Pair second = Pair.connect(listener)) {
                    first.talk();
                    second.talk();
                }
            }
        }
    }

    @Test
    @DisplayName("a dozen connections in one process are used and closed in any order")
    void many() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try (RServerSocket listener = listener()) {
            for (int round = 0; round < 3; round++) {
                while (pairs.size() < 12) {
                    pairs.add(Pair.connect(listener));
                }
                for (Pair each : pairs) {
                    each.talk();
                }
                for (int i = 0; i < 6; i++) {
                    pairs.remove((i * 5) % pairs.size()).close();
                }
            }
        } finally {
            pairs.forEach(Pair::close);
        }
    }

    @Test
    @DisplayName("writing after writing was shut down is refused, and shutting down twice is not")
    void writeAfterShutdown() throws Exception {
        try (RServerSocket listener = listener();
                Pair pair = Pair.connect(listener);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(8);
            pair.client().shutdown(RSocket.How.SHUT_WR);
            pair.client().shutdown(RSocket.How.SHUT_WR);
            List<VerbsException> refused =
                    List.of(
                            assertThrows(
                                    VerbsException.class, () -> pair.client().write(bytes, WAIT)),
                            assertThrows(
                                    VerbsException.class,
                                    () -> pair.client().writev(List.of(bytes), WAIT)),
                            assertThrows(
                                    VerbsException.class,
                                    () -> pair.client().riowrite(bytes, 0, WAIT)));
            refused.forEach(each -> assertEquals(EPIPE, each.errno()));
            assertEquals(-1, pair.server().read(bytes, WAIT));
            pair.server().write(bytes, WAIT);
            assertEquals(8, pair.client().read(bytes, WAIT));
            pair.client().shutdown(RSocket.How.SHUT_RDWR);
            assertThrows(VerbsException.class, () -> pair.client().write(bytes, WAIT));
        }
    }

    @Test
    @DisplayName("one wait for several sockets, pieces written together, a look ahead")
    void severalAtOnce() throws Exception {
        try (RServerSocket listener = listener();
                Pair first = Pair.connect(listener);
                Pair second = Pair.connect(listener);
                Arena arena = Arena.ofConfined()) {
            List<RSocket> servers = List.of(first.server(), second.server());
            assertEquals(List.of(), RSocket.poll(servers, RSocket.POLLIN, Duration.ZERO));
            assertEquals(servers, RSocket.poll(servers, RSocket.POLLOUT, WAIT));
            List<MemorySegment> pieces =
                    List.of(
                            arena.allocateFrom("one"),
                            arena.allocate(0),
                            arena.allocateFrom(" two"));
            assertEquals(9, second.client().writev(pieces, WAIT));
            assertEquals(List.of(second.server()), RSocket.poll(servers, RSocket.POLLIN, WAIT));
            assertEquals(0, second.client().writev(List.of(), WAIT));
            MemorySegment room = arena.allocate(16);
            assertEquals(9, second.server().peek(room, WAIT));
            room.fill((byte) 0);
            assertEquals(9, second.server().read(room, WAIT));
            assertEquals("one", room.getString(0));
            assertEquals(" two", room.getString(4));
            second.client().close();
            assertEquals(List.of(second.server()), RSocket.poll(servers, RSocket.POLLIN, WAIT));
            assertEquals(-1, second.server().peek(room, WAIT));
            second.server().close();
            assertThrows(
                    IllegalStateException.class, () -> RSocket.poll(servers, RSocket.POLLIN, WAIT));
            assertTrue(first.server().isOpen());
        }
    }
}
