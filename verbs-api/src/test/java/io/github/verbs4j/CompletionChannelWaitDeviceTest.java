package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.Threads;
import io.github.verbs4j.types.QpType;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How waits on a channel end, and what closing does to them. */
@RequiresDevice
class CompletionChannelWaitDeviceTest {

    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(20);

    private LoopbackPair pair;
    private CompletionChannel channel;
    private CompletionQueue cqA;
    private CompletionQueue cqB;
    private QueuePair a;
    private QueuePair b;

    @BeforeEach
    void connect() {
        pair = new LoopbackPair(attr -> attr);
        channel = pair.context.createCompChannel();
        cqA = pair.context.createCq(new CqInitAttr(256).channel(channel));
        cqB = pair.context.createCq(new CqInitAttr(256).channel(channel));
        a = pair.pd.createQp(LoopbackPair.attr(cqA));
        b = pair.pd.createQp(LoopbackPair.attr(cqB));
        pair.connect(a, b);
        pair.connect(b, a);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void write() {
        a.postSend(new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
    }

    private void writeAndAwait() throws Exception {
        write();
        pair.completion(cqA).checkSuccess();
    }

    @Test
    @DisplayName("CQ-15 a wait ends at its timeout, of whatever length")
    void timeouts() throws Exception {
        assertNull(channel.getCqEvent(NOW));
        assertNull(channel.getCqEvent(Duration.ofSeconds(-1)));
        assertNull(channel.getCqEvent(Duration.ofMillis(30)));
        cqA.reqNotify();
        write();
        assertSame(cqA, channel.getCqEvent(ChronoUnit.FOREVER.getDuration()));
        assertThrows(NullPointerException.class, () -> channel.getCqEvent(null));
    }

    @Test
    @DisplayName("CQ-15 an interrupt ends a wait, on platform and virtual threads")
    void interrupt() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> channel.getCqEvent(LONG));
        assertFalse(Thread.interrupted());
        for (Thread.Builder kind : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            FutureTask<Void> wait = new FutureTask<>(this::expectInterrupt);
            Thread thread = kind.start(wait);
            thread.interrupt();
            Threads.join(wait);
        }
    }

    private Void expectInterrupt() {
        assertThrows(InterruptedException.class, () -> channel.getCqEvent(LONG));
        return null;
    }

    @Test
    @DisplayName("TH-05 closing a channel, or the context, ends the waits on it")
    void closeEndsWaits() throws Exception {
        CompletionChannel other = pair.context.createCompChannel();
        for (CompletionChannel waited : List.of(channel, other)) {
            CountDownLatch ready = new CountDownLatch(4);
            List<FutureTask<Void>> waits = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waits.add(Threads.start(() -> expectClosed(waited, ready)));
                waits.add(Threads.startVirtual(() -> expectClosed(waited, ready)));
            }
            ready.await();
            if (waited == channel) {
                channel.close();
            } else {
                pair.context.close();
            }
            for (FutureTask<Void> wait : waits) {
                Threads.join(wait);
            }
        }
    }

    private static Void expectClosed(CompletionChannel waited, CountDownLatch ready)
            throws InterruptedException {
        assertNull(waited.getCqEvent(NOW));
        ready.countDown();
        assertThrows(IllegalStateException.class, () -> waited.getCqEvent(LONG));
        return null;
    }

    @Test
    @DisplayName("CQ-14 of several waiters one gets each event, the others wait on")
    void severalWaiters() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<FutureTask<CompletionQueue>> waits = new ArrayList<>();
            waits.add(Threads.start(() -> channel.getCqEvent(LONG)));
            waits.add(Threads.startVirtual(() -> channel.getCqEvent(LONG)));
            waits.add(Threads.startVirtual(() -> channel.getCqEvent(LONG)));
            for (int left = waits.size(); left > 0; left--) {
                cqA.reqNotify();
                writeAndAwait();
                FutureTask<CompletionQueue> done = firstDone(waits);
                assertSame(cqA, Threads.join(done));
                waits.remove(done);
            }
        }
    }

    private static FutureTask<CompletionQueue> firstDone(List<FutureTask<CompletionQueue>> waits) {
        while (true) {
            for (FutureTask<CompletionQueue> wait : waits) {
                if (wait.isDone()) {
                    return wait;
                }
            }
            Thread.yield();
        }
    }

    @Test
    @DisplayName("TH-05 queues close while others take their events, and nothing hangs")
    void closeWhileEventsAreTaken() throws Exception {
        FutureTask<Void> taker =
                Threads.start(
                        () -> {
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> {
                                        while (true) {
                                            channel.getCqEvent(LONG);
                                        }
                                    });
                            return null;
                        });
        for (int i = 0; i < 100; i++) {
            CompletionQueue cq = pair.context.createCq(new CqInitAttr(8).channel(channel));
            QueuePair qp = pair.pd.createQp(new QpInitAttr(QpType.RC, cq));
            pair.connect(qp, qp);
            cq.reqNotify();
            qp.postSend(new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
            if (i % 2 == 0) {
                pair.completion(cq).checkSuccess();
            }
            cq.close();
        }
        channel.close();
        Threads.join(taker);
    }
}
