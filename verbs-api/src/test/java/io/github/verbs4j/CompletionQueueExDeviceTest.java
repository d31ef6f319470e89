package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.ModerateCq;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RequiresDevice
class CompletionQueueExDeviceTest {

    @Test
    @DisplayName("EX-01 a queue with the standard fields reports them")
    void standardFields() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            assertEquals(WcExFlag.standard(), new CqInitAttrEx(1).wcFlags());
            pair.b.postRecv(new RecvWr(1).wrId(7).sge(pair.mrB, 0, 100));
            pair.a.postSend(new SendWr(1).wrId(8).sendWithImm(pair.mrA, 0, 10, 0x01020304));
            pair.succeed(pair.cqA);
            assertEquals(8, pair.wc.wrId(0));
            assertEquals(WcOpcode.SEND, pair.wc.opcode(0));
            pair.succeed(pair.cqB);
            assertEquals(7, pair.wc.wrId(0));
            assertEquals(WcStatus.SUCCESS, pair.wc.status(0));
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(10, pair.wc.byteLen(0));
            assertEquals(0x01020304, pair.wc.immData(0));
            assertEquals(pair.b.qpNum(), pair.wc.qpNum(0));
            assertEquals(0, pair.wc.vendorErr(0));
            assertEquals(0, pair.wc.slid(0));
            assertEquals(0, pair.wc.sl(0));
            assertEquals(0, pair.wc.dlidPathBits(0));
            if (TestDevice.isRxe(pair.context)) {
                assertEquals(WcFlags.GRH | WcFlags.WITH_IMM, pair.wc.wcFlags(0));
            }
        }
    }

    @Test
    @DisplayName("EX-01 a field that was not asked for is refused, not read")
    void fieldsNotAskedForAreRefused() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected(cq -> cq.wcFlags(Set.of()), qp -> qp)) {
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
            pair.a.postSend(new SendWr(1).wrId(3).send(pair.mrA, 0, 10));
            pair.succeed(pair.cqA);
            WcArrayEx wc = pair.wc;
            assertEquals(3, wc.wrId(0));
            assertEquals(WcOpcode.SEND, wc.opcode(0));
            IllegalStateException e =
                    assertThrows(IllegalStateException.class, () -> wc.byteLen(0));
            assertTrue(e.getMessage().contains("BYTE_LEN"), e.getMessage());
            assertThrows(IllegalStateException.class, () -> wc.srcQp(0));
            assertThrows(IllegalStateException.class, () -> wc.slid(0));
            assertThrows(IllegalStateException.class, () -> wc.sl(0));
            assertThrows(IllegalStateException.class, () -> wc.dlidPathBits(0));
            assertThrows(IllegalStateException.class, () -> wc.completionTs(0));
            assertThrows(IllegalStateException.class, () -> wc.completionWallclockNs(0));
            assertThrows(IllegalStateException.class, () -> wc.cvlan(0));
            assertThrows(IllegalStateException.class, () -> wc.flowTag(0));
            assertThrows(IllegalStateException.class, () -> wc.tmTag(0));
            assertThrows(IllegalStateException.class, () -> wc.tmPriv(0));
            assertThrows(IllegalStateException.class, () -> wc.immData(0));
            assertThrows(IndexOutOfBoundsException.class, () -> wc.wrId(1));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WcExFlag.class,
            names = {"COMPLETION_TIMESTAMP", "COMPLETION_TIMESTAMP_WALLCLOCK", "CVLAN", "FLOW_TAG"})
    @DisplayName("EX-01 fields that Soft-RoCE lacks are named when it refuses them")
    void unsupportedFieldsAreNamed(WcExFlag field) {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            assumeTrue(TestDevice.isRxe(context));
            CqInitAttrEx attr = new CqInitAttrEx(16).wcFlags(field);
            UnsupportedVerbException e =
                    assertThrows(UnsupportedVerbException.class, () -> context.createCqEx(attr));
            assertEquals(Errno.EOPNOTSUPP, e.errno());
            assertTrue(e.getMessage().contains(field.name()), e.getMessage());
        }
    }

    @Test
    @DisplayName("EX-01 Soft-RoCE takes the option single threaded, and no ignored overruns")
    void options() {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            assumeTrue(TestDevice.isRxe(context));
            context.createCqEx(new CqInitAttrEx(16).singleThreaded(true)).close();
            assertThrows(
                    UnsupportedVerbException.class,
                    () -> context.createCqEx(new CqInitAttrEx(16).ignoreOverrun(true)));
        }
    }

    @Test
    @DisplayName("EX-03 polling an empty queue gives nothing, as often as it is done")
    void emptyQueue() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            for (int i = 0; i < 1000; i++) {
                assertEquals(0, pair.cqA.poll(pair.wc));
            }
            assertEquals(0, pair.cqA.poll(pair.wc, 0));
            assertThrows(IllegalArgumentException.class, () -> pair.cqA.poll(pair.wc, 17));
            assertThrows(IllegalArgumentException.class, () -> pair.cqA.poll(pair.wc, -1));
        }
    }

    @Test
    @DisplayName("EX-04 EX-05 every completion comes once and in order, then the queue is empty")
    void batchesAreExact() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            long next = 0;
            for (int round = 0; round < 40; round++) {
                int posted = 1 + round % 10;
                SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
                for (int i = 0; i < posted; i++) {
                    pair.a.postSend(wr.wrId(next + i));
                }
                int got = 0;
                while (got < posted) {
                    int n = pair.cqA.await(pair.wc, TIMEOUT);
                    for (int i = 0; i < n; i++) {
                        pair.wc.checkSuccess(i);
                        assertEquals(next + got + i, pair.wc.wrId(i));
                    }
                    got += n;
                }
                next += posted;
                assertEquals(posted, got);
                assertEquals(0, pair.cqA.poll(pair.wc));
            }
        }
    }

    @Test
    @DisplayName("EX-06 the classic poll works on the same queue")
    void classicPoll() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
            WcArray classic = new WcArray(4);
            for (int i = 0; i < 100; i++) {
                pair.a.postSend(wr.wrId(i));
                if (i % 2 == 0) {
                    assertEquals(1, pair.cqA.await(classic, TIMEOUT));
                    assertEquals(i, classic.wrId(0));
                } else {
                    pair.succeed(pair.cqA);
                    assertEquals(i, pair.wc.wrId(0));
                }
            }
            assertEquals(0, pair.cqA.poll(classic));
        }
    }

    @Test
    @DisplayName("a failed request has status, wr_id, qp_num and vendor_err, and nothing else")
    void failedRequest() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected(cq -> cq.wcFlags(Set.of()), qp -> qp)) {
            pair.a.postSend(
                    new SendWr(1)
                            .wrId(5)
                            .send(pair.mrA, 0, 8)
                            .opcode(io.github.verbs4j.types.WrOpcode.RDMA_WRITE)
                            .remote(pair.mrB.address(), 0x12345));
            pair.await(pair.cqA);
            WcArrayEx wc = pair.wc;
            assertEquals(WcStatus.REM_ACCESS_ERR, wc.status(0));
            assertFalse(wc.isSuccess(0));
            assertEquals(5, wc.wrId(0));
            assertEquals(pair.a.qpNum(), wc.qpNum(0));
            assertThrows(IllegalStateException.class, () -> wc.opcode(0));
            assertThrows(IllegalStateException.class, () -> wc.wcFlags(0));
            assertThrows(IllegalStateException.class, () -> wc.byteLen(0));
            WorkCompletionException e =
                    assertThrows(WorkCompletionException.class, () -> wc.checkSuccess(0));
            assertEquals(pair.a.qpNum(), e.qpNum());
        }
    }

    @Test
    @DisplayName("TH-02 threads that poll in both ways get each completion once")
    void threadsShareTheQueue() throws Exception {
        int total = 1500;
        try (ExtendedPair pair = ExtendedPair.connected(cq -> cq.singleThreaded(true), qp -> qp);
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            AtomicInteger count = new AtomicInteger();
            Runnable extended =
                    () -> {
                        WcArrayEx wc = new WcArrayEx(4);
                        while (count.get() < total) {
                            int n = pair.cqA.poll(wc);
                            for (int i = 0; i < n; i++) {
                                wc.checkSuccess(i);
                                seen.add(wc.wrId(i));
                            }
                            count.addAndGet(n);
                            Thread.yield();
                        }
                    };
            Runnable classic =
                    () -> {
                        WcArray wc = new WcArray(4);
                        while (count.get() < total) {
                            int n = pair.cqA.poll(wc);
                            for (int i = 0; i < n; i++) {
                                wc.checkSuccess(i);
                                seen.add(wc.wrId(i));
                            }
                            count.addAndGet(n);
                            Thread.yield();
                        }
                    };
            Future<?> one = threads.submit(extended);
            Future<?> two = threads.submit(extended);
            Future<?> three = threads.submit(classic);
            SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
            for (int i = 0; i < total; i++) {
                wr.wrId(i);
                while (i - count.get() > 40 || !pair.a.tryPostSend(wr)) {
                    Thread.yield();
                }
            }
            for (Future<?> each : new Future<?>[] {one, two, three}) {
                each.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            }
            assertEquals(total, count.get());
            assertEquals(total, seen.size());
        }
    }

    @Test
    @DisplayName("TH-06 closing the queue under its pollers is an exception there, not a crash")
    void closeUnderPollers() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
                    ExecutorService threads = Executors.newFixedThreadPool(2)) {
                CompletionQueueEx cq = context.createCqEx(new CqInitAttrEx(16));
                CountDownLatch polling = new CountDownLatch(2);
                Runnable poller =
                        () -> {
                            WcArrayEx wc = new WcArrayEx(1);
                            polling.countDown();
                            while (true) {
                                cq.poll(wc);
                            }
                        };
                Future<?> one = threads.submit(poller);
                Future<?> two = threads.submit(poller);
                assertTrue(polling.await(20, TimeUnit.SECONDS));
                cq.close();
                for (Future<?> each : new Future<?>[] {one, two}) {
                    Throwable e =
                            assertThrows(
                                    java.util.concurrent.ExecutionException.class,
                                    () -> each.get(20, TimeUnit.SECONDS));
                    assertEquals(IllegalStateException.class, e.getCause().getClass());
                }
            }
        }
    }

    @Test
    @DisplayName("completions of an extended queue are announced on its channel")
    void channel() throws Exception {
        try (LoopbackPair base = LoopbackPair.connected();
                CompletionChannel channel = base.context.createCompChannel();
                CompletionQueueEx cq =
                        base.context.createCqEx(new CqInitAttrEx(16).channel(channel))) {
            QueuePair qp = base.pd.createQp(LoopbackPair.attr(cq));
            base.connect(qp, qp);
            cq.reqNotify();
            qp.postSend(new SendWr(1).write(base.mrA, 0, 8, base.mrB.remote(), 0));
            assertEquals(cq, channel.getCqEvent(TIMEOUT));
            WcArrayEx wc = new WcArrayEx(1);
            assertEquals(1, cq.await(wc, TIMEOUT));
            wc.checkSuccess(0);
            assertThrows(TimeoutException.class, () -> cq.await(wc, Duration.ofMillis(20)));
        }
    }

    @Test
    @DisplayName("DEV-14 Soft-RoCE has no moderation of events")
    void moderation() {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            assumeTrue(TestDevice.isRxe(pair.context));
            VerbsException e =
                    assertThrows(
                            UnsupportedVerbException.class,
                            () -> pair.cqA.modify(new ModerateCq(16, 10)));
            assertEquals("ibv_modify_cq", e.verb());
            assertThrows(IllegalArgumentException.class, () -> new ModerateCq(65536, 0));
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("EX-01 Soft-iWARP has no extended queues")
    void siwHasNone() {
        try (Context context = TestDevice.get(TestDevice.Kind.SIW).open()) {
            UnsupportedVerbException e =
                    assertThrows(
                            UnsupportedVerbException.class,
                            () -> context.createCqEx(new CqInitAttrEx(16)));
            assertEquals("ibv_create_cq_ex", e.verb());
        }
    }
}
