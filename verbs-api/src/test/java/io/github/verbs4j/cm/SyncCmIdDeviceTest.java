package io.github.verbs4j.cm;

import static io.github.verbs4j.testing.Threads.start;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ids whose calls wait, address look-up, and the short forms of rdma_verbs.h. */
@RequiresDevice(Kind.RXE)
class SyncCmIdDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;
    private static final Duration SHORT = Duration.ofMillis(200);

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    static QpInitAttr attr(CmId id) {
        CompletionQueue sends = id.context().createCq(8);
        CompletionQueue receives = id.context().createCq(8);
        return new QpInitAttr(QpType.RC, sends, receives).maxInlineData(16);
    }

    private static void closeQueues(CmId id) {
        id.qp().sendCq().close();
    }

    @Test
    @DisplayName("CM-27 endpoints of names connect, exchange messages and data, and disconnect")
    void endpoints() throws Exception {
        String host = CmAddress.of(Kind.RXE).getHostAddress();
        try (SyncCmId listener = SyncCmId.createEp(host, "7498", new AddrInfo.Hints().passive());
                Arena arena = Arena.ofConfined()) {
            assertEquals(CmState.BOUND, listener.id().state());
            listener.id().listen(4);
            try (SyncCmId client = SyncCmId.createEp(host, "7498", new AddrInfo.Hints())) {
                assertEquals(CmState.ROUTE_RESOLVED, client.id().state());
                client.createQp(client.id().pd(), attr(client.id()));
                FutureTask<CmEvent> connecting =
                        start(() -> client.connect(new ConnParam().privateData((byte) 3), WAIT));
                try (SyncCmId server = listener.getRequest(WAIT)) {
                    assertNull(server.id().qp());
                    server.createQp(server.id().pd(), attr(server.id()));
                    RdmaVerbs serverVerbs = new RdmaVerbs(server.id());
                    MemorySegment memory = arena.allocate(4096);
                    MemoryRegion mr = serverVerbs.regWrite(memory);
                    serverVerbs.postRecv(1, mr, 0, 16);
                    server.accept(new ConnParam().privateData((byte) 4), WAIT);
                    assertEquals(4, result(connecting).privateData()[0]);
                    RdmaVerbs clientVerbs = new RdmaVerbs(client.id());
                    MemoryRegion from = clientVerbs.regMsgs(arena.allocate(4096));
                    from.segment().setString(0, "inline");
                    int inline = SendFlags.SIGNALED | SendFlags.INLINE;
                    clientVerbs.postSend(2, from, 0, 7, inline);
                    assertEquals(2, clientVerbs.getSendComp(WAIT).wrId());
                    assertEquals(WcOpcode.RECV, serverVerbs.getRecvComp(WAIT).opcode());
                    assertEquals("inline", memory.getString(0));
                    clientVerbs.postWrite(3, from, 0, 7, SendFlags.SIGNALED, mr.remote(), 64);
                    clientVerbs.getSendComp(WAIT);
                    assertEquals("inline", memory.getString(64));
                    MemoryRegion readable = serverVerbs.regRead(arena.allocate(4096));
                    readable.segment().setString(8, "read");
                    clientVerbs.postRead(4, from, 100, 5, SendFlags.SIGNALED, readable.remote(), 8);
                    clientVerbs.getSendComp(WAIT);
                    assertEquals("read", from.segment().getString(100));
                    assertThrows(TimeoutException.class, () -> clientVerbs.getRecvComp(SHORT));
                    FutureTask<Void> leaving =
                            start(
                                    () -> {
                                        client.disconnect(WAIT);
                                        return null;
                                    });
                    server.id().await(CmEventType.DISCONNECTED);
                    server.disconnect(WAIT);
                    result(leaving);
                    List.of(mr, from, readable).forEach(MemoryRegion::close);
                    closeQueues(server.id());
                    closeQueues(client.id());
                }
            }
        }
    }

    @Test
    @DisplayName("CM-28 a disconnect whose peer does not follow ends with our timeout")
    void lonelyDisconnect() throws Exception {
        try (SyncCmId listener = SyncCmId.create(PortSpace.TCP);
                SyncCmId client = SyncCmId.create(PortSpace.TCP)) {
            listener.id().bindAddr(CmAddress.of(Kind.RXE, 0));
            listener.id().listen(1);
            client.resolve(listener.id().getLocalAddr(), CmPair.RESOLVE);
            client.createQp(client.id().pd(), attr(client.id()));
            FutureTask<CmEvent> connecting = start(() -> client.connect(new ConnParam(), WAIT));
            try (SyncCmId server = listener.getRequest(WAIT)) {
                server.createQp(server.id().pd(), attr(server.id()));
                server.accept(new ConnParam(), WAIT);
                result(connecting);
                assertThrows(TimeoutException.class, () -> client.disconnect(SHORT));
                assertEquals(CmState.DISCONNECTED, client.id().state());
            }
        }
    }

    @Test
    @DisplayName("CM-29 connecting to a closed port is REJECTED; no route is ENETUNREACH")
    void refused() throws Exception {
        try (SyncCmId client = SyncCmId.create(PortSpace.TCP)) {
            client.resolve(CmAddress.of(Kind.RXE, 7499), CmPair.RESOLVE);
            client.createQp(client.id().pd(), attr(client.id()));
            CmException rejected =
                    assertThrows(CmException.class, () -> client.connect(new ConnParam(), WAIT));
            assertEquals(Errno.ECONNREFUSED, rejected.errno());
        }
        try (SyncCmId client = SyncCmId.create(PortSpace.TCP)) {
            InetSocketAddress nowhere =
                    new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 7);
            assertEquals(
                    Errno.ENETUNREACH,
                    assertThrows(
                                    VerbsException.class,
                                    () -> client.resolveAddr(nowhere, CmPair.RESOLVE))
                            .errno());
        }
    }

    @Test
    @DisplayName(
            "closing a listener ends the wait for a request; and one without requests times out")
    void closeDuringGetRequest() throws Exception {
        SyncCmId listener = SyncCmId.create(PortSpace.TCP);
        listener.id().listen(1);
        assertThrows(TimeoutException.class, () -> listener.getRequest(SHORT));
        FutureTask<SyncCmId> waiting = start(() -> listener.getRequest(WAIT));
        assertThrows(TimeoutException.class, () -> waiting.get(100, TimeUnit.MILLISECONDS));
        listener.close();
        Throwable ended = assertThrows(Exception.class, () -> result(waiting)).getCause();
        assertEquals(IllegalStateException.class, ended.getClass());
        assertFalse(listener.id().isOpen());
    }

    @Test
    @DisplayName("CM-26 look-up of addresses, for clients and listeners")
    void getaddrinfo() {
        String host = CmAddress.of(Kind.RXE).getHostAddress();
        AddrInfo client = AddrInfo.getaddrinfo(host, "7471", new AddrInfo.Hints()).getFirst();
        assertFalse(client.passive());
        assertEquals(PortSpace.TCP, client.portSpace());
        assertEquals(CmAddress.of(Kind.RXE, 7471), client.dstAddr());
        AddrInfo server =
                AddrInfo.getaddrinfo(host, "7471", new AddrInfo.Hints().passive()).getFirst();
        assertTrue(server.passive());
        assertEquals(CmAddress.of(Kind.RXE, 7471), server.srcAddr());
        AddrInfo any =
                AddrInfo.getaddrinfo(null, "7471", new AddrInfo.Hints().passive()).getFirst();
        assertTrue(any.srcAddr().getAddress().isAnyLocalAddress());
        AddrInfo datagram =
                AddrInfo.getaddrinfo(host, "7471", new AddrInfo.Hints().portSpace(PortSpace.UDP))
                        .getFirst();
        assertEquals(PortSpace.UDP, datagram.portSpace());
        assertNotNull(datagram.dstAddr());
    }

    @Test
    @DisplayName("CM-26 names that are not known fail with what the resolver says")
    void unknownNames() {
        VerbsException host =
                assertThrows(
                        VerbsException.class,
                        () ->
                                AddrInfo.getaddrinfo(
                                        "no.such.host", "1", new AddrInfo.Hints().numericHost()));
        assertEquals(Errno.ENOENT, host.errno());
        assertEquals(
                "rdma_getaddrinfo failed: ENOENT (2): node no.such.host, service 1: EAI_NONAME"
                        + " (-2), the name or service is not known",
                host.getMessage());
        VerbsException service =
                assertThrows(
                        VerbsException.class,
                        () ->
                                AddrInfo.getaddrinfo(
                                        "10.0.0.1", "no-such-service", new AddrInfo.Hints()));
        assertTrue(service.getMessage().contains("EAI_SERVICE (-8)"), service.getMessage());
        assertThrows(
                VerbsException.class,
                () -> SyncCmId.createEp("10.0.0.1", "no-such-service", new AddrInfo.Hints()));
    }

    @Test
    @DisplayName("CM-30 a datagram id joins a group and waits for it")
    void joinMulticast() throws Exception {
        InetAddress group = InetAddress.ofLiteral("239.9.9.9");
        try (SyncCmId id = SyncCmId.create(PortSpace.UDP)) {
            id.id().bindAddr(CmAddress.of(Kind.RXE, 0));
            UdParam reach = id.joinMulticast(group, WAIT);
            assertArrayEquals(
                    new byte[] {9, 9, 9},
                    java.util.Arrays.copyOfRange(reach.ahAttr().grh().dgid().bytes(), 13, 16));
        }
    }
}
