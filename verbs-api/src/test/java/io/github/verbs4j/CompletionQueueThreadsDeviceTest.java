package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.testing.Threads;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Completion queues used, resized and closed by several threads at a time. */
@RequiresDevice
class CompletionQueueThreadsDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void connect() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /** Writes of side a with the wr_ids {@code from} to {@code to} − 1. */
    private void write(int from, int to) {
        SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        for (int i = from; i < to; i++) {
            while (!pair.a.tryPostSend(wr.wrId(i))) {
                Thread.yield();
            }
        }
    }

    @Test
    @DisplayName("TH-06 R threads that poll while the queue closes end with an exception")
    void closeDuringPoll() throws Exception {
        for (int round = 0; round < 50; round++) {
            CompletionQueue cq = pair.context.createCq(64);
            CountDownLatch polling = new CountDownLatch(2);
            List<FutureTask<Void>> pollers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pollers.add(Threads.start(() -> pollUntilClosed(cq, polling)));
            }
            polling.await();
            cq.close();
            for (FutureTask<Void> poller : pollers) {
                Threads.join(poller);
            }
        }
    }

    private static Void pollUntilClosed(CompletionQueue cq, CountDownLatch polling) {
        WcArray own = new WcArray(4);
        cq.poll(own);
        polling.countDown();
        assertThrows(
                IllegalStateException.class,
                () -> {
                    while (true) {
                        cq.poll(own);
                        cq.reqNotify();
                        Thread.yield();
                    }
                });
        return null;
    }

    @Test
    @DisplayName("TH-02 each completion goes to one of several polling threads")
    void severalPollers() throws Exception {
        int count = 1000;
        BitSet seen = new BitSet();
        AtomicInteger left = new AtomicInteger(count);
        FutureTask<List<Integer>> pollers =
                Threads.start(() -> Threads.run(3, () -> take(seen, left)));
        for (int i = 0; i < count; i += 50) {
            // The queue overflows if the pollers get no processor for too long.
            while (i - (count - left.get()) > pair.cqA.cqe() - 50 && !pollers.isDone()) {
                Thread.yield();
            }
            write(i, i + 50);
        }
        assertEquals(count, Threads.join(pollers).stream().mapToInt(n -> n).sum());
        assertEquals(count, seen.cardinality());
    }

    private int take(BitSet seen, AtomicInteger left) {
        WcArray own = new WcArray(3);
        int taken = 0;
        while (left.get() > 0) {
            int n = pair.cqA.poll(own);
            for (int i = 0; i < n; i++) {
                own.checkSuccess(i);
                synchronized (seen) {
                    seen.set((int) own.wrId(i));
                }
            }
            taken += n;
            left.addAndGet(-n);
            Thread.yield();
        }
        return taken;
    }

    @Test
    @DisplayName("TH-04 polling while the queue is resized loses nothing and keeps the order")
    void pollDuringResize() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        int count = 500;
        FutureTask<Void> resizer =
                Threads.start(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                pair.cqA.resize(i % 2 == 0 ? 2047 : 1023);
                                Thread.yield();
                            }
                            return null;
                        });
        FutureTask<Void> writer =
                Threads.start(
                        () -> {
                            write(0, count);
                            return null;
                        });
        for (int i = 0; i < count; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
        }
        Threads.join(writer);
        Threads.join(resizer);
    }
}
