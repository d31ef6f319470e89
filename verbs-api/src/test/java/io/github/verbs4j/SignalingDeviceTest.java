package io.github.verbs4j;

import static io.github.verbs4j.types.SendFlags.FENCE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.SendFlags.SOLICITED;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which requests report their completion, wake a peer, or wait for those before them. */
@RequiresDevice
class SignalingDeviceTest {

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
}
