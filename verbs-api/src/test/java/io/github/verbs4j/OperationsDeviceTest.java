package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.SendFlags.FENCE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.SendFlags.SOLICITED;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation of RC and UC, with what its completions say on both sides. */
@RequiresDevice
class OperationsDeviceTest {

    private static final Duration QUIET = Duration.ofMillis(100);
    private static final int MI = 1 << 20;

    private LoopbackPair pair;
    private boolean rxe;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
        rxe = TestDevice.isRxe(pair.context);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static void fill(MemorySegment segment, int seed) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8) + seed));
        }
    }

    private static void assertSame(MemorySegment expected, MemorySegment actual) {
        assertEquals(-1, expected.mismatch(actual), "first byte that differs");
    }

    private RecvWr recv(long id) {
        return new RecvWr(1).wrId(id).sge(pair.mrB, 0, 4096);
    }

    @Test
    @DisplayName("OP-01 SEND arrives with its length and bytes")
    void send() throws Exception {
        pair.mrA.segment().setString(0, "some text");
        pair.b.postRecv(new RecvWr(1).wrId(7).sge(pair.mrB, 100, 100));
        pair.a.postSend(new SendWr(1).wrId(8).send(pair.mrA, 0, 10));
        WorkCompletion sent = pair.completionA().checkSuccess();
        WorkCompletion received = pair.completionB().checkSuccess();
        assertEquals(8, sent.wrId());
        assertEquals(WcOpcode.SEND, sent.opcode());
        assertEquals(pair.a.qpNum(), sent.qpNum());
        assertEquals(7, received.wrId());
        assertEquals(WcOpcode.RECV, received.opcode());
        assertEquals(10, received.byteLen());
        assertEquals(pair.b.qpNum(), received.qpNum());
        assertEquals(0, received.wcFlags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV));
        assertEquals("some text", pair.mrB.segment().getString(100));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x01020304, -1, Integer.MIN_VALUE})
    @DisplayName("OP-02 SEND_WITH_IMM delivers its 32 bits in host order")
    void sendWithImm(int imm) throws Exception {
        pair.b.postRecv(recv(1));
        pair.a.postSend(new SendWr(1).sendWithImm(pair.mrA, 0, 10, imm));
        assertEquals(WcOpcode.SEND, pair.completionA().checkSuccess().opcode());
        WcArray wc = new WcArray(1);
        pair.cqB.await(wc, LoopbackPair.TIMEOUT);
        assertEquals(WcOpcode.RECV, wc.opcode(0));
        assertEquals(WcFlags.WITH_IMM, wc.wcFlags(0) & WcFlags.WITH_IMM);
        assertEquals(imm, wc.immData(0));
        assertEquals(imm, wc.get(0).immData());
        assertEquals(10, wc.byteLen(0));
    }

    @Test
    @DisplayName("OP-02 immediate data that is not there cannot be read")
    void noImm() throws Exception {
        pair.b.postRecv(recv(1));
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 10));
        WcArray wc = new WcArray(1);
        pair.cqB.await(wc, LoopbackPair.TIMEOUT);
        assertThrows(IllegalStateException.class, () -> wc.immData(0));
        assertThrows(IllegalStateException.class, () -> wc.invalidatedRkey(0));
        assertThrows(IndexOutOfBoundsException.class, () -> wc.opcode(1));
    }

    @Test
    @DisplayName("OP-03 RDMA_WRITE changes the peer's memory, and the peer is not told")
    void write() throws Exception {
        fill(pair.mrA.segment(), 1);
        pair.a.postSend(new SendWr(1).write(pair.mrA, 10, 5000, pair.mrB.remote(), 20));
        assertEquals(WcOpcode.RDMA_WRITE, pair.completionA().checkSuccess().opcode());
        assertSame(pair.mrA.segment().asSlice(10, 5000), pair.mrB.segment().asSlice(20, 5000));
        assertEquals(0, pair.mrB.segment().get(JAVA_BYTE, 19));
        assertEquals(0, pair.mrB.segment().get(JAVA_BYTE, 5020));
        assertTrue(pair.staysEmpty(pair.cqB, QUIET));
    }

    @Test
    @DisplayName("OP-04 RDMA_WRITE_WITH_IMM takes a receive without room and tells the length")
    void writeWithImm() throws Exception {
        fill(pair.mrA.segment(), 2);
        pair.b.postRecv(new RecvWr(0).wrId(3));
        pair.a.postSend(
                new SendWr(1).writeWithImm(pair.mrA, 0, 5000, pair.mrB.remote(), 0, 0xcafe));
        assertEquals(WcOpcode.RDMA_WRITE, pair.completionA().checkSuccess().opcode());
        WorkCompletion told = pair.completionB().checkSuccess();
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, told.opcode());
        assertEquals(3, told.wrId());
        assertEquals(5000, told.byteLen());
        assertEquals(0xcafe, told.immData());
        assertSame(pair.mrA.segment().asSlice(0, 5000), pair.mrB.segment().asSlice(0, 5000));
    }

    @Test
    @DisplayName("RDMA_READ brings the peer's bytes, and tells how many")
    void read() throws Exception {
        fill(pair.mrB.segment(), 3);
        pair.a.postSend(new SendWr(1).read(pair.mrA, 1, 9000, pair.mrB.remote(), 7));
        WorkCompletion wc = pair.completionA().checkSuccess();
        assertEquals(WcOpcode.RDMA_READ, wc.opcode());
        assertEquals(9000, wc.byteLen());
        assertSame(pair.mrB.segment().asSlice(7, 9000), pair.mrA.segment().asSlice(1, 9000));
    }

    @Test
    @DisplayName(
            "OP-06 compare and swap swaps what is equal, leaves the rest, returns the old value")
    void compareSwap() throws Exception {
        pair.mrB.segment().set(JAVA_LONG, 8, 0x1122334455667788L);
        SendWr wr =
                new SendWr(1)
                        .compareSwap(pair.mrA, 16, pair.mrB.remote(), 8, 0x1122334455667788L, -5);
        pair.a.postSend(wr);
        WorkCompletion wc = pair.completionA().checkSuccess();
        assertEquals(WcOpcode.COMP_SWAP, wc.opcode());
        assertEquals(8, wc.byteLen());
        assertEquals(-5, pair.mrB.segment().get(JAVA_LONG, 8));
        assertEquals(0x1122334455667788L, pair.mrA.segment().get(JAVA_LONG, 16));
        pair.a.postSend(wr.compareAdd(6).swap(7));
        pair.completionA().checkSuccess();
        assertEquals(-5, pair.mrB.segment().get(JAVA_LONG, 8));
        assertEquals(-5, pair.mrA.segment().get(JAVA_LONG, 16));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    @DisplayName("OP-07 fetch and add adds 64 bits, wrapping, and returns the old value")
    void fetchAdd(long add) throws Exception {
        pair.mrB.segment().set(JAVA_LONG, 0, 40);
        pair.a.postSend(new SendWr(1).fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, add));
        WorkCompletion wc = pair.completionA().checkSuccess();
        assertEquals(WcOpcode.FETCH_ADD, wc.opcode());
        assertEquals(8, wc.byteLen());
        assertEquals(40 + add, pair.mrB.segment().get(JAVA_LONG, 0));
        assertEquals(40, pair.mrA.segment().get(JAVA_LONG, 0));
    }

    @Test
    @DisplayName("OP-07 adds of both sides at once are all counted")
    void concurrentAdds() throws Exception {
        MemoryRegion counter = pair.pd.allocateMr(4096, LoopbackPair.ALL);
        SendWr ofA = new SendWr(1).fetchAdd(pair.mrA, 0, counter.remote(), 64, 1);
        SendWr ofB = new SendWr(1).fetchAdd(pair.mrB, 0, counter.remote(), 64, 1);
        for (int i = 0; i < 100; i++) {
            pair.a.postSend(ofA);
            pair.b.postSend(ofB);
            pair.completionA().checkSuccess();
            pair.completionB().checkSuccess();
        }
        assertEquals(200, counter.segment().get(JAVA_LONG, 64));
    }

    @Test
    @DisplayName("OP-08 an atomic's result may be split over elements")
    void splitResult() throws Exception {
        pair.mrB.segment().set(JAVA_LONG, 0, 0x1122334455667788L);
        pair.a.postSend(
                new SendWr(2)
                        .fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 0)
                        .sge(0, pair.mrA, 0, 4)
                        .sge(1, pair.mrA, 100, 4));
        pair.completionA().checkSuccess();
        MemorySegment segment = pair.mrA.segment();
        MemorySegment joined = MemorySegment.ofArray(new byte[8]);
        MemorySegment.copy(segment, 0, joined, 0, 4);
        MemorySegment.copy(segment, 100, joined, 4, 4);
        assertSame(pair.mrB.segment().asSlice(0, 8), joined);
    }

    @Test
    @DisplayName(
            "OP-08 an atomic that is not aligned, or too small, fails at once or by completion")
    void wrongAtomics() throws Exception {
        SendWr unaligned =
                new SendWr(1)
                        .fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1)
                        .remote(pair.mrB.address() + 4, pair.mrB.rkey());
        SendWr small =
                new SendWr(1).fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1).sge(pair.mrA, 0, 4);
        for (SendWr wr : new SendWr[] {unaligned, small}) {
            try {
                pair.a.postSend(wr);
                assertFalse(rxe, "rxe refuses it when it is posted");
                assertFalse(pair.completionA().isSuccess());
                return;
            } catch (PostException e) {
                assertEquals(Errno.EINVAL, e.errno());
                assertEquals(0, e.index());
            }
        }
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("OP-09 SEND_WITH_INV delivers data and takes the window back")
    void sendWithInv() throws Exception {
        MemoryWindow window = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(window, new MwBind(pair.mrB, REMOTE_WRITE)));
        pair.completionB().checkSuccess();
        pair.b.postRecv(recv(1));
        pair.a.postSend(new SendWr(1).sendWithInv(pair.mrA, 0, 24, window.rkey()));
        assertEquals(WcOpcode.SEND, pair.completionA().checkSuccess().opcode());
        WcArray wc = new WcArray(1);
        pair.cqB.await(wc, LoopbackPair.TIMEOUT);
        assertTrue(wc.isInvalidated(0));
        assertEquals(window.rkey(), wc.invalidatedRkey(0));
        assertEquals(24, wc.byteLen(0));
        assertFalse(window.isBound());
    }

    @Test
    @DisplayName("OP-11 UC: SEND, WRITE and WRITE_WITH_IMM arrive")
    void unreliable() throws Exception {
        QueuePair a = uc(pair.cqA);
        QueuePair b = uc(pair.cqB);
        a.connect(pair.gid, b.localAddress(pair.gid), REMOTE_WRITE);
        b.connect(pair.gid, a.localAddress(pair.gid), REMOTE_WRITE);
        fill(pair.mrA.segment(), 4);
        b.postRecv(recv(1));
        a.postSend(new SendWr(1).send(pair.mrA, 0, 3000));
        assertEquals(WcOpcode.SEND, pair.completionA().checkSuccess().opcode());
        assertEquals(3000, pair.completionB().checkSuccess().byteLen());
        assertSame(pair.mrA.segment().asSlice(0, 3000), pair.mrB.segment().asSlice(0, 3000));
        b.postRecv(new RecvWr(0));
        a.postSend(new SendWr(1).write(pair.mrA, 0, 3000, pair.mrB.remote(), 10000));
        a.postSend(new SendWr(1).writeWithImm(pair.mrA, 0, 10, pair.mrB.remote(), 20000, 5));
        pair.completionA().checkSuccess();
        pair.completionA().checkSuccess();
        assertEquals(5, pair.completionB().checkSuccess().immData());
        assertSame(pair.mrA.segment().asSlice(0, 3000), pair.mrB.segment().asSlice(10000, 3000));
    }

    private QueuePair uc(CompletionQueue cq) {
        return pair.pd.createQp(new QpInitAttr(QpType.UC, cq));
    }

    @Test
    @DisplayName(
            "OP-11 UC: a SEND without a receive and a WRITE with a wrong rkey are lost in silence")
    void unreliableLosses() throws Exception {
        QueuePair a = uc(pair.cqA);
        QueuePair b = uc(pair.cqB);
        a.connect(pair.gid, b.localAddress(pair.gid), REMOTE_WRITE);
        b.connect(pair.gid, a.localAddress(pair.gid), REMOTE_WRITE);
        a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
        pair.completionA().checkSuccess();
        a.postSend(
                new SendWr(1)
                        .write(pair.mrA, 0, 8, pair.mrB.remote(), 0)
                        .remote(pair.mrB.address(), 0));
        pair.completionA().checkSuccess();
        assertTrue(pair.staysEmpty(pair.cqB, QUIET));
    }

    @Test
    @DisplayName("OP-11 UC: READ and atomics are refused, as they could never complete")
    void unreliableReads() {
        QueuePair a = uc(pair.cqA);
        QueuePair b = uc(pair.cqB);
        a.connect(pair.gid, b.localAddress(pair.gid));
        SendWr read = new SendWr(1).read(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        assertThrows(IllegalStateException.class, () -> a.postSend(read));
        SendWr add = new SendWr(1).fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1);
        assertThrows(IllegalStateException.class, () -> a.postSend(add));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mtu.class,
            names = {"UNRECOGNIZED"},
            mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("OP-12 10000 bytes arrive exactly at every path MTU")
    void everyMtu(Mtu mtu) throws Exception {
        try (LoopbackPair other = new LoopbackPair(attr -> attr)) {
            assumeTrue(
                    mtu.compareTo(other.context.queryPort(1).activeMtu()) <= 0,
                    "the port's MTU is smaller");
            other.connect(other.a, other.b, attr -> attr.pathMtu(mtu));
            other.connect(other.b, other.a, attr -> attr.pathMtu(mtu));
            fill(other.mrA.segment(), mtu.ordinal());
            other.b.postRecv(new RecvWr(1).sge(other.mrB, 0, 10000));
            other.a.postSend(new SendWr(1).send(other.mrA, 0, 10000));
            other.completionA().checkSuccess();
            assertEquals(10000, other.completionB().checkSuccess().byteLen());
            assertSame(
                    other.mrA.segment().asSlice(0, 10000), other.mrB.segment().asSlice(0, 10000));
        }
    }

    @Test
    @DisplayName("OP-12 DEV-09 a WRITE and a READ of 8 MiB and 5 bytes are exact")
    void large() throws Exception {
        long length = 8 * MI + 5;
        MemoryRegion from = pair.pd.allocateMr(length, LOCAL_WRITE, REMOTE_READ);
        MemoryRegion to = pair.pd.allocateMr(length, LOCAL_WRITE, REMOTE_WRITE);
        for (long i = 0; i + 8 <= length; i += 8) {
            from.segment().set(JAVA_LONG, i, i * 0x9e3779b97f4a7c15L);
        }
        from.segment().set(JAVA_BYTE, length - 1, (byte) 77);
        pair.a.postSend(new SendWr(1).write(from, 0, length, to.remote(), 0));
        pair.completionA().checkSuccess();
        assertSame(from.segment(), to.segment());
        to.segment().fill((byte) 0);
        pair.a.postSend(new SendWr(1).read(to, 0, length, from.remote(), 0));
        assertEquals(length, pair.completionA().checkSuccess().byteLen());
        assertSame(from.segment(), to.segment());
    }

    @Test
    @DisplayName("OP-13 a queue pair connected to itself talks to itself")
    void itself() throws Exception {
        QueuePair self = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
        pair.connect(self, self);
        pair.mrA.segment().setString(0, "echo");
        self.postRecv(new RecvWr(1).wrId(1).sge(pair.mrA, 100, 100));
        self.postSend(new SendWr(1).wrId(2).send(pair.mrA, 0, 5));
        long ids = 0;
        for (WorkCompletion wc : pair.completions(pair.cqA, 2)) {
            ids |= wc.checkSuccess().wrId();
        }
        assertEquals(3, ids);
        assertEquals("echo", pair.mrA.segment().getString(100));
    }

    @Test
    @DisplayName("OP-13 GID index 0, the link-local one, serves as well")
    void firstGid() throws Exception {
        GidEntry first = pair.context.queryGid(1, 0);
        QueuePair a = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
        QueuePair b = pair.pd.createQp(LoopbackPair.attr(pair.cqB));
        a.connect(first, b.localAddress(first));
        b.connect(first, a.localAddress(first));
        b.postRecv(recv(1));
        a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
        pair.completionA().checkSuccess();
        assertEquals(8, pair.completionB().checkSuccess().byteLen());
    }

    @Test
    @DisplayName("OP-14 200 messages there and back keep their order")
    void pingPong() throws Exception {
        SendWr ping = new SendWr(1);
        for (int i = 0; i < 200; i++) {
            pair.mrA.segment().set(JAVA_LONG, 0, i);
            pair.b.postRecv(new RecvWr(1).wrId(i).sge(pair.mrB, 0, 8));
            pair.a.postRecv(new RecvWr(1).wrId(i).sge(pair.mrA, 8, 8));
            pair.a.postSend(ping.send(pair.mrA, 0, 8).sendFlags(0));
            assertEquals(i, pair.completionB().checkSuccess().wrId());
            pair.b.postSend(ping.send(pair.mrB, 0, 8).sendFlags(0));
            assertEquals(i, pair.completionA().checkSuccess().wrId());
            assertEquals(i, pair.mrA.segment().get(JAVA_LONG, 8));
        }
    }

    @Test
    @DisplayName("OP-14 unsignaled requests, every eighth signaled, run without end in 16 slots")
    void unsignaledBatches() throws Exception {
        SendWr wr = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        for (int i = 1; i <= 400; i++) {
            pair.a.postSend(wr.wrId(i).sendFlags(i % 8 == 0 ? SIGNALED : 0));
            if (i % 8 == 0) {
                assertEquals(i, pair.completionA().checkSuccess().wrId());
            }
        }
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("SG-07 of four unsignaled requests and a signaled one, only that one completes")
    void unsignaled() throws Exception {
        SendWrArray chain = new SendWrArray(5, 1);
        for (int i = 0; i < 5; i++) {
            chain.get(i).wrId(i).write(pair.mrA, 0, 8, pair.mrB.remote(), i * 8L);
            chain.get(i).sendFlags(i == 4 ? SIGNALED : 0);
        }
        pair.a.postSend(chain);
        assertEquals(4, pair.completionA().checkSuccess().wrId());
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("SG-07 with sq_sig_all every request completes, signaled or not")
    void allSignaled() throws Exception {
        try (LoopbackPair all = LoopbackPair.connected(attr -> attr.sqSigAll(true))) {
            for (int i = 0; i < 3; i++) {
                all.a.postSend(
                        new SendWr(1)
                                .wrId(i)
                                .write(all.mrA, 0, 8, all.mrB.remote(), 0)
                                .sendFlags(0));
                assertEquals(i, all.completionA().checkSuccess().wrId());
            }
        }
    }

    @Test
    @DisplayName("SG-07 CQ-12 only a SOLICITED message wakes a peer that waits for such")
    void solicited() throws Exception {
        try (CompletionChannel channel = pair.context.createCompChannel()) {
            CompletionQueue cq = pair.context.createCq(new CqInitAttr(16).channel(channel));
            QueuePair b = pair.pd.createQp(LoopbackPair.attr(cq));
            QueuePair a = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
            pair.connect(a, b);
            pair.connect(b, a);
            b.postRecv(recv(1));
            b.postRecv(recv(2));
            cq.reqNotify(true);
            a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
            pair.completionA().checkSuccess();
            pair.completion(cq).checkSuccess();
            assertEquals(null, channel.getCqEvent(QUIET));
            a.postSend(new SendWr(1).send(pair.mrA, 0, 8).sendFlags(SIGNALED | SOLICITED));
            assertEquals(cq, channel.getCqEvent(LoopbackPair.TIMEOUT));
        }
    }

    @Test
    @DisplayName("SG-08 a fenced WRITE sends what the READ before it brought")
    void fence() throws Exception {
        fill(pair.mrB.segment(), 5);
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).read(pair.mrA, 0, 8192, pair.mrB.remote(), 0).sendFlags(0);
        chain.get(1).write(pair.mrA, 0, 8192, pair.mrB.remote(), 16384).sendFlags(SIGNALED | FENCE);
        pair.a.postSend(chain);
        assertEquals(WcOpcode.RDMA_WRITE, pair.completionA().checkSuccess().opcode());
        assertSame(pair.mrB.segment().asSlice(0, 8192), pair.mrB.segment().asSlice(16384, 8192));
    }

    @Test
    @DisplayName("ER-20 more READs at once than max_rd_atomic wait, and all succeed")
    void queuedReads() throws Exception {
        try (LoopbackPair one = new LoopbackPair(attr -> attr)) {
            one.connect(one.a, one.b, attr -> attr.maxRdAtomic(1));
            one.connect(one.b, one.a, attr -> attr.maxDestRdAtomic(1));
            for (int i = 0; i < 4; i++) {
                one.a.postSend(
                        new SendWr(1).wrId(i).read(one.mrA, i * 64L, 64, one.mrB.remote(), 0));
            }
            for (int i = 0; i < 4; i++) {
                assertEquals(i, one.completionA().checkSuccess().wrId());
            }
        }
    }

    @Test
    @DisplayName("ER-16 a SEND needs no remote access on the peer's queue pair")
    void sendWithoutAccess() throws Exception {
        try (LoopbackPair none = new LoopbackPair(attr -> attr)) {
            none.connect(none.a, none.b);
            none.connect(none.b, none.a, attr -> attr.qpAccessFlags(java.util.Set.of()));
            none.b.postRecv(new RecvWr(1).sge(none.mrB, 0, 8));
            none.a.postSend(new SendWr(1).send(none.mrA, 0, 8));
            assertEquals(WcStatus.SUCCESS, none.completionA().status());
            none.completionB().checkSuccess();
        }
    }

    @Test
    @DisplayName("one request object serves when it is reused for all operations in turn")
    void oneRequestForAll() throws Exception {
        SendWr wr = new SendWr(2);
        pair.mrB.segment().set(JAVA_LONG, 0, 1);
        for (int round = 0; round < 3; round++) {
            pair.a.postSend(wr.fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1));
            pair.completionA().checkSuccess();
            pair.a.postSend(wr.write(pair.mrA, 0, 16, pair.mrB.remote(), 64));
            pair.completionA().checkSuccess();
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 1000, 64));
            pair.a.postSend(wr.sendWithImm(pair.mrA, 0, 8, round));
            pair.completionA().checkSuccess();
            assertEquals(round, pair.completionB().checkSuccess().immData());
            pair.a.postSend(wr.read(pair.mrA, 8, 8, pair.mrB.remote(), 0));
            pair.completionA().checkSuccess();
            assertEquals(round + 2, pair.mrA.segment().get(JAVA_LONG, 8));
            long now = round + 2;
            pair.a.postSend(wr.compareSwap(pair.mrA, 0, pair.mrB.remote(), 0, now, now));
            pair.completionA().checkSuccess();
            assertEquals(now, pair.mrA.segment().get(JAVA_LONG, 0));
        }
    }
}
