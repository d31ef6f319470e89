package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One chain, with inline and plain requests, that two threads post at once, against the rules. */
@RequiresDevice
class PostChainRacesDeviceTest {

    private static final Duration RACE = Duration.ofSeconds(3);
    private static final int LENGTH = 6;
    private static final long FIRST_ID = 0x7700;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final SendWrArray chain = new SendWrArray(LENGTH, 2);
    private final AtomicLong posted = new AtomicLong();
    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected(attr -> attr.maxSendWr(64));
        for (int i = 0; i < LENGTH; i++) {
            SendWr wr = chain.get(i).wrId(FIRST_ID + i);
            wr.write(pair.mrA, 64L * i, 16, pair.mrB.remote(), 64L * i);
            boolean inline = i % 2 == 1;
            wr.sendFlags(inline ? SendFlags.SIGNALED | SendFlags.INLINE : SendFlags.SIGNALED);
            pair.mrA.segment().setString(64L * i, "request " + i);
        }
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
        pair.close();
    }

    /** Posts the first of them again and again, and takes the completions of both threads. */
    private long race(QueuePair qp, int count, long end) throws Exception {
        WcArray wc = new WcArray(16);
        long taken = 0;
        while (System.nanoTime() - end < 0) {
            try {
                posted.addAndGet(qp.tryPostSend(chain, count));
            } catch (PostException e) {
                // Which request the queue was too full for is not clear when both post at once.
                Thread.yield();
            }
            taken += take(qp, wc);
        }
        return taken;
    }

    private int take(QueuePair qp, WcArray wc) {
        int n = qp.sendCq().poll(wc);
        for (int i = 0; i < n; i++) {
            wc.checkSuccess(i);
            assertEquals(qp.qpNum(), wc.qpNum(i));
            long id = wc.wrId(i);
            assertTrue(id >= FIRST_ID && id < FIRST_ID + LENGTH, () -> "none's: " + id);
        }
        return n;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, LENGTH})
    @DisplayName("two threads that post one chain get completions of its requests, of no others")
    void oneQueuePair(int count) throws Exception {
        long end = System.nanoTime() + RACE.toNanos();
        List<Future<Long>> threads =
                List.of(
                        executor.submit(() -> race(pair.a, LENGTH, end)),
                        executor.submit(() -> race(pair.a, count, end)));
        long taken = 0;
        for (Future<Long> each : threads) {
            taken += each.get(60, TimeUnit.SECONDS);
        }
        assertTrue(taken > 0 && posted.get() > 0);
        everyRequestStillGoesOut();
    }

    @Test
    @DisplayName("two threads may post one chain to queue pairs that take more and less inline")
    void twoQueuePairs() throws Exception {
        try (QueuePair here = pair.pd.createQp(LoopbackPair.attr(pair.cqB).maxInlineData(400));
                QueuePair there = pair.pd.createQp(LoopbackPair.attr(pair.cqB))) {
            pair.connect(here, there);
            pair.connect(there, here);
            long end = System.nanoTime() + RACE.toNanos();
            Future<Long> small = executor.submit(() -> race(pair.a, 1, end));
            Future<Long> large = executor.submit(() -> race(here, LENGTH, end));
            assertTrue(small.get(60, TimeUnit.SECONDS) > 0);
            assertTrue(large.get(60, TimeUnit.SECONDS) > 0);
            everyRequestStillGoesOut();
        }
    }

    private void everyRequestStillGoesOut() throws Exception {
        assertEquals(QpState.RTS, pair.a.query().qpState());
        while (!pair.staysEmpty(pair.cqA, Duration.ofMillis(100))) {
            Thread.yield();
        }
        pair.mrB.segment().fill((byte) 0);
        pair.a.postSend(chain);
        for (int i = 0; i < LENGTH; i++) {
            assertEquals(FIRST_ID + i, pair.completionA().checkSuccess().wrId());
            assertEquals("request " + i, pair.mrB.segment().getString(64L * i));
        }
    }
}
