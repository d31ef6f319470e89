package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What would bring a kernel down, or block in it, and is refused before; and what closes with what.
 */
@RequiresDevice(TestDevice.Kind.RXE)
class MemoryWindowGuardDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void connect() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private MemoryWindow boundType2(MwBind bind) throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, bind));
        assertEquals(WcOpcode.BIND_MW, pair.completionB().checkSuccess().opcode());
        return mw;
    }

    @Test
    @DisplayName("K-1 LOCAL_INV of a window that is not bound never reaches the kernel")
    void localInvOfUnboundWindow() throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        SendWr invalidate = new SendWr(0).localInv(mw);
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(invalidate));
        pair.b.postSend(new SendWr(0).bindMw(mw, new MwBind(pair.mrB, REMOTE_READ)));
        pair.completionB().checkSuccess();
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(invalidate));
        pair.b.postSend(invalidate);
        pair.completionB().checkSuccess();
        assertFalse(mw.isBound());
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(invalidate));
        mw.close();
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(invalidate));
    }

    @Test
    @DisplayName("K-1 LOCAL_INV after the peer took the window back never reaches the kernel")
    void localInvAfterSendWithInv() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey()));
        pair.completionB().checkSuccess();
        SendWr invalidate = new SendWr(0).localInv(mw);
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(invalidate));
    }

    @Test
    @DisplayName("K-2 a second SEND_WITH_INV of the same rkey never leaves this side")
    void secondSendWithInv() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        SendWr send = new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey());
        pair.a.postSend(send);
        pair.completionA().checkSuccess();
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(send));
    }

    @Test
    @DisplayName("K-2 SEND_WITH_INV of a window of this process that was never bound stays here")
    void sendWithInvOfUnboundWindow() throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        SendWr send = new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey());
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(send));
        MemoryWindow bound = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        SendWr stale = new SendWr(1).sendWithInv(pair.mrA, 0, 8, bound.rkey());
        pair.b.postSend(new SendWr(0).localInv(bound));
        pair.completionB().checkSuccess();
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(stale));
        pair.a.peerRebound(bound.rkey());
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(stale));
    }

    @Test
    @DisplayName("K-2 a second SEND_WITH_INV of the same rkey is refused on other queue pairs, too")
    void secondSendWithInvElsewhere() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        SendWr send = new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey());
        pair.a.postSend(send);
        SendWr local = new SendWr(0).localInv(mw); // before the completion tells that it is gone
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(local));
        pair.completionA().checkSuccess();
        pair.completionB().checkSuccess();
        try (QueuePair c = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
                QueuePair d = pair.pd.createQp(LoopbackPair.attr(pair.cqB))) {
            pair.connect(c, d);
            pair.connect(d, c);
            assertThrows(IllegalStateException.class, () -> c.postSend(send));
            pair.b.postSend(new SendWr(0).bindMw(mw, new MwBind(pair.mrB, REMOTE_READ)));
            pair.completionB().checkSuccess();
            d.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
            c.postSend(new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey()));
            pair.completionA().checkSuccess();
            pair.completionB().checkSuccess();
            assertFalse(mw.isBound());
        }
    }

    @Test
    @DisplayName("K-2 an rkey that is not of this process goes out once, whatever the queue pair")
    void rkeyOfAnotherProcess() throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        SendWr send = new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey());
        mw.close(); // what it names now is none of this process's windows
        try (QueuePair c = pair.pd.createQp(LoopbackPair.attr(pair.cqA))) {
            pair.connect(c, pair.b);
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
            pair.a.postSend(send);
            pair.completionA();
            for (QueuePair qp : List.of(pair.a, c)) {
                String message =
                        assertThrows(IllegalStateException.class, () -> qp.postSend(send))
                                .getMessage();
                assertTrue(message.contains("peerRebound"), message);
            }
            c.peerRebound(mw.rkey());
            assertDoesNotThrow(() -> pair.a.postSend(send));
        }
    }

    @Test
    @DisplayName("MW-05 a window whose bind failed says that it can only be closed")
    void failedBind() throws Exception {
        MemoryRegion region = pair.pd.allocateMr(4096, LOCAL_WRITE); // without MW_BIND
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, new MwBind(region, REMOTE_READ)));
        assertEquals(WcStatus.MW_BIND_ERR, pair.completionB().status());
        assertTrue(mw.isBound());
        pair.b.modify(QpAttr.of(QpState.RESET));
        pair.connect(pair.b, pair.a);
        for (SendWr wr :
                List.of(
                        new SendWr(0).bindMw(mw, new MwBind(pair.mrB, REMOTE_READ)),
                        new SendWr(0).localInv(mw))) {
            String message =
                    assertThrows(IllegalStateException.class, () -> pair.b.postSend(wr))
                            .getMessage();
            assertTrue(message.contains("close it and allocate another"), message);
        }
    }

    @Test
    @DisplayName("K-6 MW-15 closing a queue pair closes the windows bound on it first, at once")
    void closingAQueuePairClosesItsWindows() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        MemoryWindow type1 = pair.pd.allocMw(MwType.TYPE_1);
        pair.b.bindMw(type1, new MwBind(pair.mrB, REMOTE_READ), 0, SendFlags.SIGNALED);
        pair.completionB().checkSuccess();
        pair.b.close(); // with the window still bound this blocks for 53 s: the test would time out
        assertFalse(mw.isOpen());
        assertTrue(type1.isOpen());
    }

    @Test
    @DisplayName("K-6 MW-15 a window whose LOCAL_INV was flushed closes with its queue pair")
    void flushedInvalidation() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        pair.b.modify(QpAttr.of(QpState.ERR));
        pair.b.postSend(new SendWr(0).localInv(mw));
        assertEquals(WcStatus.WR_FLUSH_ERR, pair.completionB().status());
        pair.b.close(); // the window is bound still: this blocked for 53 s if it did not close
        // first
        assertFalse(mw.isOpen());
        pair.mrB.close();
    }

    @Test
    @DisplayName("K-6 MW-15 a window that the peer took back stays open without its queue pair")
    void takenBack() throws Exception {
        MemoryWindow mw = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).sendWithInv(pair.mrA, 0, 8, mw.rkey()));
        pair.completionB().checkSuccess();
        pair.b.close();
        assertTrue(mw.isOpen());
    }

    @Test
    @DisplayName("MR-15 closing a region closes the windows bound to it first")
    void closingARegionClosesItsWindows() throws Exception {
        MemoryWindow type2 = boundType2(new MwBind(pair.mrB, REMOTE_READ));
        MemoryWindow type1 = pair.pd.allocMw(MwType.TYPE_1);
        pair.b.bindMw(type1, new MwBind(pair.mrB, REMOTE_READ), 0, SendFlags.SIGNALED);
        pair.completionB().checkSuccess();
        pair.mrB.close();
        assertFalse(type1.isOpen() || type2.isOpen());
        assertFalse(type1.isBound() || type2.isBound());
    }

    @Test
    @DisplayName("R a window, region or queue pair that is closed cannot be bound")
    void closedObjectsCannotBeBound() {
        MemoryWindow closed = pair.pd.allocMw(MwType.TYPE_2);
        MemoryWindow closedType1 = pair.pd.allocMw(MwType.TYPE_1);
        MemoryWindow open = pair.pd.allocMw(MwType.TYPE_2);
        MemoryRegion region = pair.pd.allocateMr(4096, LOCAL_WRITE, MW_BIND);
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MwBind ofClosed = new MwBind(region, REMOTE_READ);
        closed.close();
        closedType1.close();
        region.close();
        List<Executable> calls =
                List.of(
                        () -> pair.b.postSend(new SendWr(0).bindMw(closed, bind)),
                        () -> pair.b.postSend(new SendWr(0).bindMw(open, ofClosed)),
                        () -> pair.b.bindMw(closedType1, bind, 0, 0),
                        () -> {
                            pair.b.close();
                            pair.b.postSend(new SendWr(0).bindMw(open, bind));
                        });
        for (Executable call : calls) {
            String message = assertThrows(IllegalStateException.class, call).getMessage();
            assertTrue(message.contains("closed"), message);
        }
        assertFalse(open.isBound());
    }
}
