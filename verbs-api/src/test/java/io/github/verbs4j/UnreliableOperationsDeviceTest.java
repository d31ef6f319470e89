package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operations of UC, and what it loses. */
@RequiresDevice
class UnreliableOperationsDeviceTest {

    private static final Duration QUIET = Duration.ofMillis(100);

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

    private QueuePair uc(CompletionQueue cq) {
        return pair.pd.createQp(new QpInitAttr(QpType.UC, cq));
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
}
