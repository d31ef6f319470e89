package io.github.verbs4j.examples.pingpong;

import static io.github.verbs4j.types.QpAttrMask.ACCESS_FLAGS;
import static io.github.verbs4j.types.QpAttrMask.AV;
import static io.github.verbs4j.types.QpAttrMask.DEST_QPN;
import static io.github.verbs4j.types.QpAttrMask.MAX_DEST_RD_ATOMIC;
import static io.github.verbs4j.types.QpAttrMask.MAX_QP_RD_ATOMIC;
import static io.github.verbs4j.types.QpAttrMask.MIN_RNR_TIMER;
import static io.github.verbs4j.types.QpAttrMask.PATH_MTU;
import static io.github.verbs4j.types.QpAttrMask.PKEY_INDEX;
import static io.github.verbs4j.types.QpAttrMask.PORT;
import static io.github.verbs4j.types.QpAttrMask.RETRY_CNT;
import static io.github.verbs4j.types.QpAttrMask.RNR_RETRY;
import static io.github.verbs4j.types.QpAttrMask.RQ_PSN;
import static io.github.verbs4j.types.QpAttrMask.SQ_PSN;
import static io.github.verbs4j.types.QpAttrMask.STATE;
import static io.github.verbs4j.types.QpAttrMask.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.examples.wire.XrcAddress;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RnrTimer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No device of ours has XRC: each step is compared with the one that ibv_xsrq_pingpong takes. */
class XrcPathTest {

    private static final Gid HERE = Gid.parse("::ffff:10.77.0.1");
    private static final Gid THERE = Gid.parse("::ffff:10.77.0.2");
    private static final XrcPath PATH =
            new XrcPath(
                    new GidEntry(HERE, 3, 1, GidType.ROCE_V2, 0, Optional.empty()),
                    Mtu.MTU_2048,
                    5);
    private static final XrcAddress PEER = new XrcAddress(7, 0x2a, 0x2b, 0xabcdef, 9, THERE);

    private static void assertStep(QpState state, QpAttr attr, QpAttrMask... mask) {
        assertEquals(state, attr.qpState());
        Set<QpAttrMask> set = EnumSet.allOf(QpAttrMask.class);
        set.removeIf(each -> !attr.isSet(each));
        assertEquals(EnumSet.of(STATE, mask), set);
    }

    @Test
    void inInitTheReceiverMayBeWrittenAndRead() {
        QpAttr receiver = PATH.receiverInit();
        assertStep(QpState.INIT, receiver, PKEY_INDEX, PORT, ACCESS_FLAGS);
        assertEquals(
                EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ),
                receiver.qpAccessFlags());
        QpAttr sender = PATH.senderInit();
        assertStep(QpState.INIT, sender, PKEY_INDEX, PORT, ACCESS_FLAGS);
        assertEquals(Set.of(), sender.qpAccessFlags());
        assertEquals(1, sender.portNum());
    }

    @Test
    void theReceiverListensToThePeersSender() {
        QpAttr attr = PATH.receiverRtr(PEER);
        assertStep(
                QpState.RTR,
                attr,
                AV,
                PATH_MTU,
                DEST_QPN,
                RQ_PSN,
                MAX_DEST_RD_ATOMIC,
                MIN_RNR_TIMER);
        assertEquals(PEER.sendQpNum(), attr.destQpNum());
        assertEquals(RnrTimer.of(12), attr.minRnrTimer());
        assertPath(attr);
    }

    @Test
    void theSenderSpeaksToThePeersReceiver() {
        QpAttr attr = PATH.senderRtr(PEER);
        assertStep(QpState.RTR, attr, AV, PATH_MTU, DEST_QPN, RQ_PSN);
        assertEquals(PEER.recvQpNum(), attr.destQpNum());
        assertPath(attr);
    }

    private static void assertPath(QpAttr attr) {
        assertEquals(PEER.psn(), attr.rqPsn());
        assertEquals(Mtu.MTU_2048, attr.pathMtu());
        assertEquals(7, attr.ahAttr().dlid());
        assertEquals(5, attr.ahAttr().sl());
        assertEquals(1, attr.ahAttr().portNum());
        assertTrue(attr.ahAttr().isGlobal());
        assertEquals(THERE, attr.ahAttr().grh().dgid());
        assertEquals(3, attr.ahAttr().grh().sgidIndex());
    }

    @Test
    void onlyTheSenderRetries() {
        QpAttr receiver = PATH.receiverRts(42);
        assertStep(QpState.RTS, receiver, TIMEOUT, SQ_PSN);
        QpAttr sender = PATH.senderRts(42);
        assertStep(QpState.RTS, sender, TIMEOUT, SQ_PSN, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC);
        for (QpAttr attr : List.of(receiver, sender)) {
            assertEquals(AckTimeout.of(14), attr.timeout());
            assertEquals(42, attr.sqPsn());
        }
        // The C tool says 7, by which a dead peer goes unnoticed on some devices.
        assertEquals(6, sender.retryCnt());
        assertEquals(7, sender.rnrRetry());
    }

    @Test
    void aPeersMessagesTakeTheConnectionsInTurn() {
        assertEquals(
                List.of(1, 2, 0, 1),
                IntStream.range(0, 4).mapToObj(sent -> XrcLoop.turn(1, sent, 3)).toList());
        assertEquals(0, XrcLoop.turn(0, 7, 1));
    }
}
