package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_cap;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@RequiresDevice
class CompletionQueueDeviceTest {

    private LoopbackPair pair;
    private final WcArray wc = new WcArray(16);

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
    @DisplayName("CQ-01 the size is what was asked for or more; an impossible one is refused")
    void sizes() {
        int most = pair.context.queryDevice().maxCqe();
        for (int cqe : new int[] {0, -1, Integer.MIN_VALUE, most + 1, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> pair.context.createCq(cqe));
            assertThrows(IllegalArgumentException.class, () -> pair.cqA.resize(cqe));
        }
        boolean rxe = TestDevice.isRxe(pair.context);
        int[][] asked = {{1, 1}, {2, 3}, {3, 3}, {4, 7}, {100, 127}, {most, most}};
        for (int[] size : asked) {
            try (CompletionQueue cq = pair.context.createCq(size[0])) {
                assertTrue(cq.cqe() >= size[0]);
                assertTrue(!rxe || cq.cqe() == size[1], () -> size[0] + " gave " + cq.cqe());
            }
        }
    }

    @Test
    @DisplayName("a completion vector that the device lacks is refused")
    void completionVectors() {
        int vectors = pair.context.numCompVectors();
        pair.context.createCq(new CqInitAttr(1).compVector(vectors - 1)).close();
        for (int vector : new int[] {vectors, -1}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.context.createCq(new CqInitAttr(1).compVector(vector)));
        }
    }

    @Test
    @DisplayName("CQ-03 resizing keeps what is queued, in order, and refuses to lose any")
    void resize() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        pair.cqA.resize(1);
        assertEquals(1, pair.cqA.cqe());
        pair.cqA.resize(64);
        assertEquals(127, pair.cqA.cqe());
        write(0, 7);
        pair.awaitDone(pair.a);
        VerbsException e = assertThrows(VerbsException.class, () -> pair.cqA.resize(3));
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("more completions are queued"), e.getMessage());
        pair.cqA.resize(7);
        assertEquals(7, pair.cqA.cqe());
        for (int i = 0; i < 7; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("CQ-03 siw cannot resize, and says so")
    void siwCannotResize() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            CompletionQueue cq = siw.createCq(8);
            assertThrows(UnsupportedVerbException.class, () -> cq.resize(16));
            assertEquals(0, cq.poll(wc));
        }
    }

    @Test
    @DisplayName("CQ-04 closing a queue closes the queue pairs that use it first")
    void closingClosesQueuePairs() {
        pair.cqA.close();
        assertFalse(pair.a.isOpen() || pair.cqA.isOpen());
        assertTrue(pair.b.isOpen());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("CQ-04 R after a failed destruction on siw nothing touches the queue any more")
    void failedDestructionOnSiw() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open();
                Arena arena = Arena.ofConfined()) {
            ProtectionDomain pd = siw.allocPd();
            CompletionQueue cq = siw.createCq(8);
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            ibv_qp_init_attr.send_cq(init, cq.handle());
            ibv_qp_init_attr.recv_cq(init, cq.handle());
            ibv_qp_init_attr.qp_type(init, QpType.RC.value());
            MemorySegment cap = ibv_qp_init_attr.cap(init);
            ibv_qp_cap.max_send_wr(cap, 1);
            ibv_qp_cap.max_recv_wr(cap, 1);
            ibv_qp_cap.max_send_sge(cap, 1);
            ibv_qp_cap.max_recv_sge(cap, 1);
            MemorySegment unknownToUs = QueuePairVerbs.ibv_create_qp(pd.handle(), init);
            assertTrue(unknownToUs.address() != 0);
            VerbsException e = assertThrows(VerbsException.class, cq::close);
            assertEquals(Errno.EBUSY, e.errno());
            assertThrows(IllegalStateException.class, () -> cq.poll(wc));
            assertThrows(IllegalStateException.class, cq::reqNotify);
            cq.close();
            assertEquals(0, QueuePairVerbs.ibv_destroy_qp(unknownToUs));
        }
    }

    @Test
    @DisplayName("CQ-05 poll takes at most what is asked, the oldest first")
    void pollTakesAtMost() throws Exception {
        assertEquals(0, pair.cqA.poll(wc));
        write(0, 3);
        pair.awaitDone(pair.a);
        assertEquals(0, pair.cqA.poll(wc, 0));
        assertEquals(2, pair.cqA.poll(wc, 2));
        assertEquals(0, wc.wrId(0));
        assertEquals(1, wc.wrId(1));
        assertEquals(2, wc.count());
        assertEquals(1, pair.cqA.poll(wc));
        assertEquals(2, wc.wrId(0));
        assertEquals(0, pair.cqA.poll(wc));
        assertEquals(0, wc.count());
    }

    @Test
    @DisplayName("CQ-05 a negative number, and more than the array holds, are refused")
    void pollRefusesWrongNumbers() {
        for (int max : new int[] {-1, 17, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> pair.cqA.poll(wc, max));
        }
        assertThrows(NullPointerException.class, () -> pair.cqA.poll(null));
    }

    @Test
    @DisplayName("CQ-06 an overrun queue keeps the first completions; the queue pair works on")
    void overrun() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        CompletionQueue small = pair.context.createCq(3);
        QueuePair a = pair.pd.createQp(new QpInitAttr(QpType.RC, small, pair.cqA));
        QueuePair b = pair.pd.createQp(LoopbackPair.attr(pair.cqB));
        pair.connect(a, b);
        pair.connect(b, a);
        SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        for (int i = 0; i < 6; i++) {
            a.postSend(wr.wrId(i));
        }
        pair.awaitDone(a);
        assertEquals(3, small.poll(wc));
        assertEquals(List.of(0L, 1L, 2L), IntStream.range(0, 3).mapToObj(wc::wrId).toList());
        assertEquals(QpState.RTS, a.query().qpState());
        a.postSend(wr.wrId(77));
        assertEquals(77, pair.completion(small).checkSuccess().wrId());
    }

    @Test
    @DisplayName("CQ-08 completions outlive their queue pair")
    void completionsOutliveTheirQueuePair() throws Exception {
        write(0, 2);
        pair.awaitDone(pair.a);
        pair.a.close();
        pair.b.close();
        assertEquals(0, pair.completionA().checkSuccess().wrId());
        assertEquals(1, pair.completionA().checkSuccess().wrId());
    }

    @Test
    @DisplayName("CQ-10 arming a queue without a channel is harmless")
    void armingWithoutChannel() throws Exception {
        pair.cqA.reqNotify();
        pair.cqA.reqNotify(true);
        write(0, 1);
        pair.completionA().checkSuccess();
    }

    @Test
    @DisplayName("CQ-05 await ends with a completion, at its timeout, or when interrupted")
    void await() throws Exception {
        assertThrows(TimeoutException.class, () -> pair.cqA.await(wc, Duration.ZERO));
        assertThrows(TimeoutException.class, () -> pair.cqA.await(wc, Duration.ofMillis(-5)));
        assertThrows(TimeoutException.class, () -> pair.cqA.await(wc, Duration.ofMillis(5)));
        write(0, 1);
        assertEquals(1, pair.cqA.await(wc, ChronoUnit.FOREVER.getDuration()));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> pair.cqA.await(wc, LoopbackPair.TIMEOUT));
        assertFalse(Thread.interrupted());
    }

    @Test
    @DisplayName("R a closed queue refuses every call, and may be closed again")
    void closedQueue() {
        pair.cqA.close();
        pair.cqA.close();
        List<Executable> calls =
                List.of(
                        () -> pair.cqA.poll(wc),
                        () -> pair.cqA.poll(wc, 0),
                        () -> pair.cqA.await(wc, LoopbackPair.TIMEOUT),
                        pair.cqA::reqNotify,
                        () -> pair.cqA.reqNotify(true),
                        () -> pair.cqA.resize(8),
                        pair.cqA::cqe,
                        pair.cqA::handle,
                        () -> pair.pd.createQp(LoopbackPair.attr(pair.cqA)));
        for (Executable call : calls) {
            String message = assertThrows(IllegalStateException.class, call).getMessage();
            assertTrue(message.contains("CompletionQueue is closed"), message);
        }
    }
}
