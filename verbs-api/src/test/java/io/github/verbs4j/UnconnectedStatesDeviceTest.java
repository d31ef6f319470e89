package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import io.github.verbs4j.types.QpType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The state machine of UD, and what of it differs for UC. */
@RequiresDevice
class UnconnectedStatesDeviceTest {

    private static QpTransitionException refused(QueuePair qp, QpAttr attr) {
        return assertThrows(QpTransitionException.class, () -> qp.modify(attr));
    }

    @Test
    @DisplayName("ST-13 UD needs a Q_Key in INIT and a PSN in RTS, and has no access flags")
    void datagramStates() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqA))) {
            QpTransitionException e = refused(ud, QpAttr.initUd(1, 5).without(QpAttrMask.QKEY));
            assertTrue(e.getMessage().contains("QKEY"), e.getMessage());
            e = refused(ud, QpAttr.initUd(1, 5).qpAccessFlags(AccessFlag.REMOTE_READ));
            assertTrue(e.getMessage().contains("ACCESS_FLAGS"), e.getMessage());
            ud.modify(QpAttr.initUd(1, 5));
            ud.modify(QpAttr.of(QpState.RTR));
            e = refused(ud, QpAttr.of(QpState.RTS));
            assertTrue(e.getMessage().contains("SQ_PSN"), e.getMessage());
            ud.modify(QpAttr.of(QpState.RTS).sqPsn(1));
            ud.modify(QpAttr.of(QpState.RTS).qkey(6));
            assertEquals(6, ud.query().qkey());
        }
    }

    @Test
    @DisplayName("ST-13 root may use a privileged Q_Key")
    void privilegedQkey() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqA))) {
            ud.activateUd(1, 0x80010000);
            assertEquals(QpState.RTS, ud.state());
            if (TestDevice.isRxe(pair.context)) {
                assertEquals(0x80010000, ud.query().qkey());
            }
        }
    }

    @Test
    @DisplayName("ST-13 UC with what only RC has is refused, naming it")
    void unreliableConnection() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                QueuePair uc = pair.pd.createQp(new QpInitAttr(QpType.UC, pair.cqA))) {
            uc.modify(QpAttr.init(1));
            QpTransitionException e =
                    refused(uc, QpAttr.rtr(pair.gid, pair.b.localAddress(pair.gid)));
            assertTrue(e.getMessage().contains("MIN_RNR_TIMER"), e.getMessage());
        }
    }

    @Test
    @DisplayName("only UD is made ready without a peer")
    void onlyDatagrams() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            assertThrows(IllegalStateException.class, () -> pair.a.activateUd(1, 5));
        }
    }

    @Test
    @DisplayName("receives posted in INIT stay when a UD queue pair is made ready")
    void receivesFirst() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqA));
                AddressHandle ah =
                        pair.pd.createAh(
                                io.github.verbs4j.types.AhAttr.to(
                                        pair.gid, ud.localAddress(pair.gid)))) {
            ud.modify(QpAttr.initUd(1, 7));
            ud.postRecv(new RecvWr(1).wrId(3).sge(pair.mrA, 0, 100));
            ud.activateUd(1, 8);
            ud.postSend(new SendWr(1).wrId(4).send(pair.mrA, 200, 1).ud(ah, ud.qpNum(), 7));
            assertEquals(
                    7,
                    pair.completions(pair.cqA, 2).stream().mapToLong(WorkCompletion::wrId).sum());
        }
    }
}
