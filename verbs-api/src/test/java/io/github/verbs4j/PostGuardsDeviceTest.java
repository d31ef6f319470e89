package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that would hang, crash the process or bring the kernel down are exceptions instead. */
@RequiresDevice
class PostGuardsDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD"})
    @DisplayName("SG-06 INLINE on a READ or an atomic is refused before the peer's memory changes")
    void inlineReads(WrOpcode opcode) throws Exception {
        long before = pair.mrB.segment().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
        SendWr wr =
                new SendWr(1)
                        .opcode(opcode)
                        .sge(pair.mrA, 0, 8)
                        .remote(pair.mrB.remote(), 0)
                        .compareAdd(before)
                        .swap(5)
                        .sendFlags(INLINE | SIGNALED);
        String message =
                assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr))
                        .getMessage();
        assertTrue(message.contains("INLINE") && message.contains(opcode.name()), message);
        pair.assertWorks();
        assertEquals(before, pair.mrB.segment().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD"})
    @DisplayName("ER-19 a READ or an atomic with max_rd_atomic 0 is refused: it would never end")
    void noReads(WrOpcode opcode) throws Exception {
        pair.a.modify(QpAttr.of(QpState.RESET));
        pair.b.modify(QpAttr.of(QpState.RESET));
        pair.connect(pair.a, pair.b, attr -> attr.maxRdAtomic(0));
        pair.connect(pair.b, pair.a);
        SendWr wr = new SendWr(1).opcode(opcode).sge(pair.mrA, 0, 8).remote(pair.mrB.remote(), 0);
        String message =
                assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr)).getMessage();
        assertTrue(message.contains("max_rd_atomic is 0"), message);
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).send(pair.mrA, 0, 8);
        chain.get(1).opcode(opcode).sge(pair.mrA, 0, 8).remote(pair.mrB.remote(), 0);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(chain));
        pair.assertWorks();
    }

    @Test
    @DisplayName("R a send without an address handle is refused: it would crash the process")
    void datagramWithoutAddress() {
        QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqA));
        ud.modify(QpAttr.initUd(1, 7));
        ud.modify(QpAttr.of(QpState.RTR));
        ud.modify(QpAttr.of(QpState.RTS).sqPsn(0));
        SendWr wr = new SendWr(1).send(pair.mrA, 0, 8);
        String message =
                assertThrows(IllegalStateException.class, () -> ud.postSend(wr)).getMessage();
        assertTrue(message.contains("address handle"), message);
    }

    @Test
    @DisplayName("SG-04 memory that is not registered goes with INLINE only")
    void unregisteredWithoutInline() throws Exception {
        SendWr wr = new SendWr(1).sge(0, MemorySegment.ofArray(new byte[8]));
        String message =
                assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr))
                        .getMessage();
        assertTrue(message.contains("not registered"), message);
        wr.sge(pair.mrA, 0, 8);
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.a.postSend(wr);
        pair.completionA().checkSuccess();
        pair.completionB().checkSuccess();
        pair.assertWorks();
    }

    @Test
    @DisplayName("SG-05 inline data of max_inline_data bytes is taken, one more refused")
    void longestInline() throws Exception {
        int most = pair.a.cap().maxInlineData();
        assumeTrue(most > 0, "the device has no inline data");
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 4096));
        pair.a.postSend(
                new SendWr(1)
                        .sge(0, MemorySegment.ofArray(new byte[most]))
                        .sendFlags(INLINE | SIGNALED));
        pair.completionA().checkSuccess();
        assertEquals(most, pair.completionB().checkSuccess().byteLen());
        SendWr longer =
                new SendWr(1)
                        .sge(0, MemorySegment.ofArray(new byte[most + 1]))
                        .sendFlags(INLINE | SIGNALED);
        String message =
                assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(longer))
                        .getMessage();
        assertTrue(message.contains("max_inline_data of " + most), message);
        pair.assertWorks();
    }

    @Test
    @DisplayName("R inline data from freed memory, or a closed region, is an exception")
    void inlineFromFreedMemory() throws Exception {
        SendWr wr = new SendWr(1).sendFlags(INLINE | SIGNALED);
        try (Arena arena = Arena.ofConfined()) {
            wr.sge(0, arena.allocate(8));
        }
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        MemoryRegion mr = pair.pd.allocateMr(4096, LOCAL_WRITE);
        wr.sge(mr, 0, 8);
        mr.close();
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        pair.assertWorks();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 64 << 10, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("R ranges outside the region are refused when the request is built")
    void outsideTheRegion(long offset) {
        SendWr send = new SendWr(1);
        RecvWr recv = new RecvWr(1);
        assertThrows(IndexOutOfBoundsException.class, () -> send.sge(pair.mrA, offset, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> recv.sge(pair.mrA, offset, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> send.sge(pair.mrA, 0, offset | 1));
        assertThrows(IndexOutOfBoundsException.class, () -> recv.sge(pair.mrA, 0, offset | 1));
        assertThrows(IndexOutOfBoundsException.class, () -> send.send(pair.mrA, 1, 64 << 10));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> send.write(pair.mrA, 0, 8, pair.mrB.remote(), offset));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> send.read(pair.mrA, 0, 8, pair.mrB.remote(), (64 << 10) - 7));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> send.fetchAdd(pair.mrA, 0, pair.mrB.remote(), (64 << 10) - 7, 1));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> send.compareSwap(pair.mrA, (64 << 10) - 7, pair.mrB.remote(), 0, 1, 1));
    }

    @Test
    @DisplayName("R a request over a closed region cannot be built")
    void closedRegion() {
        MemoryRegion mr = pair.pd.allocateMr(4096, LOCAL_WRITE);
        mr.close();
        SendWr send = new SendWr(1);
        RecvWr recv = new RecvWr(1);
        assertThrows(IllegalStateException.class, () -> send.send(mr, 0, 8));
        assertThrows(IllegalStateException.class, () -> recv.sge(mr, 0, 8));
    }

    @Test
    @DisplayName("R one refused request of a chain keeps the whole chain back")
    void refusedInChain() throws Exception {
        SendWrArray chain = new SendWrArray(3, 1);
        chain.get(0).send(pair.mrA, 0, 8);
        chain.get(1).opcode(RDMA_READ).sge(pair.mrA, 0, 8).remote(pair.mrB.remote(), 0);
        chain.get(2)
                .opcode(ATOMIC_CMP_AND_SWP)
                .sge(pair.mrA, 0, 8)
                .remote(pair.mrB.remote(), 0)
                .sendFlags(INLINE);
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(chain));
        chain.get(2).sendFlags(SIGNALED | INLINE).sge(0, MemorySegment.ofArray(new byte[8]));
        chain.get(2).opcode(WrOpcode.SEND).sge(0, 0x1000, 8, 0);
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(chain));
        pair.assertWorks();
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "RDMA_WRITE", "RDMA_READ"})
    @DisplayName("Elements of 4 GiB together, which rxe takes for none, are refused")
    void longLists(WrOpcode opcode) throws Exception {
        int lkey = pair.mrA.lkey();
        long half = 1L << 31;
        SendWr wr = new SendWr(2).opcode(opcode).remote(pair.mrB.remote(), 0);
        wr.sge(0, pair.mrA.iova(), half, lkey).sge(1, pair.mrA.iova(), half, lkey);
        refusedAsLong(() -> pair.a.postSend(wr));
        SendWrArray chain = new SendWrArray(2, 2);
        chain.get(1).opcode(opcode).remote(pair.mrB.remote(), 0);
        chain.get(1).sge(0, pair.mrA.iova(), half, lkey).sge(1, pair.mrA.iova(), half, lkey);
        refusedAsLong(() -> pair.a.postSend(chain));
        pair.assertWorks();
    }

    @Test
    @DisplayName("Elements of 4 GiB together, into which rxe receives nothing, are refused")
    void longScatterLists() {
        int lkey = pair.mrA.lkey();
        long half = 1L << 31;
        RecvWr wr = new RecvWr(2);
        wr.sge(0, pair.mrA.iova(), half, lkey).sge(1, pair.mrA.iova(), half, lkey);
        refusedAsLong(() -> pair.a.postRecv(wr));
        RecvWrArray chain = new RecvWrArray(2, 2);
        chain.get(1).sge(0, pair.mrA.iova(), half, lkey).sge(1, pair.mrA.iova(), half, lkey);
        refusedAsLong(() -> pair.a.postRecv(chain));
        pair.a.postRecv(wr.sge(1, pair.mrA.iova(), half - 1, lkey));
    }

    private static void refusedAsLong(Executable post) {
        String message = assertThrows(IllegalArgumentException.class, post).getMessage();
        assertTrue(message.contains("4294967296 bytes"), message);
    }
}
