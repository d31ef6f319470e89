package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class PostThreadsDeviceTest {

    private static final int THREADS = 4;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private LoopbackPair pair;

    /** Posts until something stops it. */
    private interface Poster {
        void post() throws Exception;
    }

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        executor.shutdownNow();
        pair.close();
    }

    private static void await(List<Future<?>> futures) throws Exception {
        for (Future<?> future : futures) {
            future.get(LoopbackPair.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName(
            "TH-01 of four threads that post 300 requests each on one queue pair, none loses its"
                    + " order")
    void orderOfThreads() throws Exception {
        int posts = 300;
        // Room for all completions: a send queue that is never full does not protect its CQ.
        CompletionQueue cq = pair.context.createCq(THREADS * posts);
        QueuePair a = pair.pd.createQp(LoopbackPair.attr(cq));
        QueuePair b = pair.pd.createQp(LoopbackPair.attr(pair.cqB));
        pair.connect(a, b);
        pair.connect(b, a);
        RemoteBuffer target = pair.mrB.remote();
        List<Future<?>> posters = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            long thread = t;
            SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, target, t * 8L);
            posters.add(
                    executor.submit(
                            () -> {
                                for (int i = 0; i < posts; i++) {
                                    wr.wrId(thread << 32 | i);
                                    while (!a.tryPostSend(wr)) {
                                        Thread.yield();
                                    }
                                }
                            }));
        }
        int[] next = new int[THREADS];
        for (int i = 0; i < THREADS * posts; i++) {
            long id = pair.completion(cq).checkSuccess().wrId();
            int thread = (int) (id >>> 32);
            assertEquals(next[thread]++, (int) id, "order of thread " + thread);
        }
        await(posters);
        assertTrue(pair.staysEmpty(cq, Duration.ofMillis(50)));
    }

    @Test
    @DisplayName("TH-03 six threads make and close domains, regions, queues and queue pairs")
    void createAndClose() throws Exception {
        List<Future<?>> makers = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            makers.add(
                    executor.submit(
                            () -> {
                                for (int i = 0; i < 30; i++) {
                                    makeAndClose();
                                }
                            }));
        }
        await(makers);
    }

    private void makeAndClose() {
        try (ProtectionDomain pd = pair.context.allocPd();
                CompletionQueue cq = pair.context.createCq(8);
                MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
                QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            qp.modify(QpAttr.init(1));
            qp.postRecv(new RecvWr(1).sge(mr, 0, 8));
        }
    }

    /** Polls more than it posts: the completion queue must not overflow. */
    private Poster polling(Poster poster) {
        WcArray wc = new WcArray(16);
        return () -> {
            poster.post();
            pair.cqA.poll(wc);
        };
    }

    /** Runs posters until each is stopped by the exception that says the queue pair is so. */
    private void stopPosters(String reason, Poster stop, List<Poster> posters) throws Exception {
        CountDownLatch running = new CountDownLatch(posters.size());
        List<Future<?>> futures = new ArrayList<>();
        for (Poster poster : posters) {
            futures.add(
                    executor.submit(
                            () -> {
                                boolean counted = false;
                                while (true) {
                                    try {
                                        poster.post();
                                    } catch (IllegalStateException e) {
                                        assertTrue(e.getMessage().contains(reason), e.getMessage());
                                        return null;
                                    } finally {
                                        if (!counted) {
                                            running.countDown();
                                            counted = true;
                                        }
                                    }
                                    Thread.yield();
                                }
                            }));
        }
        assertTrue(running.await(20, TimeUnit.SECONDS));
        stop.post();
        await(futures);
    }

    @Test
    @DisplayName(
            "TH-06 posts of four threads while the queue pair closes end with «is closed» only")
    void closeDuringPost() throws Exception {
        AtomicInteger posted = new AtomicInteger();
        for (int round = 0; round < 50; round++) {
            QueuePair a = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
            QueuePair b = pair.pd.createQp(LoopbackPair.attr(pair.cqB));
            pair.connect(a, b);
            pair.connect(b, a);
            RemoteBuffer target = pair.mrB.remote();
            SendWr plain = new SendWr(1).write(pair.mrA, 0, 8, target, 0);
            SendWr inline =
                    new SendWr(1)
                            .sge(0, MemorySegment.ofArray(new byte[8]))
                            .opcode(io.github.verbs4j.types.WrOpcode.RDMA_WRITE)
                            .remote(target, 8)
                            .sendFlags(INLINE | SIGNALED);
            SendWrArray chain = new SendWrArray(3, 1);
            for (int i = 0; i < 3; i++) {
                chain.get(i).write(pair.mrA, 0, 8, target, 16);
            }
            RecvWr recv = new RecvWr(1).sge(pair.mrA, 64, 8);
            WcArray wc = new WcArray(16);
            stopPosters(
                    "is closed",
                    a::close,
                    List.of(
                            polling(() -> posted.addAndGet(a.tryPostSend(plain) ? 1 : 0)),
                            polling(() -> posted.addAndGet(a.tryPostSend(inline) ? 1 : 0)),
                            polling(() -> posted.addAndGet(a.tryPostSend(chain, 3))),
                            polling(() -> a.tryPostRecv(recv))));
            b.close();
            while (pair.cqA.poll(wc) > 0) {
                Thread.onSpinWait();
            }
        }
        assertTrue(posted.get() > 0);
    }

    @Test
    @DisplayName("PO-02 a reset during posts leaves no request behind that would run after RTS")
    void resetDuringPost() throws Exception {
        WcArray wc = new WcArray(16);
        RemoteBuffer target = pair.mrB.remote();
        for (int round = 0; round < 30; round++) {
            List<Poster> posters = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, target, 0).wrId(1);
                posters.add(
                        () -> {
                            pair.a.tryPostSend(wr);
                            pair.cqA.poll(new WcArray(8));
                        });
            }
            stopPosters("in state RESET", () -> pair.a.modify(QpAttr.of(QpState.RESET)), posters);
            pair.b.modify(QpAttr.of(QpState.RESET));
            while (pair.cqA.poll(wc) > 0) {
                Thread.onSpinWait();
            }
            pair.connect();
            pair.a.postSend(new SendWr(1).wrId(2).write(pair.mrA, 0, 8, target, 0));
            assertEquals(2, pair.completionA().checkSuccess().wrId());
            assertEquals(0, pair.cqA.poll(wc));
        }
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(50)));
    }

    @Test
    @DisplayName("PO-02 a reset ends while four threads go on posting sends and receives")
    void resetUnderPosts() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        for (boolean sends : new boolean[] {true, false}) {
            stop.set(false);
            pair.a.modify(QpAttr.of(QpState.RESET));
            pair.connect(pair.a, pair.a);
            CountDownLatch running = new CountDownLatch(THREADS);
            List<Future<?>> posters = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SendWr send =
                        new SendWr(1).write(pair.mrA, 0, 8, pair.mrA.remote(), 8).sendFlags(0);
                RecvWr recv = new RecvWr(1).sge(pair.mrA, 64, 8);
                posters.add(
                        executor.submit(
                                () -> {
                                    for (boolean first = true; !stop.get(); first = false) {
                                        postOrNot(sends, send, recv);
                                        if (first) {
                                            running.countDown();
                                        }
                                    }
                                }));
            }
            assertTrue(running.await(20, TimeUnit.SECONDS));
            Future<?> reset = executor.submit(() -> pair.a.modify(QpAttr.of(QpState.RESET)));
            try {
                await(List.of(reset));
                assertEquals(QpState.RESET, pair.a.state());
            } finally {
                stop.set(true);
                await(posters);
            }
        }
    }

    private void postOrNot(boolean sends, SendWr send, RecvWr recv) {
        try {
            if (sends) {
                pair.a.tryPostSend(send);
            } else {
                pair.a.tryPostRecv(recv);
            }
        } catch (IllegalStateException | PostException e) {
            assertTrue(e.getMessage().contains("RESET"), e.getMessage());
        }
    }

    @Test
    @DisplayName("K-6 a queue pair that closes while windows are being bound on it does not hang")
    void closeDuringBind() throws Exception {
        for (int round = 0; round < 20; round++) {
            QueuePair a = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
            pair.connect(a, a);
            List<MemoryWindow> windows = new ArrayList<>();
            List<Poster> posters = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                MemoryWindow window = pair.pd.allocMw(MwType.TYPE_2);
                windows.add(window);
                SendWr bind = new SendWr(0).bindMw(window, new MwBind(pair.mrA, REMOTE_WRITE));
                SendWr invalidate = new SendWr(0).localInv(window);
                WcArray wc = new WcArray(8);
                posters.add(
                        () -> {
                            SendWr next = window.isBound() ? invalidate : bind;
                            a.tryPostSend(next);
                            pair.cqA.poll(wc);
                        });
            }
            stopPosters("is closed", a::close, posters);
            windows.forEach(MemoryWindow::close);
        }
    }
}
