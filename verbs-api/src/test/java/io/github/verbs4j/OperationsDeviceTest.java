package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.MwType;
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

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
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
