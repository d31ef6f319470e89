package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.github.verbs4j.types.WrOpcode.BIND_MW;
import static io.github.verbs4j.types.WrOpcode.LOCAL_INV;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that would hang, crash the process or bring the kernel down are exceptions instead. */
@RequiresDevice
class PostGuardsDeviceTest {

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

    private MemoryWindow window() {
        MemoryWindow window = pair.pd.allocMw(MwType.TYPE_2);
        return window;
    }

    private SendWr bind(MemoryWindow window) {
        return new SendWr(0).bindMw(window, new MwBind(pair.mrA, REMOTE_WRITE));
    }

    /** The pair still works: the exceptions before left nothing behind. */
    private void stillWorks() throws Exception {
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).wrId(4711).send(pair.mrA, 0, 8));
        assertEquals(4711, pair.completionA().checkSuccess().wrId());
        assertEquals(8, pair.completionB().checkSuccess().byteLen());
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
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
        stillWorks();
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
        stillWorks();
    }

    @Test
    @DisplayName("K-1 LOCAL_INV of a window that was never bound is refused")
    void neverBound() throws Exception {
        SendWr wr = new SendWr(0).localInv(window());
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        stillWorks();
    }

    @Test
    @DisplayName("K-1 the second LOCAL_INV of one binding is refused, alone or in a chain")
    void invalidatedTwice() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window).wrId(1));
        pair.completionA().checkSuccess();
        assertTrue(window.isBound());
        SendWrArray chain = new SendWrArray(2, 0);
        chain.get(0).wrId(2).localInv(window);
        chain.get(1).wrId(3).localInv(window);
        PostException e = assertThrows(PostException.class, () -> pair.a.postSend(chain));
        assertEquals(1, e.index());
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("invalidated already"), e.getMessage());
        assertEquals(2, pair.completionA().checkSuccess().wrId());
        assertFalse(window.isBound());
        SendWr again = new SendWr(0).localInv(window);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(again));
        stillWorks();
    }

    @Test
    @DisplayName("MW-17 bind and LOCAL_INV in one chain run in order")
    void bindAndInvalidateInOneChain() throws Exception {
        MemoryWindow window = window();
        SendWrArray chain = new SendWrArray(3, 1);
        chain.get(0).wrId(1).bindMw(window, new MwBind(pair.mrA, REMOTE_WRITE));
        chain.get(1).wrId(2).localInv(window);
        chain.get(2).wrId(3).bindMw(window, new MwBind(pair.mrA, REMOTE_WRITE));
        pair.a.postSend(chain);
        for (int i = 1; i <= 3; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
        }
        assertTrue(window.isBound());
    }

    @Test
    @DisplayName("MW-12 LOCAL_INV on another queue pair than the window's is refused")
    void invalidatedElsewhere() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        pair.completionA().checkSuccess();
        SendWr wr = new SendWr(0).localInv(window);
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(wr));
        assertTrue(window.isBound());
        pair.a.postSend(wr);
        pair.completionA().checkSuccess();
    }

    @Test
    @DisplayName("MW-05 a window that is bound cannot be bound again, nor one of another domain")
    void wrongBinds() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        pair.completionA().checkSuccess();
        SendWr again = bind(window);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(again));
        ProtectionDomain other = pair.context.allocPd();
        SendWr foreign = bind(other.allocMw(MwType.TYPE_2));
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(foreign));
        SendWr type1 = bind(pair.pd.allocMw(MwType.TYPE_1));
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(type1));
        SendWr bare = new SendWr(0).opcode(BIND_MW);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(bare));
        SendWr bareInvalidation = new SendWr(0).opcode(LOCAL_INV);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(bareInvalidation));
        stillWorks();
    }

    @Test
    @DisplayName("MW-05 a bind with a closed window or region is refused")
    void closedParts() throws Exception {
        MemoryWindow closed = window();
        closed.close();
        SendWr ofWindow = bind(closed);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(ofWindow));
        MemoryRegion mr = pair.pd.allocateMr(4096, LOCAL_WRITE, MW_BIND);
        SendWr ofRegion = new SendWr(0).bindMw(window(), new MwBind(mr, REMOTE_WRITE));
        mr.close();
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(ofRegion));
        stillWorks();
    }

    @Test
    @DisplayName("K-2 a second SEND_WITH_INV of one rkey is refused until the peer bound it anew")
    void peerInvalidatedTwice() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        pair.completionA().checkSuccess();
        int rkey = window.rkey();
        pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 0, 64));
        SendWr wr = new SendWr(1).sendWithInv(pair.mrB, 0, 8, rkey);
        pair.b.postSend(wr);
        pair.completionB().checkSuccess();
        assertTrue(pair.completionA().isSuccess());
        assertFalse(window.isBound());
        String message =
                assertThrows(IllegalStateException.class, () -> pair.b.postSend(wr)).getMessage();
        assertTrue(message.contains(Integer.toHexString(rkey)), message);
        assertTrue(message.contains("invalidated already"), message);
        // The peer's own window: K-1 after it was taken back from afar.
        SendWr local = new SendWr(0).localInv(window);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(local));
        stillWorks();
    }

    @Test
    @DisplayName("K-2 peerRebound allows one more SEND_WITH_INV")
    void peerRebound() throws Exception {
        MemoryWindow window = window();
        for (int round = 0; round < 3; round++) {
            pair.a.postSend(bind(window));
            pair.completionA().checkSuccess();
            int rkey = window.rkey();
            pair.b.peerRebound(rkey);
            pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 0, 64));
            pair.b.postSend(new SendWr(1).sendWithInv(pair.mrB, 0, 8, rkey));
            pair.completionB().checkSuccess();
            pair.completionA().checkSuccess();
            assertFalse(window.isBound());
        }
    }

    @Test
    @DisplayName("MW-15 K-6 closing a queue pair with a bound type 2 window does not hang")
    void closeWithBoundWindow() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        pair.completionA().checkSuccess();
        assertTimeout(Duration.ofSeconds(20), pair.a::close);
        assertFalse(window.isOpen());
        assertFalse(window.isBound());
    }

    @Test
    @DisplayName("K-6 closing right after posting the bind does not hang either")
    void closeRightAfterBind() {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        assertTimeout(Duration.ofSeconds(20), pair.a::close);
        assertFalse(window.isOpen());
    }

    @Test
    @DisplayName("K-1 a reset forgets what was bound: LOCAL_INV afterwards is refused")
    void resetWithBoundWindow() throws Exception {
        MemoryWindow window = window();
        pair.a.postSend(bind(window));
        pair.completionA().checkSuccess();
        pair.a.modify(QpAttr.of(QpState.RESET));
        pair.b.modify(QpAttr.of(QpState.RESET));
        pair.connect();
        SendWr wr = new SendWr(0).localInv(window);
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        stillWorks();
        assertTimeout(Duration.ofSeconds(20), pair.a::close);
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
        stillWorks();
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
        stillWorks();
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
        stillWorks();
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
    @DisplayName("R flags that do not exist are refused for a type 1 bind too")
    void flagsOfBind() {
        MemoryWindow window = pair.pd.allocMw(MwType.TYPE_1);
        MwBind bind = new MwBind(pair.mrA, REMOTE_WRITE);
        assertThrows(IllegalArgumentException.class, () -> pair.a.bindMw(window, bind, 1, 1 << 9));
        pair.a.modify(QpAttr.of(QpState.RESET));
        assertThrows(IllegalStateException.class, () -> pair.a.bindMw(window, bind, 1, SIGNALED));
        assertThrows(NullPointerException.class, () -> pair.a.bindMw(null, bind, 1, 0));
        assertThrows(NullPointerException.class, () -> pair.a.bindMw(window, null, 1, 0));
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
        stillWorks();
    }
}
