package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AsyncEventType;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortState;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice(TestDevice.Kind.RXE)
class AsyncEventDeviceTest {

    private static final Duration TIMEOUT = LoopbackPair.TIMEOUT;
    private static final String ADDED = "10.77.99.1";
    private static final Gid GID_OF_ADDED = Gid.parse("::ffff:" + ADDED);

    private static void ip(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "ip";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);
    }

    private static String netDevice(Context context) {
        return context.defaultGid(1).netDevice().orElseThrow();
    }

    /** Fills a send queue's completion queue beyond its size. */
    private static CompletionQueue overflow(LoopbackPair pair, int extra) throws Exception {
        CompletionQueue small = pair.context.createCq(3);
        QueuePair a = pair.pd.createQp(LoopbackPair.attr(small));
        pair.connect(a, pair.b);
        pair.connect(pair.b, a);
        for (int i = 0; i < 3 + extra; i++) {
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        }
        for (int i = 0; i < 3 + extra; i++) {
            a.postSend(new SendWr(1).wrId(i).send(pair.mrA, 0, 8));
            pair.completionB().checkSuccess();
        }
        // What side b has, side a may not yet know to be acknowledged.
        pair.awaitDone(a);
        return small;
    }

    @Test
    @DisplayName("AS-01 the link goes down and up: PORT_ERR, PORT_ACTIVE")
    void link() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            String device = netDevice(context);
            String address = context.defaultGid(1).gid().toInetAddress().getHostAddress() + "/24";
            try {
                ip("link", "set", device, "down");
                assertEquals(
                        new AsyncEvent.Port(AsyncEventType.PORT_ERR, 1),
                        skip(context, AsyncEventType.GID_CHANGE));
                assertEquals(PortState.DOWN, context.queryPort(1).state());
            } finally {
                ip("link", "set", device, "up");
                ip("addr", "replace", address, "dev", device);
            }
            assertEquals(
                    new AsyncEvent.Port(AsyncEventType.PORT_ACTIVE, 1),
                    skip(context, AsyncEventType.GID_CHANGE));
            assertEquals(PortState.ACTIVE, context.queryPort(1).state());
            // Later tests need the link-local GID, which comes back a while after the link.
            awaitGid(context, Gid::isLinkLocal, true);
        }
    }

    private static AsyncEvent skip(Context context, AsyncEventType other) throws Exception {
        AsyncEvent event;
        do {
            event = context.getAsyncEvent(TIMEOUT);
        } while (event != null && event.type() == other);
        return event;
    }

    /** Waits until the table has such a GID, or has none. */
    private static void awaitGid(Context context, Predicate<Gid> which, boolean there)
            throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (context.gidTable(1).stream().map(GidEntry::gid).anyMatch(which) != there) {
            assertTrue(System.nanoTime() - deadline < 0, () -> context.gidTable(1).toString());
            Thread.sleep(10);
        }
    }

    @Test
    @DisplayName("AS-02 an address comes and goes: GID_CHANGE each time")
    void address() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            String device = netDevice(context);
            AsyncEvent change = new AsyncEvent.Port(AsyncEventType.GID_CHANGE, 1);
            // The first may still tell of what a test before changed, so it is not the only one.
            for (int round = 0; round < 3; round++) {
                ip("addr", "add", ADDED + "/32", "dev", device);
                try {
                    assertEquals(change, context.getAsyncEvent(TIMEOUT));
                    awaitGid(context, gid -> gid.equals(GID_OF_ADDED), true);
                } finally {
                    ip("addr", "del", ADDED + "/32", "dev", device);
                }
                assertEquals(change, context.getAsyncEvent(TIMEOUT));
                awaitGid(context, gid -> gid.equals(GID_OF_ADDED), false);
            }
        }
    }

    @Test
    @DisplayName("AS-03 rxe says nothing about a queue pair in the error state")
    void errorStateIsSilent() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.a.modify(QpAttr.of(QpState.ERR));
            assertNull(pair.context.getAsyncEvent(Duration.ofMillis(100)));
        }
    }

    @Test
    @DisplayName("AS-04 SQ_DRAINED names the queue pair whose send queue has drained")
    void drained() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.a.modify(QpAttr.of(QpState.SQD).enSqdAsyncNotify(true));
            AsyncEvent event = pair.context.getAsyncEvent(TIMEOUT);
            assertEquals(
                    new AsyncEvent.Qp(AsyncEventType.SQ_DRAINED, pair.a, pair.a.qpNum()), event);
        }
    }

    @Test
    @DisplayName("AS-05, CQ-06 an overflow is one CQ_ERR for each lost completion")
    void overflow() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            CompletionQueue small = overflow(pair, 3);
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        new AsyncEvent.Cq(AsyncEventType.CQ_ERR, small),
                        pair.context.getAsyncEvent(TIMEOUT));
            }
            assertNull(pair.context.getAsyncEvent(Duration.ZERO));
            WcArray wc = new WcArray(8);
            assertEquals(3, small.poll(wc));
            assertEquals(2, wc.wrId(2));
            assertEquals(0, small.poll(wc));
        }
    }

    @Test
    @DisplayName("AS-07 a wait without an event ends in time, and when it is interrupted")
    void timeoutAndInterrupt() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            assertNull(context.getAsyncEvent(Duration.ZERO));
            assertNull(context.getAsyncEvent(Duration.ofMillis(30)));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> context.getAsyncEvent(TIMEOUT));
            AtomicReference<Throwable> ended = new AtomicReference<>();
            for (Thread.Builder kind :
                    new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
                Thread waiter =
                        kind.start(
                                () -> {
                                    try {
                                        context.getAsyncEvent(Duration.ofDays(1));
                                    } catch (InterruptedException e) {
                                        ended.set(e);
                                    }
                                });
                waiter.interrupt();
                assertTrue(waiter.join(TIMEOUT));
                assertInstanceOf(InterruptedException.class, ended.getAndSet(null));
            }
        }
    }

    @Test
    @DisplayName("TH-05 a wait ends when the context closes")
    void closeEndsWait() throws Exception {
        Context context = TestDevice.get(TestDevice.Kind.RXE).open();
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        CompletableFuture<AsyncEvent> waiter =
                CompletableFuture.supplyAsync(
                        () -> {
                            waiting.complete(null);
                            try {
                                return context.getAsyncEvent(Duration.ofDays(1));
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        waiting.get(20, TimeUnit.SECONDS);
        context.close();
        ExecutionException e =
                assertThrows(ExecutionException.class, () -> waiter.get(20, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, e.getCause());
        assertThrows(IllegalStateException.class, () -> context.getAsyncEvent(Duration.ZERO));
    }

    @Test
    @DisplayName("AS-08 events of a queue that closes before anybody took them are not lost")
    void eventsOutliveTheirElement() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            CompletionQueue small = overflow(pair, 2);
            small.close();
            for (int i = 0; i < 2; i++) {
                AsyncEvent event = pair.context.getAsyncEvent(TIMEOUT);
                AsyncEvent.Cq about = assertInstanceOf(AsyncEvent.Cq.class, event);
                assertEquals(AsyncEventType.CQ_ERR, about.type());
                assertSame(small, about.cq());
            }
            assertNull(pair.context.getAsyncEvent(Duration.ZERO));
        }
    }

    @Test
    @DisplayName("AS-09 nothing hangs when objects whose events were taken are closed")
    void takenEventsAreAcknowledged() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            CompletionQueue small = overflow(pair, 2);
            pair.context.getAsyncEvent(TIMEOUT);
            pair.context.getAsyncEvent(TIMEOUT);
            small.close();
        }
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.a.modify(QpAttr.of(QpState.SQD).enSqdAsyncNotify(true));
            pair.context.getAsyncEvent(TIMEOUT);
            pair.a.close();
        }
    }

    @Test
    @DisplayName("AS-09 a context closes with events that nobody took")
    void closeWithUnread() throws Exception {
        LoopbackPair pair = new LoopbackPair(attr -> attr);
        overflow(pair, 2);
        pair.close();
        assertThrows(IllegalStateException.class, () -> pair.context.getAsyncEvent(Duration.ZERO));
    }

    @Test
    @DisplayName("queues close on one thread while another takes their events")
    void closeDuringGet() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            CompletableFuture<Integer> taker =
                    CompletableFuture.supplyAsync(
                            () -> {
                                int taken = 0;
                                try {
                                    while (taken < 20) {
                                        if (pair.context.getAsyncEvent(TIMEOUT) == null) {
                                            break;
                                        }
                                        taken++;
                                    }
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                                return taken;
                            });
            for (int round = 0; round < 10; round++) {
                pair.b.modify(QpAttr.of(QpState.RESET));
                CompletionQueue small = overflow(pair, 2);
                small.close();
            }
            assertEquals(20, taker.get(40, TimeUnit.SECONDS));
        }
    }
}
