package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.WrOpcode.BIND_MW;
import static io.github.verbs4j.types.WrOpcode.LOCAL_INV;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Binds and invalidations that would bring the kernel down or hang are exceptions instead. */
@RequiresDevice
class PostWindowGuardsDeviceTest {

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
        return pair.pd.allocMw(MwType.TYPE_2);
    }

    private SendWr bind(MemoryWindow window) {
        return new SendWr(0).bindMw(window, new MwBind(pair.mrA, REMOTE_WRITE));
    }

    @Test
    @DisplayName("K-1 LOCAL_INV of a window that was never bound is refused")
    void neverBound() throws Exception {
        SendWr wr = new SendWr(0).localInv(window());
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        pair.assertWorks();
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
        pair.assertWorks();
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
        pair.assertWorks();
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
        pair.assertWorks();
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
        pair.assertWorks();
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
        pair.assertWorks();
        assertTimeout(Duration.ofSeconds(20), pair.a::close);
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
}
