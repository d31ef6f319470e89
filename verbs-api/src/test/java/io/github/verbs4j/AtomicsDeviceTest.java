package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics, and what comes of wrong ones. */
@RequiresDevice
class AtomicsDeviceTest {

    private static final Duration QUIET = Duration.ofMillis(100);

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

    private static void assertSame(MemorySegment expected, MemorySegment actual) {
        assertEquals(-1, expected.mismatch(actual), "first byte that differs");
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
    @DisplayName("OP-08 an atomic that is not aligned fails at once or by completion")
    void unaligned() throws Exception {
        SendWr wr =
                new SendWr(1)
                        .fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1)
                        .remote(pair.mrB.address() + 4, pair.mrB.rkey());
        try {
            pair.a.postSend(wr);
            assertFalse(rxe, "rxe refuses it when it is posted");
            assertFalse(pair.completionA().isSuccess());
        } catch (PostException e) {
            assertEquals(Errno.EINVAL, e.errno());
            assertEquals(0, e.index());
            assertTrue(pair.staysEmpty(pair.cqA, QUIET));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 7, 9, 16})
    @DisplayName("OP-08 an atomic with another room than 8 bytes for the old value is refused")
    void wrongRoom(int bytes) throws Exception {
        SendWr wr = new SendWr(2).fetchAdd(pair.mrA, 0, pair.mrB.remote(), 0, 1);
        pair.mrB.segment().set(JAVA_LONG, 0, 7);
        for (SendWr wrong :
                new SendWr[] {
                    wr.sge(0, pair.mrA, 0, bytes),
                    new SendWr(1)
                            .sge(pair.mrA, 0, bytes)
                            .opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                            .remote(pair.mrB.remote(), 0)
                }) {
            String message =
                    assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wrong))
                            .getMessage();
            assertTrue(message.contains("8 bytes") && message.contains("" + bytes), message);
        }
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr.numSge(0)));
        assertEquals(7, pair.mrB.segment().get(JAVA_LONG, 0));
        pair.a.postSend(wr.sge(pair.mrA, 0, 8));
        pair.completionA().checkSuccess();
        assertEquals(8, pair.mrB.segment().get(JAVA_LONG, 0));
    }
}
