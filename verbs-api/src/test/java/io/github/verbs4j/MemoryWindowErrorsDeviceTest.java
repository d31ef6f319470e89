package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WrOpcode;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows that are bound, invalidated or used wrongly. */
@RequiresDevice
class MemoryWindowErrorsDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private MemoryWindow bound(MwType type, MwBind bind) throws Exception {
        MemoryWindow mw = pair.pd.allocMw(type);
        if (type == MwType.TYPE_1) {
            pair.b.bindMw(mw, bind, 0, SendFlags.SIGNALED);
        } else {
            pair.b.postSend(new SendWr(0).bindMw(mw, bind));
        }
        pair.completionB().checkSuccess();
        return mw;
    }

    @ParameterizedTest
    @EnumSource(MwType.class)
    @DisplayName("MW-06 a bind on a queue pair in ERR is flushed")
    void bindInError(MwType type) throws Exception {
        MemoryWindow mw = pair.pd.allocMw(type);
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        pair.b.modify(QpAttr.of(QpState.ERR));
        if (type == MwType.TYPE_1) {
            pair.b.bindMw(mw, bind, 6, SendFlags.SIGNALED);
        } else {
            pair.b.postSend(new SendWr(0).wrId(6).bindMw(mw, bind));
        }
        WorkCompletion flushed = pair.completionB();
        assertEquals(6, flushed.wrId());
        assertEquals(WcStatus.WR_FLUSH_ERR, flushed.status());
        mw.close();
        pair.mrB.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody's", "a region's", "a type 1 window's"})
    @DisplayName("MW-10 SEND_WITH_INV of a key that is no type 2 window's fails at the peer")
    void invalidateWrongKey(String whose) throws Exception {
        int rkey =
                switch (whose) {
                    case "nobody's" -> 0x00bad001;
                    case "a region's" -> pair.mrB.rkey();
                    default -> bound(MwType.TYPE_1, new MwBind(pair.mrB, REMOTE_READ)).rkey();
                };
        pair.b.postRecv(new RecvWr(1).wrId(8).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).sendWithInv(pair.mrA, 0, 8, rkey));
        WorkCompletion received = pair.completionB();
        assertEquals(8, received.wrId());
        if (TestDevice.isRxe(pair.context)) {
            assertEquals(WcStatus.REM_INV_REQ_ERR, received.status());
            assertEquals(WcStatus.SUCCESS, pair.completionA().status(), "rxe tells nobody here");
            assertEquals(QpState.RTS, pair.a.query().qpState());
        }
        assertEquals(QpState.ERR, pair.b.query().qpState());
    }

    @Test
    @DisplayName("MW-11 LOCAL_INV takes windows only, and of those none of type 1")
    void localInvalidate() throws Exception {
        MemoryWindow type1 = bound(MwType.TYPE_1, new MwBind(pair.mrB, REMOTE_READ));
        IllegalStateException e =
                assertThrows(
                        IllegalStateException.class,
                        () -> pair.b.postSend(new SendWr(0).localInv(type1)));
        assertTrue(e.getMessage().contains("type 1"), e.getMessage());
        SendWr withoutWindow = new SendWr(0).opcode(WrOpcode.LOCAL_INV);
        withoutWindow.invalidateRkey(pair.mrB.rkey());
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(withoutWindow));
        assertEquals(QpState.RTS, pair.b.query().qpState());
        assertEquals(0, pair.cqB.poll(new WcArray(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 2048 + 512})
    @DisplayName("MW-13 a READ before or behind a window but inside its region: rxe does not mind")
    void outsideWindow(int offset) throws Exception {
        MwBind bind = new MwBind(pair.mrB, 2048, 512, Set.of(REMOTE_READ, REMOTE_WRITE));
        MemoryWindow mw = bound(MwType.TYPE_2, bind);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> new SendWr(1).read(pair.mrA, 0, 8, mw.remote(bind), 512),
                "what Java knows of the window is checked");
        pair.a.postSend(
                new SendWr(1)
                        .opcode(WrOpcode.RDMA_READ)
                        .sge(pair.mrA, 0, 8)
                        .remote(pair.mrB.address() + offset, mw.rkey()));
        assertEquals(
                TestDevice.isRxe(pair.context) ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR,
                pair.completionA().status());
    }
}
