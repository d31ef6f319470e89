package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests that one thread changes while another posts them, against the rules. */
@RequiresDevice(TestDevice.Kind.RXE)
class PostRacesDeviceTest {

    private static final Duration RACE = Duration.ofSeconds(3);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private ExtendedPair pair;
    private MemoryWindow mw;

    /** What one of the threads does again and again. */
    private interface Step {
        void run() throws Exception;
    }

    @BeforeEach
    void open() throws Exception {
        pair = ExtendedPair.connected();
        // Bound and taken back: a LOCAL_INV that gets past the checks now panics the kernel.
        mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.a.sendBatch(2).bindMw(mw, new MwBind(pair.mrA, REMOTE_READ)).localInv(mw).complete();
        pair.succeed(pair.cqA);
        pair.succeed(pair.cqA);
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
        pair.close();
    }

    /** Runs both at once; they may throw what the documentation says. */
    private void race(Step one, Step other) throws Exception {
        long end = System.nanoTime() + RACE.toNanos();
        Future<?> first = executor.submit(() -> repeat(one, end));
        Future<?> second = executor.submit(() -> repeat(other, end));
        first.get(60, TimeUnit.SECONDS);
        second.get(60, TimeUnit.SECONDS);
    }

    private static void repeat(Step step, long end) {
        while (System.nanoTime() - end < 0) {
            try {
                step.run();
            } catch (IllegalStateException | PostException e) {
                Thread.yield();
            } catch (Exception e) {
                assertInstanceOf(IllegalStateException.class, e);
            }
        }
    }

    @Test
    @DisplayName("K-1 a LOCAL_INV that a second thread adds to a batch being posted is checked too")
    void batch() throws Exception {
        SendBatch batch = pair.a.sendBatch(2);
        AtomicInteger posted = new AtomicInteger();
        race(
                () -> {
                    try {
                        batch.rdmaWrite(pair.mrB.remote(), 100).setSge(pair.mrA, 0, 8);
                        batch.complete();
                        posted.incrementAndGet();
                    } catch (IllegalStateException e) {
                        // What is left of it would fill the batch for good.
                        batch.abort();
                        throw e;
                    } finally {
                        int n = pair.cqA.poll(pair.wc);
                        for (int i = 0; i < n; i++) {
                            pair.wc.checkSuccess(i);
                        }
                    }
                },
                () -> {
                    if (batch.count() > 0) { // the other is at it
                        batch.localInv(mw);
                    }
                    Thread.yield();
                });
        assertTrue(posted.get() > 0);
        assertEquals(QpState.RTS, pair.a.query().qpState());
    }

    @Test
    @DisplayName("K-1 a request that a second thread makes a LOCAL_INV while it is posted is none")
    void request() throws Exception {
        SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        AtomicInteger posted = new AtomicInteger();
        race(
                () -> {
                    try {
                        pair.a.postSend(wr);
                        posted.incrementAndGet();
                    } finally {
                        // Some other than it was made to be may go out, and fail; no more than
                        // that.
                        pair.cqA.poll(pair.wc);
                    }
                },
                () -> {
                    wr.localInv(mw);
                    Thread.yield();
                    wr.opcode(WrOpcode.RDMA_WRITE);
                    Thread.yield();
                });
        assertTrue(posted.get() > 0);
        pair.a.query();
    }
}
