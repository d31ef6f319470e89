package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.WcStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One batch of datagrams that several threads fill and post, against the rules. */
@RequiresDevice(TestDevice.Kind.RXE)
class SendBatchRacesDeviceTest {

    private static final int QKEY = 0x11111111;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /**
     * A datagram whose handle is closed before it has gone out fails on rxe, and so may one that
     * has an element of each thread.
     */
    private static final Set<WcStatus> MAY_HAPPEN =
            EnumSet.of(WcStatus.LOC_QP_OP_ERR, WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicInteger posted = new AtomicInteger();
    private final AtomicInteger handles = new AtomicInteger();
    private final Set<WcStatus> failures = ConcurrentHashMap.newKeySet();
    private ExtendedPair pair;
    private QueuePairEx qp;
    private volatile AddressHandle ah;
    private volatile boolean over;

    @BeforeEach
    void open() {
        pair = new ExtendedPair(cq -> cq, attr -> attr);
        qp =
                pair.pd.createQpEx(
                        new QpInitAttrEx(QpType.UD, pair.cqA)
                                .maxSendSge(3)
                                .maxInlineData(64)
                                .sendOps(SendOp.SEND, SendOp.SEND_WITH_IMM));
        activate();
        ah = newAh();
    }

    private void activate() {
        qp.modify(QpAttr.initUd(pair.base.gid.port(), QKEY));
        qp.modify(QpAttr.of(QpState.RTR));
        qp.modify(QpAttr.of(QpState.RTS).sqPsn(1));
    }

    @AfterEach
    void close() {
        over = true;
        executor.shutdownNow();
        pair.close();
    }

    private AddressHandle newAh() {
        return pair.pd.createAh(AhAttr.to(pair.base.gid, pair.base.gid.gid()));
    }

    /** Fills and posts; what is against the rules may be refused, nothing else may happen. */
    private void fillAndPost(SendBatch batch) {
        WcArrayEx wc = new WcArrayEx(16);
        for (int i = 0; !over; i++) {
            try {
                batch.send().setUdAddr(ah, qp.qpNum(), QKEY);
                switch (i & 3) {
                    case 0 -> batch.setSge(pair.mrA, 0, 9);
                    case 1 -> batch.setSge(pair.mrA, 0, 8).addSge(pair.mrA, 8, 8);
                    case 2 -> batch.setSge(pair.mrA, 0, 5).addSge(pair.mrA, 8, 7);
                    default -> batch.setInlineData(MemorySegment.ofArray(new byte[33]));
                }
                batch.complete();
                posted.incrementAndGet();
            } catch (IllegalStateException
                    | IllegalArgumentException
                    | PostException
                    | IndexOutOfBoundsException e) {
                if (batch.count() == batch.capacity()) {
                    batch.abort(); // else it is full for good
                }
                Thread.yield();
            }
            if (takeCompletions(wc) == 0) {
                Thread.yield();
            }
        }
    }

    private int takeCompletions(WcArrayEx wc) {
        int n = pair.cqA.poll(wc);
        for (int i = 0; i < n; i++) {
            if (!wc.isSuccess(i)) {
                failures.add(wc.status(i));
            }
        }
        return n;
    }

    private void replaceHandles() {
        while (!over) {
            AddressHandle old = ah;
            ah = newAh();
            old.close();
            handles.incrementAndGet();
            Thread.yield();
        }
    }

    private List<Future<?>> start(SendBatch batch) {
        List<Future<?>> threads = new ArrayList<>();
        threads.add(executor.submit(() -> fillAndPost(batch)));
        threads.add(executor.submit(() -> fillAndPost(batch)));
        return threads;
    }

    private static void end(List<Future<?>> threads) throws Exception {
        for (Future<?> thread : threads) {
            thread.get(60, TimeUnit.SECONDS);
        }
    }

    private static void await(AtomicInteger done, int times) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (done.get() < times) {
            assertTrue(System.nanoTime() - deadline < 0, () -> "only " + done);
            Thread.yield();
        }
    }

    @Test
    @DisplayName("TH-01 address handles that are closed meanwhile close, and datagrams go out")
    void handlesClose() throws Exception {
        List<Future<?>> threads = start(qp.sendBatch(4));
        threads.add(executor.submit(this::replaceHandles));
        await(posted, 300);
        await(handles, 300);
        over = true;
        end(threads);
        executor.submit(ah::close).get(10, TimeUnit.SECONDS);
        assertTrue(MAY_HAPPEN.containsAll(failures), failures::toString);
        aDatagramGoesOut();
    }

    private void aDatagramGoesOut() throws Exception {
        qp.modify(QpAttr.of(QpState.RESET));
        activate();
        CompletionQueueEx cq = pair.cqA;
        while (cq.poll(pair.wc) != 0) {
            Thread.yield();
        }
        try (AddressHandle open = newAh()) {
            qp.sendBatch(1)
                    .wrId(99)
                    .send()
                    .setUdAddr(open, qp.qpNum(), QKEY)
                    .setSge(pair.mrA, 0, 9)
                    .complete();
            pair.succeed(cq);
            assertEquals(99, pair.wc.wrId(0));
        }
    }

    @Test
    @DisplayName("TH-01 a queue pair that is closed meanwhile closes, and nothing is posted after")
    void queuePairCloses() throws Exception {
        List<Future<?>> threads = start(qp.sendBatch(4));
        await(posted, 300);
        executor.submit(qp::close).get(10, TimeUnit.SECONDS);
        int before = posted.get();
        assertFalse(qp.isOpen());
        over = true;
        end(threads);
        assertTrue(posted.get() <= before + 2, () -> "posted " + posted + ", before " + before);
        executor.submit(ah::close).get(10, TimeUnit.SECONDS);
    }
}
