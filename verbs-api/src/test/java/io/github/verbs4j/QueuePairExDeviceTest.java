package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class QueuePairExDeviceTest {

    private static byte[] bytes(MemoryRegion mr, long offset, int length) {
        return mr.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void fill(MemoryRegion mr) {
        for (int i = 0; i < 256; i++) {
            mr.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
        }
    }

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
    @DisplayName("EX-08 sends and writes of one batch arrive, in order and with exact lengths")
    void sendsAndWrites() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrA);
            for (int i = 0; i < 3; i++) {
                pair.b.postRecv(new RecvWr(1).wrId(i).sge(pair.mrB, 1000 + 100 * i, 100));
            }
            pair.a
                    .sendBatch(8)
                    .wrId(10)
                    .sendImm(0xcafe)
                    .setSge(pair.mrA, 0, 10)
                    .wrId(11)
                    .rdmaWriteImm(pair.mrB.remote(), 500, 77)
                    .setSge(pair.mrA, 20, 30)
                    .wrId(12)
                    .rdmaWrite(pair.mrB.remote(), 600)
                    .setSge(pair.mrA, 40, 5)
                    .wrId(13)
                    .send()
                    .setSge(pair.mrA, 50, 7)
                    .complete();
            WcOpcode[] opcodes = {
                WcOpcode.SEND, WcOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE, WcOpcode.SEND
            };
            for (int i = 0; i < 4; i++) {
                pair.succeed(pair.cqA);
                assertEquals(10 + i, pair.wc.wrId(0));
                assertEquals(opcodes[i], pair.wc.opcode(0));
            }
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(10, pair.wc.byteLen(0));
            assertEquals(0xcafe, pair.wc.immData(0));
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, pair.wc.opcode(0));
            assertEquals(30, pair.wc.byteLen(0));
            assertEquals(77, pair.wc.immData(0));
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(7, pair.wc.byteLen(0));
            assertThrows(IllegalStateException.class, () -> pair.wc.immData(0));
            assertArrayEquals(bytes(pair.mrA, 0, 10), bytes(pair.mrB, 1000, 10));
            assertArrayEquals(bytes(pair.mrA, 20, 30), bytes(pair.mrB, 500, 30));
            assertArrayEquals(bytes(pair.mrA, 40, 5), bytes(pair.mrB, 600, 5));
            assertArrayEquals(bytes(pair.mrA, 50, 7), bytes(pair.mrB, 1200, 7));
        }
    }

    @Test
    @DisplayName(
            "EX-08 READ, COMPARE_AND_SWAP and FETCH_AND_ADD of one batch return what was there")
    void readsAndAtomics() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrB);
            MemorySegment remote = pair.mrB.segment();
            remote.set(ValueLayout.JAVA_LONG, 1024, 40);
            pair.a.post(
                    batch ->
                            batch.rdmaRead(pair.mrB.remote(), 10)
                                    .setSge(pair.mrA, 100, 20)
                                    .atomicFetchAdd(pair.mrB.remote(), 1024, 2)
                                    .setSge(pair.mrA, 200, 8)
                                    .atomicCmpSwp(pair.mrB.remote(), 1024, 42, 99)
                                    .setSge(pair.mrA, 208, 8));
            WcOpcode[] opcodes = {WcOpcode.RDMA_READ, WcOpcode.FETCH_ADD, WcOpcode.COMP_SWAP};
            long[] lengths = {20, 8, 8};
            for (int i = 0; i < 3; i++) {
                pair.succeed(pair.cqA);
                assertEquals(opcodes[i], pair.wc.opcode(0));
                assertEquals(lengths[i], pair.wc.byteLen(0));
            }
            assertArrayEquals(bytes(pair.mrB, 10, 20), bytes(pair.mrA, 100, 20));
            assertEquals(40, pair.mrA.segment().get(ValueLayout.JAVA_LONG, 200));
            assertEquals(42, pair.mrA.segment().get(ValueLayout.JAVA_LONG, 208));
            assertEquals(99, remote.get(ValueLayout.JAVA_LONG, 1024));
        }
    }

    @Test
    @DisplayName("EX-08 a window is bound, taken back, bound again and invalidated by the peer")
    void windows() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected();
                MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2)) {
            MwBind bind = new MwBind(pair.mrA, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            SendBatch batch = pair.a.sendBatch(4);
            int rkey = mw.rkey();
            batch.bindMw(mw, bind).localInv(mw).bindMw(mw, bind).complete();
            assertTrue(mw.isBound());
            assertFalse(mw.rkey() == rkey);
            for (WcOpcode opcode :
                    new WcOpcode[] {WcOpcode.BIND_MW, WcOpcode.LOCAL_INV, WcOpcode.BIND_MW}) {
                pair.succeed(pair.cqA);
                assertEquals(opcode, pair.wc.opcode(0));
            }
            fill(pair.mrB);
            RemoteBuffer target = mw.remote(bind);
            SendBatch peer = pair.b.sendBatch(2);
            pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 4096, 64));
            peer.rdmaWrite(target, 64)
                    .setSge(pair.mrB, 0, 8)
                    .sendInv(target.rkey())
                    .setSge(pair.mrB, 8, 4)
                    .complete();
            pair.succeed(pair.cqB);
            pair.succeed(pair.cqB);
            assertArrayEquals(bytes(pair.mrB, 0, 8), bytes(pair.mrA, 64, 8));
            assertTrue(mw.isBound());
            pair.succeed(pair.cqA);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(4, pair.wc.byteLen(0));
            assertEquals(target.rkey(), pair.wc.invalidatedRkey(0));
            if (TestDevice.isRxe(pair.context)) {
                assertEquals(WcFlags.GRH | WcFlags.WITH_INV, pair.wc.wcFlags(0));
            }
            assertFalse(mw.isBound());
            assertThrows(
                    IllegalStateException.class,
                    () -> pair.a.post(again -> again.localInv(mw)),
                    "K-1");
            assertThrows(
                    IllegalStateException.class,
                    () -> pair.b.post(again -> again.sendInv(target.rkey())),
                    "K-2");
        }
    }

    @Test
    @DisplayName("a batch that is not posted leaves windows as they were")
    void windowsOfAFailedBatch() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected();
                MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2)) {
            MwBind bind = new MwBind(pair.mrA, AccessFlag.REMOTE_READ);
            int rkey = mw.rkey();
            SendBatch batch = pair.a.sendBatch(300);
            batch.bindMw(mw, bind);
            while (batch.count() < 300) {
                batch.rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 1);
            }
            assertFalse(batch.tryComplete());
            assertFalse(mw.isBound());
            assertEquals(rkey, mw.rkey());
            batch.abort();
            assertThrows(
                    IllegalStateException.class,
                    () -> batch.bindMw(mw, bind).bindMw(mw, bind).complete());
            assertFalse(mw.isBound());
            assertEquals(rkey, mw.rkey());
            batch.bindMw(mw, bind).complete();
            pair.succeed(pair.cqA);
            int bound = mw.rkey();
            batch.localInv(mw);
            while (batch.count() < 300) {
                batch.rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 1);
            }
            assertFalse(batch.tryComplete());
            assertTrue(mw.isBound());
            assertEquals(bound, mw.rkey());
            batch.abort();
            batch.localInv(mw).complete();
            pair.succeed(pair.cqA);
            assertFalse(mw.isBound());
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
    @DisplayName("EX-10 too much inline data and too many elements are refused at once")
    void tooMuchData() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            int maxInline = pair.a.cap().maxInlineData();
            int maxSge = pair.a.cap().maxSendSge();
            pair.a.post(
                    b -> {
                        b.send().setInlineData(MemorySegment.ofArray(new byte[maxInline]));
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> b.addInlineData(MemorySegment.ofArray(new byte[1])));
                        b.send();
                        for (int i = 0; i < maxSge; i++) {
                            b.addSge(pair.mrA, i, 1);
                        }
                        assertThrows(
                                IllegalArgumentException.class, () -> b.addSge(pair.mrA, 0, 1));
                        assertThrows(
                                IllegalStateException.class,
                                () -> b.addInlineData(MemorySegment.ofArray(new byte[1])));
                        assertThrows(
                                IndexOutOfBoundsException.class,
                                () -> b.setSge(pair.mrA, pair.mrA.length() - 1, 2));
                        b.rdmaRead(pair.mrB.remote(), 0);
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> b.setInlineData(MemorySegment.ofArray(new byte[1])));
                        assertThrows(
                                IllegalArgumentException.class, () -> b.wrFlags(SendFlags.INLINE));
                        b.abort();
                    });
        }
    }

    @Test
    @DisplayName("EX-11 inline data arrives, from the heap and changed after it was set")
    void inlineData() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            byte[] heap = "inline data".getBytes(StandardCharsets.UTF_8);
            byte[] sent = heap.clone();
            pair.a.post(
                    b -> {
                        b.rdmaWrite(pair.mrB.remote(), 0)
                                .setInlineData(MemorySegment.ofArray(heap));
                        Arrays.fill(heap, (byte) 0);
                    });
            pair.succeed(pair.cqA);
            assertArrayEquals(sent, bytes(pair.mrB, 0, sent.length));
            assertEquals(0, pair.mrB.segment().get(ValueLayout.JAVA_BYTE, sent.length));
        }
    }

    @Test
    @DisplayName("EX-12 lists of inline data and of elements arrive with all their bytes")
    void lists() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrA);
            for (int i = 0; i < 4; i++) {
                pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 1024L * i, 1024));
            }
            pair.a.post(
                    b ->
                            b.send()
                                    .addInlineData(MemorySegment.ofArray(new byte[] {1, 2, 3}))
                                    .addInlineData(MemorySegment.ofArray(new byte[] {4}))
                                    .addInlineData(MemorySegment.ofArray(new byte[] {5, 6})));
            pair.a.post(
                    b ->
                            b.wrId(1)
                                    .send()
                                    .addSge(pair.mrA, 0, 4)
                                    .addSge(pair.mrA, 100, 8)
                                    .addSge(pair.mrA, 200, 16)
                                    .wrId(2)
                                    .sendImm(5)
                                    .addInlineData(MemorySegment.ofArray(new byte[] {7, 8})));
            pair.a.post(b -> b.send().addSge(pair.mrA, 0, 16).addSge(pair.mrA, 50, 16));
            long[] lengths = {6, 28, 2, 32};
            for (long length : lengths) {
                pair.succeed(pair.cqA);
                pair.succeed(pair.cqB);
                assertEquals(length, pair.wc.byteLen(0));
            }
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6}, bytes(pair.mrB, 0, 6));
            assertArrayEquals(bytes(pair.mrA, 0, 4), bytes(pair.mrB, 1024, 4));
            assertArrayEquals(bytes(pair.mrA, 100, 8), bytes(pair.mrB, 1028, 8));
            assertArrayEquals(bytes(pair.mrA, 200, 16), bytes(pair.mrB, 1036, 16));
            assertArrayEquals(new byte[] {7, 8}, bytes(pair.mrB, 2048, 2));
            assertArrayEquals(bytes(pair.mrA, 50, 16), bytes(pair.mrB, 3088, 16));
        }
    }

    @Test
    @DisplayName("EX-12 a READ scatters over elements of different lengths")
    void scatter() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrB);
            pair.a.post(
                    b ->
                            b.rdmaRead(pair.mrB.remote(), 0)
                                    .addSge(pair.mrA, 0, 5)
                                    .addSge(pair.mrA, 10, 0)
                                    .addSge(pair.mrA, 20, 7));
            pair.succeed(pair.cqA);
            assertEquals(12, pair.wc.byteLen(0));
            assertArrayEquals(bytes(pair.mrB, 0, 5), bytes(pair.mrA, 0, 5));
            assertArrayEquals(bytes(pair.mrB, 5, 7), bytes(pair.mrA, 20, 7));
        }
    }

    @Test
    @DisplayName("EX-13 empty data, no data and an empty batch are all good")
    void emptyRequests() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            for (int i = 0; i < 3; i++) {
                pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
            }
            pair.a.post(
                    b ->
                            b.send()
                                    .setSge(pair.mrA, 0, 0)
                                    .send()
                                    .send()
                                    .setInlineData(MemorySegment.ofArray(new byte[0])));
            pair.a.post(b -> {});
            for (int i = 0; i < 3; i++) {
                pair.succeed(pair.cqA);
                pair.succeed(pair.cqB);
                assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
                assertEquals(0, pair.wc.byteLen(0));
            }
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
