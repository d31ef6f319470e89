package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class QueuePairExDeviceTest {

    @Test
    @DisplayName("EX-07 operations that the device or the type lacks are refused at creation")
    void unsupportedOperations() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            assumeTrue(TestDevice.isRxe(pair.context));
            UnsupportedVerbException e =
                    assertThrows(
                            UnsupportedVerbException.class,
                            () ->
                                    pair.pd.createQpEx(
                                            new QpInitAttrEx(QpType.RC, pair.cqA)
                                                    .sendOps(SendOp.TSO)));
            assertTrue(e.getMessage().contains("TSO"), e.getMessage());
            assertThrows(
                    UnsupportedVerbException.class,
                    () ->
                            pair.pd.createQpEx(
                                    new QpInitAttrEx(QpType.UD, pair.cqA)
                                            .sendOps(SendOp.RDMA_READ)));
            assertThrows(
                    UnsupportedVerbException.class,
                    () ->
                            pair.pd.createQpEx(
                                    new QpInitAttrEx(QpType.UC, pair.cqA)
                                            .sendOps(SendOp.RDMA_READ)));
        }
    }

    @Test
    @DisplayName("an operation that was not asked for is refused, not called")
    void operationsNotAskedFor() {
        try (ExtendedPair pair = ExtendedPair.connected(cq -> cq, qp -> qp.sendOps(SendOp.SEND))) {
            SendBatch batch = pair.a.sendBatch(4);
            RemoteBuffer target = pair.mrB.remote();
            IllegalStateException e =
                    assertThrows(IllegalStateException.class, () -> batch.rdmaWrite(target, 0));
            assertTrue(e.getMessage().contains("RDMA_WRITE"), e.getMessage());
            assertThrows(IllegalStateException.class, () -> batch.sendImm(1));
            assertThrows(IllegalStateException.class, () -> batch.sendInv(1));
            assertThrows(IllegalStateException.class, () -> batch.rdmaWriteImm(target, 0, 1));
            assertThrows(IllegalStateException.class, () -> batch.rdmaRead(target, 0));
            assertThrows(IllegalStateException.class, () -> batch.atomicCmpSwp(target, 0, 1, 2));
            assertThrows(IllegalStateException.class, () -> batch.atomicFetchAdd(target, 0, 1));
            assertThrows(IllegalStateException.class, () -> batch.atomicWrite(target, 0, 1));
            assertThrows(IllegalStateException.class, () -> batch.flush(target, 0, 8, 1, 0));
            assertEquals(0, batch.count());
            QueuePairEx none = pair.pd.createQpEx(new QpInitAttrEx(QpType.RC, pair.cqA));
            assertThrows(IllegalStateException.class, () -> none.sendBatch(1));
            assertThrows(IllegalStateException.class, () -> none.post(SendBatch::send));
        }
    }

    @Test
    @DisplayName("EX-09 a batch that was aborted, or whose code threw, sends nothing")
    void abort() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            SendBatch batch = pair.a.sendBatch(4);
            batch.wrId(1).rdmaWrite(target, 0).setSge(pair.mrA, 0, 8);
            batch.abort();
            assertEquals(0, batch.count());
            ArithmeticException thrown = new ArithmeticException();
            assertEquals(
                    thrown,
                    assertThrows(
                            ArithmeticException.class,
                            () ->
                                    pair.a.post(
                                            b -> {
                                                b.wrId(2).rdmaWrite(target, 0);
                                                throw thrown;
                                            })));
            batch.wrId(3).rdmaWrite(target, 0).setSge(pair.mrA, 0, 8).complete();
            pair.succeed(pair.cqA);
            assertEquals(3, pair.wc.wrId(0));
            assertEquals(0, pair.cqA.poll(pair.wc));
            pair.a.post(b -> b.wrId(4).rdmaWrite(target, 0).setSge(pair.mrA, 0, 8));
            pair.succeed(pair.cqA);
            assertEquals(4, pair.wc.wrId(0));
        }
    }

    @Test
    @DisplayName(
            "building inside building is refused; the classic post, polling and closing are not")
    void reentrance() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            SendBatch[] leaked = new SendBatch[1];
            SendWr classic = new SendWr(1).wrId(1).write(pair.mrA, 0, 8, target, 0);
            pair.a.post(
                    b -> {
                        leaked[0] = b;
                        assertThrows(
                                IllegalStateException.class,
                                () -> pair.a.post(inner -> inner.send()));
                        assertThrows(IllegalStateException.class, b::complete);
                        pair.a.postSend(classic);
                        pair.cqA.poll(pair.wc, 0);
                        b.wrId(2).rdmaWrite(target, 0).setSge(pair.mrA, 0, 8);
                    });
            pair.succeed(pair.cqA);
            assertEquals(1, pair.wc.wrId(0));
            pair.succeed(pair.cqA);
            assertEquals(2, pair.wc.wrId(0));
            assertThrows(IllegalStateException.class, () -> leaked[0].send());
            leaked[0].wrId(3).wrFlags(0);
            pair.a.post(b -> b.rdmaWrite(target, 0).setSge(pair.mrA, 0, 8));
            pair.succeed(pair.cqA); // signaled
            assertEquals(0, pair.wc.wrId(0));
            IllegalStateException e =
                    assertThrows(
                            IllegalStateException.class,
                            () ->
                                    pair.a.post(
                                            b -> {
                                                b.rdmaWrite(target, 0);
                                                pair.a.close();
                                            }));
            assertTrue(e.getMessage().contains("closed"), e.getMessage());
        }
    }

    @Test
    @DisplayName("EX-10 a batch with more requests than the queue has room for is dropped whole")
    void tooManyRequests() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            SendBatch batch = pair.a.sendBatch(300);
            for (int i = 0; i < 300; i++) {
                batch.rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 8);
            }
            assertThrows(IllegalStateException.class, batch::send);
            assertFalse(batch.tryComplete());
            assertEquals(300, batch.count());
            PostException e = assertThrows(PostException.class, batch::complete);
            assertEquals(0, e.index());
            assertEquals(0, batch.count());
            batch.wrId(9).rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 8).complete();
            pair.succeed(pair.cqA);
            assertEquals(9, pair.wc.wrId(0));
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("EX-14 PO-02 a batch is refused in RESET, and nothing of it is sent later")
    void refusedInReset() throws Exception {
        try (ExtendedPair pair = new ExtendedPair(cq -> cq, qp -> qp)) {
            SendBatch batch = pair.a.sendBatch(2);
            batch.wrId(1).rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 8);
            assertThrows(IllegalStateException.class, batch::tryComplete);
            assertThrows(IllegalStateException.class, batch::complete);
            pair.base.connect(pair.a, pair.b);
            pair.base.connect(pair.b, pair.a);
            batch.wrId(2).rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 8).complete();
            pair.succeed(pair.cqA);
            assertEquals(2, pair.wc.wrId(0));
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("a READ or atomic without max_rd_atomic is refused; it would never complete")
    void noReadsWithoutDepth() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            pair.a.modify(new QpAttr().qpState(QpState.RESET));
            pair.base.connect(pair.a, pair.b);
            SendBatch batch = pair.a.sendBatch(1);
            pair.a.modify(new QpAttr().qpState(QpState.RESET));
            pair.a.modify(QpAttr.init(pair.base.gid.port()));
            pair.a.modify(
                    QpAttr.rtr(
                            pair.base.gid,
                            pair.a.localAddress(pair.base.gid),
                            pair.b.localAddress(pair.base.gid)));
            pair.a.modify(QpAttr.rts(pair.a.localAddress(pair.base.gid).psn()).maxRdAtomic(0));
            batch.rdmaRead(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 8);
            assertThrows(IllegalStateException.class, batch::complete);
        }
    }

    @Test
    @DisplayName("what is set before a request was begun, or does not fit it, is refused")
    void misuse() {
        try (ExtendedPair pair = ExtendedPair.connected();
                MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2)) {
            SendBatch batch = pair.a.sendBatch(2);
            assertThrows(IllegalStateException.class, () -> batch.setSge(pair.mrA, 0, 8));
            assertThrows(
                    IllegalStateException.class,
                    () -> batch.setInlineData(MemorySegment.ofArray(new byte[1])));
            batch.send();
            assertThrows(IllegalStateException.class, () -> batch.setXrcSrqn(1));
            assertThrows(IllegalStateException.class, () -> batch.setUdAddr(null, 1, 1));
            batch.localInv(mw);
            assertThrows(IllegalStateException.class, () -> batch.setSge(pair.mrA, 0, 8));
            batch.abort();
            batch.atomicFetchAdd(pair.mrB.remote(), 0, 1).setSge(pair.mrA, 0, 4);
            assertThrows(IllegalStateException.class, batch::complete);
            pair.a.close();
            batch.send();
            assertThrows(IllegalStateException.class, batch::complete);
        }
    }

    @Test
    @DisplayName("TH-01 threads that post batches on one queue pair do not disturb each other")
    void threads() throws Exception {
        int each = 600;
        try (ExtendedPair pair = ExtendedPair.connected();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            // rxe frees the send queue before the completions are polled.
            Semaphore room = new Semaphore(64);
            Future<?>[] posters = new Future<?>[3];
            for (int t = 0; t < 3; t++) {
                long base = t * 1_000_000L;
                boolean lent = t == 2;
                posters[t] =
                        threads.submit(
                                () -> {
                                    SendBatch batch = pair.a.sendBatch(2);
                                    for (int i = 0; i < each; i += 2) {
                                        long id = base + i;
                                        room.acquireUninterruptibly(2);
                                        if (lent) {
                                            while (!postLent(pair, id)) {
                                                Thread.yield();
                                            }
                                            continue;
                                        }
                                        two(pair, batch, id);
                                        while (!batch.tryComplete()) {
                                            Thread.yield();
                                        }
                                    }
                                });
            }
            long[] next = {0, 1_000_000, 2_000_000};
            for (int i = 0; i < 3 * each; i++) {
                pair.succeed(pair.cqA);
                int poster = (int) (pair.wc.wrId(0) / 1_000_000);
                assertEquals(next[poster]++, pair.wc.wrId(0));
                room.release();
            }
            for (Future<?> poster : posters) {
                poster.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            }
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    private static SendBatch two(ExtendedPair pair, SendBatch batch, long id) {
        return batch.wrId(id)
                .rdmaWrite(pair.mrB.remote(), 0)
                .setSge(pair.mrA, 0, 8)
                .wrId(id + 1)
                .rdmaWrite(pair.mrB.remote(), 8)
                .setSge(pair.mrA, 0, 8);
    }

    private static boolean postLent(ExtendedPair pair, long id) {
        try {
            pair.a.post(batch -> two(pair, batch, id));
            return true;
        } catch (PostException e) {
            return false;
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("EX-07 Soft-iWARP has no extended queue pairs")
    void siwHasNone() {
        try (Context context = TestDevice.get(TestDevice.Kind.SIW).open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            UnsupportedVerbException e =
                    assertThrows(
                            UnsupportedVerbException.class,
                            () ->
                                    pd.createQpEx(
                                            new QpInitAttrEx(QpType.RC, cq).sendOps(SendOp.SEND)));
            assertEquals("ibv_create_qp_ex", e.verb());
        }
    }
}
