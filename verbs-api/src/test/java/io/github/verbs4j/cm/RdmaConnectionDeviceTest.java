package io.github.verbs4j.cm;

import static io.github.verbs4j.testing.Threads.start;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The short way. */
@RequiresDevice(Kind.RXE)
class RdmaConnectionDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static RdmaListener listener(Kind kind, ConnectionOptions options) {
        return RdmaListener.bind(CmAddress.of(kind, 0), options);
    }

    @ParameterizedTest
    @SuppressWarnings("try") // closes the client early on purpose
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("a few lines on each side exchange messages, with receives posted before")
    void echo(Kind kind) throws Exception {
        ConnectionOptions options = new ConnectionOptions().receives(8, 256).privateData((byte) 9);
        try (RdmaListener listener = listener(kind, options)) {
            FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
            try (RdmaConnection client = RdmaConnection.connect(listener.localAddress(), options);
                    RdmaConnection server = result(accepting);
                    MemoryRegion buffer = client.pd().allocateMr(4096)) {
                assertEquals(9, client.privateData()[0]);
                assertEquals(9, server.privateData()[0]);
                for (int i = 0; i < 20; i++) {
                    buffer.segment().setString(0, "message " + i);
                    client.verbs().postSend(i, buffer, 0, 100, SendFlags.SIGNALED);
                    WorkCompletion got = server.verbs().getRecvComp(WAIT);
                    assertEquals(100, got.byteLen());
                    assertEquals("message " + i, server.received(got.wrId()).getString(0));
                    server.repost(got.wrId());
                    assertEquals(i, client.verbs().getSendComp(WAIT).wrId());
                }
                assertTrue(client.isConnected());
                assertTrue(server.isConnected());
                assertFalse(server.awaitDisconnected(Duration.ZERO));
                assertThrows(IndexOutOfBoundsException.class, () -> server.received(8));
                assertThrows(IndexOutOfBoundsException.class, () -> server.repost(-1));
                client.close();
                assertTrue(server.awaitDisconnected(WAIT));
                assertFalse(server.isConnected());
                WorkCompletionException flushed =
                        assertThrows(
                                WorkCompletionException.class,
                                () -> server.verbs().getRecvComp(WAIT));
                assertEquals(WcStatus.WR_FLUSH_ERR, flushed.status());
                assertFalse(client.qp().isOpen());
                assertThrows(IllegalStateException.class, client::isConnected);
                client.close();
            }
        }
    }

    @Test
    @DisplayName("a server looks at a request, rejects one with a reason and accepts the next")
    void lookAtRequest() throws Exception {
        try (RdmaListener listener = listener(Kind.RXE, new ConnectionOptions())) {
            FutureTask<RdmaConnection> first =
                    start(
                            () ->
                                    RdmaConnection.connect(
                                            listener.localAddress(),
                                            new ConnectionOptions().privateData((byte) 1)));
            RdmaListener.Request request = listener.next(WAIT);
            assertEquals(1, request.privateData()[0]);
            assertEquals(CmAddress.of(Kind.RXE), request.peerAddress().getAddress());
            request.reject("not you".getBytes(StandardCharsets.UTF_8));
            CmException refused =
                    (CmException)
                            assertThrows(ExecutionException.class, () -> result(first)).getCause();
            assertEquals(RejectReason.CONSUMER_DEFINED, refused.rejectReason());
            assertArrayEquals(
                    "not you".getBytes(StandardCharsets.UTF_8),
                    Arrays.copyOf(refused.privateData(), 7));
            FutureTask<RdmaConnection> second =
                    start(() -> RdmaConnection.connect(listener.localAddress()));
            try (RdmaConnection server = listener.next(WAIT).accept(new ConnectionOptions());
                    RdmaConnection client = result(second)) {
                assertEquals(QpState.RTS, server.qp().state());
                assertEquals(QpState.RTS, client.qp().state());
            }
        }
    }

    @Test
    @DisplayName(
            "options: depths, a domain of one's own, a completion channel, work before connecting")
    void options() throws Exception {
        Context context =
                CmDevices.list().stream()
                        .filter(each -> CmDevices.addresses(each).contains(CmAddress.of(Kind.RXE)))
                        .findFirst()
                        .orElseThrow();
        try (ProtectionDomain pd = context.allocPd();
                RdmaListener listener = listener(Kind.RXE, new ConnectionOptions())) {
            QpState[] prepared = new QpState[1];
            ConnectionOptions options =
                    new ConnectionOptions()
                            .pd(pd)
                            .maxSendWr(40)
                            .maxRecvWr(50)
                            .maxSge(2, 3)
                            .maxInlineData(32)
                            .compChannel()
                            .connParam(new ConnParam().initiatorDepth(1))
                            .prepare(connection -> prepared[0] = connection.qp().state());
            FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
            try (RdmaConnection client = RdmaConnection.connect(listener.localAddress(), options);
                    RdmaConnection server = result(accepting);
                    MemoryRegion buffer = pd.allocateMr(4096)) {
                assertEquals(QpState.INIT, prepared[0]);
                assertSame(pd, client.qp().pd());
                assertTrue(client.qp().cap().maxSendWr() >= 40);
                assertTrue(client.qp().cap().maxRecvWr() >= 50);
                assertEquals(1, client.qp().query().maxRdAtomic());
                assertNotNull(client.compChannel());
                client.qp().sendCq().reqNotify();
                client.verbs()
                        .postWrite(
                                1,
                                buffer,
                                0,
                                8,
                                SendFlags.SIGNALED | SendFlags.INLINE,
                                // No such key at the server: the write fails.
                                new io.github.verbs4j.types.RemoteBuffer(0, 8, 0x12345),
                                0);
                assertSame(client.qp().sendCq(), client.compChannel().getCqEvent(WAIT));
                assertThrows(
                        io.github.verbs4j.types.WorkCompletionException.class,
                        () -> client.verbs().getSendComp(WAIT));
                assertNotNull(server);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // closes the parts early on purpose
    @DisplayName("CM-25 type of service, source address, options of the ids, and moving them")
    void idOptions() throws Exception {
        List<String> prepared = Collections.synchronizedList(new ArrayList<>());
        ConnectionOptions serving =
                new ConnectionOptions()
                        .tos(0x20)
                        .prepareId(
                                id -> {
                                    if (id.state() == CmState.IDLE) {
                                        id.setReuseAddr(true);
                                    }
                                })
                        .prepareId(id -> prepared.add("server " + id.state()));
        ConnectionOptions connecting =
                new ConnectionOptions()
                        .localAddress(CmAddress.of(Kind.RXE, 7479))
                        .tos(0x40)
                        .prepareId(id -> prepared.add("client " + id.state()));
        try (RdmaListener listener = listener(Kind.RXE, serving);
                EventChannel other = EventChannel.create()) {
            FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
            try (RdmaConnection client =
                            RdmaConnection.connect(listener.localAddress(), connecting);
                    RdmaConnection server = result(accepting)) {
                assertEquals(List.of("server IDLE", "client IDLE", "server REQUESTED"), prepared);
                assertEquals(CmAddress.of(Kind.RXE, 7479), client.id().getLocalAddr());
                assertEquals(CmAddress.of(Kind.RXE, 7479), server.id().getPeerAddr());
                assertEquals(0x40, client.qp().query().ahAttr().grh().trafficClass());
                // The request carries it, and the kernel answers in kind.
                assertEquals(0x40, server.qp().query().ahAttr().grh().trafficClass());
                client.id().migrate(other);
                listener.id().migrate(other);
                server.close();
                assertTrue(client.awaitDisconnected(WAIT));
            }
            listener.close();
            assertFalse(listener.id().isOpen());
        }
        assertThrows(IllegalArgumentException.class, () -> new ConnectionOptions().tos(256));
        VerbsException e =
                assertThrows(
                        VerbsException.class,
                        () ->
                                RdmaConnection.connect(
                                        CmAddress.of(Kind.RXE, 7477),
                                        connecting.localAddress(
                                                new InetSocketAddress("192.0.2.1", 0))));
        assertEquals(Errno.EADDRNOTAVAIL, e.errno());
    }

    @Test
    @DisplayName("connecting to nothing says why, and leaves nothing open")
    void refusals() throws Exception {
        int open = OpenFiles.count();
        CmException nobody =
                assertThrows(
                        CmException.class,
                        () -> RdmaConnection.connect(CmAddress.of(Kind.RXE, 7477)));
        assertTrue(nobody.getMessage().contains("nobody listens"), nobody.getMessage());
        VerbsException nowhere =
                assertThrows(
                        VerbsException.class,
                        () ->
                                RdmaConnection.connect(
                                        new InetSocketAddress(
                                                InetAddress.ofLiteral("192.0.2.1"), 1)));
        assertEquals(Errno.ENETUNREACH, nowhere.errno());
        assertThrows(
                VerbsException.class,
                () ->
                        RdmaListener.bind(
                                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1)));
        assertEquals(open, OpenFiles.count());
    }

    @Test
    @DisplayName("giving up on a peer that does not answer leaves nothing open")
    void silentPeer() throws Exception {
        byte[] silent = CmAddress.of(Kind.RXE).getAddress();
        silent[3] = 98;
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getByAddress(silent), 1);
        int open = OpenFiles.count();
        assertThrows(
                TimeoutException.class,
                () ->
                        RdmaConnection.connect(
                                peer, new ConnectionOptions().timeout(Duration.ofMillis(500))));
        assertEquals(open, OpenFiles.count());
    }

    @Test
    @DisplayName("a preparation that throws gives the connection up on both sides")
    void failingPreparation() throws Exception {
        ConnectionOptions failing =
                new ConnectionOptions()
                        .prepare(
                                connection -> {
                                    throw new ArithmeticException("of the program's");
                                });
        try (RdmaListener listener = listener(Kind.RXE, failing)) {
            FutureTask<RdmaConnection> connecting =
                    start(() -> RdmaConnection.connect(listener.localAddress()));
            assertThrows(ArithmeticException.class, () -> listener.accept(WAIT));
            assertEquals(
                    CmException.class,
                    assertThrows(ExecutionException.class, () -> result(connecting))
                            .getCause()
                            .getClass());
            assertThrows(
                    ArithmeticException.class,
                    () -> RdmaConnection.connect(listener.localAddress(), failing));
        }
    }

    @Test
    @DisplayName("closing a listener ends an accept, and leaves connections that were made")
    void closeListener() throws Exception {
        RdmaListener listener = listener(Kind.RXE, new ConnectionOptions());
        FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
        try (RdmaConnection client = RdmaConnection.connect(listener.localAddress());
                RdmaConnection server = result(accepting)) {
            FutureTask<RdmaConnection> waiting = start(() -> listener.accept(WAIT));
            assertThrows(TimeoutException.class, () -> waiting.get(100, TimeUnit.MILLISECONDS));
            listener.close();
            assertEquals(
                    IllegalStateException.class,
                    assertThrows(ExecutionException.class, () -> result(waiting))
                            .getCause()
                            .getClass());
            assertFalse(listener.isOpen());
            assertTrue(client.isConnected());
            assertTrue(server.isConnected());
        }
    }

    @Test
    @DisplayName("closing a connection that was never made, twice, and one whose peer is gone")
    void closeAnyhow() throws Exception {
        RdmaConnection[] unmade = new RdmaConnection[1];
        ConnectionOptions options =
                new ConnectionOptions().prepare(connection -> unmade[0] = connection);
        assertThrows(
                CmException.class,
                () -> RdmaConnection.connect(CmAddress.of(Kind.RXE, 7477), options));
        unmade[0].close();
        unmade[0].close();
        try (RdmaListener listener = listener(Kind.RXE, new ConnectionOptions())) {
            FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
            RdmaConnection client = RdmaConnection.connect(listener.localAddress());
            RdmaConnection server = result(accepting);
            server.close();
            assertTrue(client.awaitDisconnected(WAIT));
            client.close();
            client.close();
        }
    }
}
