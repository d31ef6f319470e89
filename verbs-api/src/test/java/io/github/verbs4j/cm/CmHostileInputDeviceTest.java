package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that no call should get: an exception says what is wrong, and nothing breaks. */
@RequiresDevice(Kind.RXE)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CmHostileInputDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
    private static final InetSocketAddress UNKNOWN =
            InetSocketAddress.createUnresolved("no.such.host", 1);
    private static final Class<? extends Exception> NULL = NullPointerException.class;
    private static final Class<? extends Exception> ARGUMENT = IllegalArgumentException.class;
    private static final Class<? extends Exception> STATE = IllegalStateException.class;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(64);
    private EventChannel events;
    private CmId id;
    private CmId closed;
    private CmId datagram;
    private SyncCmId sync;
    private InetSocketAddress own;
    private RServerSocket listening;
    private RSocket client;
    private RSocket server;
    private RSocket closedSocket;

    /** A call and what it must throw, with a part of the message. */
    private record Case(
            String name, Class<? extends Exception> type, String says, Executable call) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(
            String name, Class<? extends Exception> type, String says, Executable call) {
        return new Case(name, type, says, call);
    }

    @BeforeAll
    void prepare() throws Exception {
        own = CmAddress.of(Kind.RXE, 0);
        events = EventChannel.create();
        id = events.createId(PortSpace.TCP);
        datagram = events.createId(PortSpace.UDP);
        datagram.bindAddr(own);
        closed = events.createId(PortSpace.TCP);
        closed.close();
        sync = SyncCmId.create(PortSpace.TCP);
        listening = RServerSocket.bind(own);
        FutureTask<RSocket> accepting = new FutureTask<>(() -> listening.accept(WAIT));
        Thread.ofPlatform().daemon().start(accepting);
        client = RSocket.connectTo(listening.getLocalAddress(), WAIT);
        server = accepting.get(WAIT.toSeconds(), TimeUnit.SECONDS);
        closedSocket = RSocket.create(false);
        closedSocket.close();
    }

    @AfterAll
    void close() {
        client.close();
        server.close();
        listening.close();
        sync.close();
        events.close();
        arena.close();
    }

    Stream<Case> addresses() {
        return Stream.of(
                of("bindAddr(null)", NULL, "local", () -> id.bindAddr(null)),
                of("bindAddr(unknown)", ARGUMENT, "no.such.host", () -> id.bindAddr(UNKNOWN)),
                of("bindAddr closed", STATE, "closed", () -> closed.bindAddr(own)),
                of("listen(-1)", ARGUMENT, "backlog is -1", () -> id.listen(-1)),
                of("listen(MIN)", ARGUMENT, "backlog", () -> id.listen(Integer.MIN_VALUE)),
                of("listen closed", STATE, "closed", () -> closed.listen(1)),
                of("resolveAddr(null)", NULL, "peer", () -> id.resolveAddr(null, WAIT)),
                of("resolveAddr no timeout", NULL, "timeout", () -> id.resolveAddr(own, null)),
                of(
                        "resolveAddr(0)",
                        ARGUMENT,
                        "timeout is PT0S",
                        () -> id.resolveAddr(own, Duration.ZERO)),
                of(
                        "resolveAddr(-1)",
                        ARGUMENT,
                        "timeout",
                        () -> id.resolveAddr(own, Duration.ofNanos(-1))),
                of(
                        "resolveAddr of two families",
                        ARGUMENT,
                        "families",
                        () -> id.resolveAddr(own, new InetSocketAddress("::1", 1), WAIT)),
                of(
                        "resolveAddr(unknown)",
                        ARGUMENT,
                        "no.such",
                        () -> id.resolveAddr(UNKNOWN, WAIT)),
                of("resolveAddr closed", STATE, "closed", () -> closed.resolveAddr(own, WAIT)),
                of("resolveRoute(null)", NULL, "timeout", () -> id.resolveRoute(null)),
                of("resolveRoute(0)", ARGUMENT, "timeout", () -> id.resolveRoute(Duration.ZERO)),
                of("resolveRoute early", STATE, "IDLE", () -> id.resolveRoute(FOREVER)),
                of("sync resolve(null)", NULL, "peer", () -> sync.resolve(null, WAIT)),
                of("sync resolve(0)", ARGUMENT, "timeout", () -> sync.resolve(own, Duration.ZERO)),
                of(
                        "getaddrinfo no hints",
                        NULL,
                        "hints",
                        () -> AddrInfo.getaddrinfo("localhost", "1", null)),
                of(
                        "getaddrinfo NUL",
                        ARGUMENT,
                        "NUL",
                        () -> AddrInfo.getaddrinfo("a\0b", "1", new AddrInfo.Hints())),
                of("hints portSpace(null)", NULL, "ps", () -> new AddrInfo.Hints().portSpace(null)),
                of("createEp no hints", NULL, "hints", () -> SyncCmId.createEp("a", "1", null)),
                of("getLocalAddr closed", STATE, "closed", () -> closed.getLocalAddr()),
                of("portNum closed", STATE, "closed", () -> closed.portNum()),
                of("handle closed", STATE, "closed", () -> closed.handle()));
    }

    Stream<Case> connections() {
        return Stream.of(
                of("createId(null)", NULL, "ps", () -> events.createId(null)),
                of("SyncCmId.create(null)", NULL, "ps", () -> SyncCmId.create(null)),
                of("createQp(null)", NULL, "attr", () -> datagram.createQp(null)),
                of("createQp no device", STATE, "device", () -> id.createQp(null)),
                of("createQp(null, null)", NULL, "pd", () -> id.createQp(null, null)),
                of("initQpAttr(null)", NULL, "to", () -> id.initQpAttr(null)),
                of("initQpAttr(ERR)", ARGUMENT, "ERR", () -> id.initQpAttr(QpState.ERR)),
                of("initQpAttr early", STATE, "device", () -> id.initQpAttr(QpState.INIT)),
                of("connect(null)", NULL, "param", () -> id.connect(null)),
                of("connect early", STATE, "IDLE", () -> id.connect(new ConnParam())),
                of("accept(null)", NULL, "param", () -> id.accept(null)),
                of("reject(null)", NULL, "privateData", () -> id.reject((byte[]) null)),
                of("await(null)", NULL, "type", () -> id.await(null)),
                of("await no timeout", NULL, "timeout", () -> id.await(CmEventType.USER, null)),
                of("getCmEvent(null)", NULL, "timeout", () -> id.getCmEvent(null)),
                of("channel await(null)", NULL, "type", () -> events.await(null)),
                of("channel getCmEvent(null)", NULL, "timeout", () -> events.getCmEvent(null)),
                of("migrate(null)", NULL, "to", () -> id.migrate(null)),
                of("join(null)", NULL, "group", () -> datagram.joinMulticast(null)),
                of(
                        "join a host",
                        ARGUMENT,
                        "10.1.1.1",
                        () -> datagram.joinMulticast(InetAddress.getByName("10.1.1.1"))),
                of(
                        "join no flag",
                        NULL,
                        "flag",
                        () -> datagram.joinMulticast(InetAddress.getByName("224.1.1.1"), null)),
                of("leave(null)", NULL, "group", () -> datagram.leaveMulticast(null)),
                of("setTos(-1)", ARGUMENT, "tos is -1", () -> id.setTos(-1)),
                of("setTos(256)", ARGUMENT, "tos is 256", () -> id.setTos(256)),
                of("setAckTimeout(null)", NULL, "timeout", () -> id.setAckTimeout(null)),
                of("setLocalEce(null)", NULL, "ece", () -> id.setLocalEce(null)),
                of("qpNum(-1)", ARGUMENT, "qp_num is -1", () -> new ConnParam().qpNum(-1)),
                of("retryCount(8)", ARGUMENT, "retry_count", () -> new ConnParam().retryCount(8)),
                of("privateData(null)", NULL, "bytes", () -> new ConnParam().privateData(null)),
                of(
                        "responderResources(256)",
                        ARGUMENT,
                        "responder_resources is 256",
                        () -> new ConnParam().responderResources(256)),
                of("RdmaVerbs without a queue pair", STATE, "queue pair", () -> new RdmaVerbs(id)));
    }

    Stream<Case> shortWay() {
        ConnectionOptions options = new ConnectionOptions();
        return Stream.of(
                of("maxSendWr(-1)", ARGUMENT, "max_send_wr", () -> options.maxSendWr(-1)),
                of("maxRecvWr(-1)", ARGUMENT, "max_recv_wr", () -> options.maxRecvWr(-1)),
                of("maxSge(-1)", ARGUMENT, "max_send_sge", () -> options.maxSge(-1, 1)),
                of("maxInlineData(-1)", ARGUMENT, "inline", () -> options.maxInlineData(-1)),
                of("receives(-1)", ARGUMENT, "count", () -> options.receives(-1, 1)),
                of("receives of 0", ARGUMENT, "size", () -> options.receives(1, 0)),
                of("timeout(null)", NULL, "timeout", () -> options.timeout(null)),
                of("timeout(0)", ARGUMENT, "timeout", () -> options.timeout(Duration.ZERO)),
                of("connParam(null)", NULL, "param", () -> options.connParam(null)),
                of("tos(-1)", ARGUMENT, "tos", () -> options.tos(-1)),
                of("connect(null)", NULL, "peer", () -> RdmaConnection.connect(null)),
                of("connect(unknown)", ARGUMENT, "no.such", () -> RdmaConnection.connect(UNKNOWN)),
                of("bind(null)", NULL, "local", () -> RdmaListener.bind(null)),
                of("bind no options", NULL, "options", () -> RdmaListener.bind(own, null)),
                of("bind(unknown)", ARGUMENT, "no.such", () -> RdmaListener.bind(UNKNOWN)));
    }

    Stream<Case> sockets() {
        MemorySegment heap = MemorySegment.ofArray(new byte[4]);
        MemorySegment fixed = memory.asReadOnly();
        return Stream.of(
                of("rbind(null)", NULL, "address", () -> RServerSocket.bind(null)),
                of("rbind(unknown)", ARGUMENT, "no.such", () -> RServerSocket.bind(UNKNOWN)),
                of("iomap -1", ARGUMENT, "RDMA_IOMAPSIZE", () -> RServerSocket.bind(own, -1)),
                of("iomap 129", ARGUMENT, "129", () -> RServerSocket.bind(own, 129)),
                of("iomap 65536", ARGUMENT, "65536", () -> RServerSocket.bind(own, 65536)),
                of(
                        "reuse 2",
                        ARGUMENT,
                        "SO_REUSEADDR is 2",
                        () -> client.setOption(RSocketOption.SO_REUSEADDR, 2)),
                of(
                        "sqsize 0",
                        ARGUMENT,
                        "RDMA_SQSIZE",
                        () -> client.setOption(RSocketOption.RDMA_SQSIZE, 0)),
                of(
                        "sndbuf -1",
                        ARGUMENT,
                        "SO_SNDBUF",
                        () -> client.setOption(RSocketOption.SO_SNDBUF, -1)),
                of("connectTo(null)", NULL, "address", () -> RSocket.connectTo(null, WAIT)),
                of("accept(null)", NULL, "timeout", () -> listening.accept(null)),
                of("read into a heap", ARGUMENT, "heap", () -> client.read(heap, WAIT)),
                of("read into fixed", ARGUMENT, "read-only", () -> client.read(fixed, WAIT)),
                of(
                        "read into a fixed buffer",
                        ReadOnlyBufferException.class,
                        "",
                        () -> client.read(ByteBuffer.allocate(1).asReadOnlyBuffer(), WAIT)),
                of("write from a heap", ARGUMENT, "heap", () -> client.write(heap, WAIT)),
                of(
                        "writev from a heap",
                        ARGUMENT,
                        "heap",
                        () -> client.writev(List.of(memory, heap), WAIT)),
                of(
                        "writev of 1025",
                        ARGUMENT,
                        "pieces is 1025",
                        () -> client.writev(Arrays.asList(new MemorySegment[1025]), WAIT)),
                of("poll(8)", ARGUMENT, "events 0x8", () -> client.poll(8, WAIT)),
                of("poll(-1)", ARGUMENT, "events", () -> RSocket.poll(List.of(client), -1, WAIT)),
                of("poll closed", STATE, "", () -> closedSocket.poll(1, WAIT)),
                of("shutdown(null)", NULL, "how", () -> client.shutdown(null)),
                of("riomap nothing", ARGUMENT, "empty", () -> client.riomap(memory.asSlice(64), 0)),
                of("riomap(-77)", ARGUMENT, "offset is -77", () -> client.riomap(memory, -77)),
                of("riomap(MAX)", ARGUMENT, "offset", () -> client.riomap(memory, Long.MAX_VALUE)),
                of("riomap a heap", ARGUMENT, "heap", () -> client.riomap(heap, 0)),
                of("riomap fixed", ARGUMENT, "read-only", () -> client.riomap(fixed, 0)),
                of("riowrite(-1)", ARGUMENT, "offset", () -> client.riowrite(memory, -1, WAIT)),
                of("connect again", STATE, "already", () -> client.connect(own, WAIT)),
                of("option closed", STATE, "closed", () -> closedSocket.getPeerAddress()));
    }

    @ParameterizedTest
    @MethodSource({"addresses", "connections", "shortWay", "sockets"})
    @DisplayName("a value that cannot be meant is refused by name")
    void refused(Case hostile) {
        Exception refusal = assertThrows(hostile.type(), hostile.call());
        assertTrue(
                String.valueOf(refusal.getMessage()).contains(hostile.says()), refusal::toString);
    }

    @Test
    @DisplayName("a failed join names its group, the error number and what it means")
    void failedJoin() {
        VerbsException refused =
                assertThrows(
                        VerbsException.class,
                        () -> datagram.joinMulticast(InetAddress.ofLiteral("ff02::1:5")));
        assertEquals("rdma_join_multicast", refused.verb());
        assertTrue(refused.getMessage().contains("ff02:0:0:0:0:0:1:5"), refused::toString);
        assertTrue(refused.getMessage().contains("not supported"), refused::toString);
    }

    @Test
    @DisplayName("waiting for ever is waiting very long")
    void forever() throws Exception {
        try (RdmaListener listener = RdmaListener.bind(own);
                SyncCmId patient = SyncCmId.create(PortSpace.TCP)) {
            patient.resolve(listener.localAddress(), FOREVER);
            assertEquals(CmState.ROUTE_RESOLVED, patient.id().state());
        }
        client.write(ByteBuffer.allocate(1), FOREVER);
        assertEquals(1, server.read(ByteBuffer.allocate(8), FOREVER));
    }

    @Test
    @DisplayName("CM-25 a bound id can still share its port, and not withdraw that")
    void reuseAfterBind() {
        try (CmId first = events.createId(PortSpace.TCP);
                CmId second = events.createId(PortSpace.TCP)) {
            first.bindAddr(own);
            first.setReuseAddr(true);
            second.setReuseAddr(true);
            second.bindAddr(first.getLocalAddr());
            assertEquals(first.getSrcPort(), second.getSrcPort());
            assertThrows(VerbsException.class, () -> first.setReuseAddr(false));
        }
    }
}
