package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls in the wrong state, waits, channels and options: what must not crash or hang. */
@RequiresDevice(TestDevice.Kind.RXE)
class CmStateDeviceTest {

    private static final TestDevice.Kind RXE = TestDevice.Kind.RXE;
    private static final Duration SHORT = Duration.ofMillis(100);

    private static void refusedInState(CmId id, Executable... calls) {
        for (Executable call : calls) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, call);
            assertTrue(
                    refused.getMessage().contains("in state " + id.state()), refused.getMessage());
        }
    }

    private static Executable[] connectionCalls(CmId id) {
        return new Executable[] {
            () -> id.resolveRoute(CmPair.RESOLVE),
            () -> id.connect(new ConnParam()),
            () -> id.accept(new ConnParam()),
            () -> id.reject(),
            () -> id.rejectEce(),
            () -> id.establish(),
            () -> id.notifyCommEst(),
            () -> id.disconnect(),
        };
    }

    @Test
    @DisplayName(
            "CM-23 connection calls on new, bound and listening ids are refused, naming the state")
    void wrongState() {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            refusedInState(id, connectionCalls(id));
            id.bindAddr(CmAddress.of(RXE, 0));
            refusedInState(id, connectionCalls(id));
            id.listen(1);
            refusedInState(id, connectionCalls(id));
            assertThrows(
                    IllegalStateException.class,
                    () -> id.joinMulticast(InetAddress.ofLiteral("239.1.1.1")));
        }
    }

    @Test
    @DisplayName("CM-11 a queue pair needs a device, once, of the id's context and type")
    void createQpRules() throws Exception {
        try (EventChannel events = EventChannel.create();
                Context own = TestDevice.get(RXE).open();
                ProtectionDomain ownPd = own.allocPd();
                CompletionQueue ownCq = own.createCq(4)) {
            Context shared =
                    CmDevices.list().stream()
                            .filter(each -> each.device().name().equals(own.device().name()))
                            .findFirst()
                            .orElseThrow();
            CompletionQueue cq = shared.createCq(4);
            ProtectionDomain pd = shared.allocPd();
            CmId id = events.createId(PortSpace.TCP);
            QpInitAttr rc = new QpInitAttr(QpType.RC, cq);
            assertThrows(IllegalStateException.class, () -> id.createQp(rc));
            assertThrows(IllegalStateException.class, () -> id.createQp(pd, rc));
            assertThrows(IllegalStateException.class, () -> id.initQpAttr(QpState.INIT));
            id.resolveAddr(CmAddress.of(RXE, 7), CmPair.RESOLVE);
            id.await(ADDR_RESOLVED);
            assertThrows(IllegalArgumentException.class, () -> id.createQp(ownPd, rc));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> id.createQp(new QpInitAttr(QpType.RC, ownCq)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> id.createQp(new QpInitAttr(QpType.UD, cq)));
            QueuePair qp = id.createQp(pd, rc);
            assertEquals(QpState.INIT, qp.state());
            assertSame(qp, id.qp());
            assertSame(pd, qp.pd());
            assertThrows(IllegalStateException.class, () -> id.createQp(rc));
            qp.close();
            assertNull(id.qp());
            QueuePair second = id.createQp(rc);
            assertSame(id.pd(), second.pd());
            cq.close();
            assertFalse(second.isOpen(), "closing its queue closes the queue pair");
            id.close();
            pd.close();
        }
    }

    @Test
    @DisplayName("CM-11 capabilities that the device lacks are explained, and the id can try again")
    void impossibleCapabilities() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP)) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            pair.client.await(ADDR_RESOLVED);
            QpInitAttr attr = pair.attr(pair.client).maxSendWr(100_000_000);
            VerbsException refused =
                    assertThrows(VerbsException.class, () -> pair.client.createQp(attr));
            assertEquals("rdma_create_qp", refused.verb());
            assertNotNull(pair.client.createQp(attr.maxSendWr(4)));
        }
    }

    @Test
    @DisplayName("CM-03 an empty channel gives nothing, and a wait on it ends in time")
    void emptyChannel() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            assertNull(events.getCmEvent(Duration.ZERO));
            assertNull(events.getCmEvent(SHORT));
            assertThrows(TimeoutException.class, () -> events.await(ESTABLISHED, SHORT));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("CM-03 interrupting a wait ends it, on a platform and on a virtual thread")
    void interrupt(boolean virtual) throws Exception {
        try (EventChannel events = EventChannel.create()) {
            Waiter waiter = new Waiter(virtual, () -> events.await(ESTABLISHED, CmPair.TIMEOUT));
            waiter.thread.interrupt();
            assertEquals(InterruptedException.class, waiter.thrown().getClass());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TH-05 closing the channel ends a wait on it")
    void closeDuringWait(boolean virtual) throws Exception {
        EventChannel events = EventChannel.create();
        CmId id = events.createId(PortSpace.TCP);
        Waiter any = new Waiter(virtual, () -> events.await(ESTABLISHED, CmPair.TIMEOUT));
        Waiter one = new Waiter(virtual, () -> id.await(ESTABLISHED, CmPair.TIMEOUT));
        events.close();
        assertEquals(IllegalStateException.class, any.thrown().getClass());
        assertEquals(IllegalStateException.class, one.thrown().getClass());
        assertFalse(id.isOpen(), "the channel closes its ids");
        events.close();
        id.close();
        assertThrows(IllegalStateException.class, () -> id.listen(1));
        assertThrows(IllegalStateException.class, () -> events.createId(PortSpace.TCP));
    }

    @Test
    @DisplayName("TH-05 closing an id ends a wait for its events")
    void closeIdDuringWait() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            Waiter waiter = new Waiter(false, () -> id.await(ESTABLISHED, CmPair.TIMEOUT));
            id.close();
            assertEquals(IllegalStateException.class, waiter.thrown().getClass());
        }
    }

    /** A thread that waits, started when this is constructed. */
    private static final class Waiter {
        final Thread thread;
        private final AtomicReference<Throwable> thrown = new AtomicReference<>();

        Waiter(boolean virtual, Executable wait) throws InterruptedException {
            Runnable body =
                    () -> {
                        try {
                            wait.execute();
                        } catch (Throwable e) {
                            thrown.set(e);
                        }
                    };
            thread = virtual ? Thread.ofVirtual().start(body) : Thread.ofPlatform().start(body);
            thread.join(SHORT);
        }

        Throwable thrown() throws InterruptedException {
            assertTrue(thread.join(CmPair.TIMEOUT.dividedBy(2)), "the wait goes on");
            return thrown.get();
        }
    }

    @Test
    @SuppressWarnings("try") // closes a channel early on purpose
    @DisplayName("CM-24 an id that migrates takes its waiting events along")
    void migrate() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP);
                EventChannel other = EventChannel.create()) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            CmId bystander = pair.clientEvents.createId(PortSpace.TCP);
            assertThrows(TimeoutException.class, () -> bystander.await(ADDR_RESOLVED, SHORT));
            pair.client.migrate(other);
            assertSame(other, pair.client.channel());
            assertSame(pair.client, other.await(ADDR_RESOLVED).id());
            pair.client.migrate(other);
            pair.client.migrate(pair.clientEvents);
            other.close();
            assertTrue(pair.client.isOpen());
            pair.resolveRoute();
            pair.connect(new ConnParam()).accept(new ConnParam());
            assertEquals(CmState.CONNECTED, pair.client.state());
        }
    }

    @Test
    @DisplayName("ids that change places on two channels do not wait for each other")
    void migrateCrosswise() throws Exception {
        try (EventChannel left = EventChannel.create();
                EventChannel right = EventChannel.create()) {
            CmId first = left.createId(PortSpace.TCP);
            CmId second = right.createId(PortSpace.TCP);
            Thread one = Thread.ofPlatform().start(() -> swing(first, left, right));
            Thread two = Thread.ofPlatform().start(() -> swing(second, right, left));
            assertTrue(one.join(CmPair.TIMEOUT));
            assertTrue(two.join(CmPair.TIMEOUT));
            assertSame(left, first.channel());
            assertSame(right, second.channel());
        }
    }

    private static void swing(CmId id, EventChannel home, EventChannel away) {
        for (int i = 0; i < 200; i++) {
            id.migrate(away);
            id.migrate(home);
        }
    }

    @Test
    @DisplayName("CM-25 options are taken; values outside their range are refused before the call")
    void options() {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            id.setTos(0x20);
            id.setReuseAddr(true);
            id.setAfOnly(true);
            id.setAckTimeout(AckTimeout.of(14));
            assertThrows(IllegalArgumentException.class, () -> id.setTos(256));
            assertThrows(IllegalArgumentException.class, () -> id.setTos(-1));
        }
    }

    @Test
    @DisplayName("CM-33 vendor options are for ids without a queue pair")
    void ece() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP)) {
            pair.client.setLocalEce(new Ece(0x15b3, 1, 0));
            assertEquals(new Ece(0, 0, 0), pair.client.getRemoteEce());
            assertThrows(VerbsException.class, () -> pair.client.setLocalEce(new Ece(0, 1, 0)));
            pair.resolve();
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(
                                    VerbsException.class,
                                    () -> pair.client.setLocalEce(new Ece(0x15b3, 1, 0)))
                            .errno());
            assertThrows(VerbsException.class, () -> pair.client.getRemoteEce());
        }
    }

    @Test
    @DisplayName("an event of the program's own needs a newer rdma-core, which the exception names")
    void userEvent() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            try {
                id.writeCmEvent(3, 42);
                CmEvent event = events.await(CmEventType.USER);
                assertEquals(42, event.argument());
            } catch (UnsupportedVerbException e) {
                assertTrue(e.getMessage().contains("rdma_write_cm_event"), e.getMessage());
            } catch (CmException e) {
                assertEquals(3, e.status());
            }
        }
    }

    @Test
    @DisplayName("looking names up by id needs a newer rdma-core, which the exception names")
    void addrinfo() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            try {
                String host = CmAddress.of(RXE).getHostAddress();
                id.resolveAddrinfo(host, "7", new AddrInfo.Hints());
                events.await(CmEventType.ADDRINFO_RESOLVED);
                assertEquals(CmAddress.of(RXE, 7), id.queryAddrinfo().getFirst().dstAddr());
            } catch (UnsupportedVerbException e) {
                assertTrue(e.getMessage().contains("rdma-core"), e.getMessage());
            }
        }
    }

    @Test
    @DisplayName("TH-06 closing a channel under threads that connect ends them, and nothing else")
    void closeUnderLoad() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            CompletionQueue cq;
            try (EventChannel events = EventChannel.create()) {
                CmId listener = events.createId(PortSpace.TCP);
                listener.bindAddr(CmAddress.of(RXE, 0));
                listener.listen(64);
                cq = listener.context().createCq(256);
                for (int i = 0; i < 4; i++) {
                    threads.add(
                            Thread.ofPlatform()
                                    .start(() -> connectUntilClosed(listener, cq, failures)));
                }
                Thread.sleep(50 + 30L * round); // a different moment each time
            }
            for (Thread each : threads) {
                assertTrue(each.join(CmPair.TIMEOUT));
            }
            cq.close();
            assertEquals(List.of(), failures);
        }
    }

    private static void connectUntilClosed(
            CmId listener, CompletionQueue cq, List<Throwable> failures) {
        EventChannel events = listener.channel();
        try {
            while (true) {
                CmId id = events.createId(PortSpace.TCP);
                id.resolveAddr(listener.getLocalAddr(), CmPair.RESOLVE);
                id.await(ADDR_RESOLVED);
                id.resolveRoute(CmPair.RESOLVE);
                id.await(CmEventType.ROUTE_RESOLVED);
                id.createQp(new QpInitAttr(QpType.RC, cq).maxSendWr(2).maxRecvWr(2));
                id.connect(new ConnParam());
                CmId asking = listener.await(CONNECT_REQUEST).id();
                asking.createQp(new QpInitAttr(QpType.RC, cq).maxSendWr(2).maxRecvWr(2));
                asking.accept(new ConnParam());
                asking.disconnect();
                asking.close();
                id.close();
            }
        } catch (IllegalStateException closed) {
            if (events.isOpen()) {
                failures.add(closed);
            }
        } catch (Throwable e) {
            // An id of another thread's may have been rejected or closed by this one: its failure
            // is an exception of the connection manager.
            if (!(e instanceof VerbsException)) {
                failures.add(e);
            }
        }
    }

    @Test
    @DisplayName("TH-03 threads that share a channel each get the events of their own ids")
    void sharedChannel() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            List<Thread> threads =
                    java.util.stream.IntStream.range(0, 6)
                            .mapToObj(
                                    i -> Thread.ofPlatform().unstarted(() -> resolveOften(events)))
                            .toList();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            threads.forEach(
                    each -> {
                        each.setUncaughtExceptionHandler((t, e) -> failure.set(e));
                        each.start();
                    });
            for (Thread each : threads) {
                each.join(TimeUnit.SECONDS.toMillis(30));
            }
            assertNull(failure.get());
            assertNull(events.getCmEvent(Duration.ZERO));
        }
    }

    private static void resolveOften(EventChannel events) {
        try {
            for (int i = 0; i < 20; i++) {
                try (CmId id = events.createId(PortSpace.TCP)) {
                    id.resolveAddr(CmAddress.of(RXE, 7), CmPair.RESOLVE);
                    assertSame(id, id.await(ADDR_RESOLVED).id());
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "CM-19 a request that waits when its listener closes is rejected and leaves nothing")
    void orphanedRequest() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP)) {
            pair.resolve();
            CmId bystander = pair.serverEvents.createId(PortSpace.TCP);
            pair.client.connect(new ConnParam());
            // Keeps the request in the channel's own queue.
            assertNull(bystander.getCmEvent(SHORT));
            pair.listener.close();
            CmException rejected =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(RejectReason.CONSUMER_DEFINED, rejected.rejectReason());
            assertNull(pair.serverEvents.getCmEvent(Duration.ZERO));
        }
    }

    @Test
    @DisplayName("an unexpected event ends a wait with an exception that carries it")
    void unexpectedEvent() throws Exception {
        try (CmPair pair = CmPair.connected(RXE)) {
            pair.client.disconnect();
            CmException other =
                    assertThrows(CmException.class, () -> pair.server.await(CONNECT_REQUEST));
            assertEquals(DISCONNECTED, other.type());
            assertSame(pair.server, other.event().id());
            assertTrue(
                    other.getMessage().contains("waited for CONNECT_REQUEST, got DISCONNECTED"),
                    other.getMessage());
        }
    }
}
