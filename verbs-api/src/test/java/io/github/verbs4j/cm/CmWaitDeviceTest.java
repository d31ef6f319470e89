package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits for events, and what ends them. */
@RequiresDevice(TestDevice.Kind.RXE)
class CmWaitDeviceTest {

    private static final TestDevice.Kind RXE = TestDevice.Kind.RXE;
    private static final Duration SHORT = Duration.ofMillis(100);

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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("try") // closes a channel early on purpose
    @DisplayName("CM-24 a wait for an id's event goes on where the id migrates to")
    void migrateDuringWait(boolean virtual) throws Exception {
        try (EventChannel from = EventChannel.create();
                EventChannel to = EventChannel.create()) {
            CmId id = from.createId(PortSpace.TCP);
            Waiter waiter = new Waiter(virtual, () -> id.await(ADDR_RESOLVED, CmPair.TIMEOUT));
            id.migrate(to);
            from.close();
            id.resolveAddr(CmAddress.of(RXE, 7), CmPair.RESOLVE);
            assertNull(waiter.thrown());
            assertEquals(CmState.ADDR_RESOLVED, id.state());
        }
    }

    @Test
    @SuppressWarnings("try") // closes a channel early on purpose
    @DisplayName("CM-24 a wait whose id has migrated ends with its time, and with the new channel")
    void migratedWaitEnds() throws Exception {
        try (EventChannel from = EventChannel.create();
                EventChannel to = EventChannel.create()) {
            CmId id = from.createId(PortSpace.TCP);
            Waiter brief = new Waiter(false, () -> id.await(ESTABLISHED, SHORT.multipliedBy(5)));
            Waiter patient = new Waiter(false, () -> id.await(ESTABLISHED, CmPair.TIMEOUT));
            id.migrate(to);
            assertEquals(TimeoutException.class, brief.thrown().getClass());
            to.close();
            assertEquals(IllegalStateException.class, patient.thrown().getClass());
            assertTrue(from.isOpen());
        }
    }

    @Test
    @SuppressWarnings("try") // closes a channel early on purpose
    @DisplayName("CM-24 a listener that migrates takes along the requests that wait for it")
    void migrateListener() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP);
                EventChannel to = EventChannel.create()) {
            pair.resolve();
            CmId bystander = pair.serverEvents.createId(PortSpace.TCP);
            pair.client.connect(new ConnParam());
            CmPair.awaitUntaken(pair.serverEvents);
            // Keeps the request in the channel's own queue:
            assertNull(bystander.getCmEvent(Duration.ZERO));
            pair.listener.migrate(to);
            pair.serverEvents.close();
            CmEvent request = pair.listener.await(CONNECT_REQUEST);
            assertSame(to, request.id().channel());
            pair.server = request.id();
            pair.serverQp = pair.server.createQp(pair.attr(pair.server));
            pair.accept(new ConnParam());
            assertEquals(CmState.CONNECTED, pair.client.state());
            to.close();
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

    @Test
    @DisplayName("TH-06 a new id never hears what a closed one, at the same address, had asked for")
    void reusedAddress() throws Exception {
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        InetSocketAddress peer = CmAddress.of(RXE, 7);
        AtomicBoolean over = new AtomicBoolean();
        try (EventChannel events = EventChannel.create()) {
            List<Executable> bodies = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                bodies.add(() -> events.getCmEvent(Duration.ZERO));
                bodies.add(
                        () -> {
                            try (CmId asks = events.createId(PortSpace.TCP)) {
                                asks.resolveAddr(peer, CmPair.RESOLVE);
                            }
                        });
                bodies.add(
                        () -> {
                            try (CmId silent = events.createId(PortSpace.TCP)) {
                                assertNull(silent.getCmEvent(Duration.ZERO));
                                assertEquals(CmState.IDLE, silent.state());
                            }
                        });
            }
            List<Thread> threads = new ArrayList<>();
            for (Executable body : bodies) {
                threads.add(Thread.ofPlatform().start(() -> repeat(body, over, failures)));
            }
            Thread.sleep(2000); // long enough to fail when an event finds the wrong id
            over.set(true);
            for (Thread each : threads) {
                assertTrue(each.join(CmPair.TIMEOUT));
            }
            assertEquals(List.of(), failures);
            for (CmEvent left; (left = events.getCmEvent(Duration.ZERO)) != null; ) {
                failures.add(new AssertionError("kept for a closed id: " + left));
            }
            assertEquals(List.of(), failures);
        }
    }

    private static void repeat(Executable body, AtomicBoolean over, List<Throwable> failures) {
        while (!over.get()) {
            try {
                body.execute();
            } catch (Throwable e) {
                failures.add(e);
                return;
            }
            Thread.yield();
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
            // As below: a request that its client has taken back in the meantime.
            if (events.isOpen() && !closed.getMessage().contains("is not possible in state")) {
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
            CmPair.awaitUntaken(pair.serverEvents);
            // Keeps the request in the channel's own queue:
            assertNull(bystander.getCmEvent(Duration.ZERO));
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
