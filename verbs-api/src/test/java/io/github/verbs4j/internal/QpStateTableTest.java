package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.QpKind.DCI;
import static io.github.verbs4j.internal.QpKind.DCT;
import static io.github.verbs4j.internal.QpKind.RC;
import static io.github.verbs4j.internal.QpKind.UC;
import static io.github.verbs4j.internal.QpKind.UD;
import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.QpState.INIT;
import static io.github.verbs4j.types.QpState.RESET;
import static io.github.verbs4j.types.QpState.RTR;
import static io.github.verbs4j.types.QpState.RTS;
import static io.github.verbs4j.types.QpState.SQD;
import static io.github.verbs4j.types.QpState.SQE;
import static io.github.verbs4j.types.QpState.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RnrTimer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QpStateTableTest {
    private static final Gid GID = Gid.parse("::ffff:10.0.0.1");
    private static final QpAttr TO_RTR =
            QpAttr.rtr(
                    new GidEntry(GID, 1, 1, GidType.ROCE_V2, 2, Optional.empty()),
                    new QpAddress(0, 17, 1, GID, GidType.ROCE_V2, Mtu.MTU_1024));

    private static QpStateTable.Result check(QpKind type, QpState from, QpAttr attr) {
        QpState to = attr.isSet(QpAttrMask.STATE) ? attr.qpState() : from;
        return QpStateTable.check(type, from, to, attr.mask());
    }

    private static void assertOnlyMissing(QpAttrMask bit, QpStateTable.Result result) {
        assertFalse(result.ok());
        assertTrue(result.legal());
        assertEquals(bit.value(), result.missing(), bit.cName());
        assertEquals(0, result.disallowed());
    }

    private static void assertOnlyDisallowed(QpAttrMask bit, QpStateTable.Result result) {
        assertFalse(result.ok());
        assertTrue(result.legal());
        assertEquals(0, result.missing());
        assertEquals(bit.value(), result.disallowed(), bit.cName());
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    @DisplayName("ST-01 from RESET only RESET and INIT, not even ERR")
    void fromReset(QpKind type) {
        assertEquals(EnumSet.of(RESET, INIT), QpStateTable.next(type, RESET));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    @DisplayName("ST-02 from INIT: RESET, INIT, RTR, ERR")
    void fromInit(QpKind type) {
        assertEquals(EnumSet.of(RESET, INIT, RTR, ERR), QpStateTable.next(type, INIT));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    @DisplayName("ST-03 from RTR: RESET, RTS, ERR")
    void fromRtr(QpKind type) {
        assertEquals(EnumSet.of(RESET, RTS, ERR), QpStateTable.next(type, RTR));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    @DisplayName("ST-04 from RTS: RESET, RTS, SQD, ERR")
    void fromRts(QpKind type) {
        assertEquals(EnumSet.of(RESET, RTS, SQD, ERR), QpStateTable.next(type, RTS));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    @DisplayName(
            "ST-05 from SQD: RESET, RTS, SQD, ERR; from SQE: RESET, RTS, ERR; from ERR: RESET, ERR")
    void fromSqdSqeAndErr(QpKind type) {
        assertEquals(EnumSet.of(RESET, RTS, SQD, ERR), QpStateTable.next(type, SQD));
        assertEquals(EnumSet.of(RESET, RTS, ERR), QpStateTable.next(type, SQE));
        assertEquals(EnumSet.of(RESET, ERR), QpStateTable.next(type, ERR));
    }

    @Test
    @DisplayName("ST-01 ST-05 RESET and ERR take nothing but the state")
    void resetAndErrTakeNothingElse() {
        for (QpState from : EnumSet.of(INIT, RTR, RTS, SQD, SQE, ERR)) {
            assertTrue(check(RC, from, QpAttr.of(RESET)).ok());
            assertTrue(check(RC, from, QpAttr.of(ERR)).ok());
            assertOnlyDisallowed(QpAttrMask.PORT, check(RC, from, QpAttr.of(ERR).portNum(1)));
            assertOnlyDisallowed(
                    QpAttrMask.CUR_STATE, check(RC, from, QpAttr.of(ERR).curQpState(RTS)));
        }
    }

    @Test
    @DisplayName("ST-06 the factories satisfy RC from RESET to RTS")
    void factoriesSatisfyRc() {
        assertTrue(check(RC, RESET, QpAttr.init(1)).ok());
        assertTrue(check(RC, INIT, TO_RTR).ok());
        assertTrue(check(RC, RTR, QpAttr.rts(1)).ok());
        assertTrue(check(UD, RESET, QpAttr.initUd(1, 1)).ok());
        assertTrue(check(UD, INIT, QpAttr.of(RTR)).ok());
        assertTrue(check(UD, RTR, QpAttr.of(RTS).sqPsn(1)).ok());
    }

    @Test
    @DisplayName("ST-06 each required attribute that is left out is reported, and only that")
    void eachMissingAttributeIsReported() {
        record Step(QpState from, QpAttr attr) {}
        for (Step step :
                Set.of(
                        new Step(RESET, QpAttr.init(1)),
                        new Step(INIT, TO_RTR),
                        new Step(RTR, QpAttr.rts(1)))) {
            EnumSet<QpAttrMask> set = QpAttrMask.of(step.attr.mask());
            set.remove(QpAttrMask.STATE);
            assertEquals(set, QpStateTable.required(RC, step.from, step.attr.qpState()));
            for (QpAttrMask bit : set) {
                assertOnlyMissing(bit, check(RC, step.from, step.attr.copy().without(bit)));
            }
        }
    }

    @Test
    @DisplayName("ST-06 a Q_Key on RC is reported as not allowed")
    void qkeyOnRcIsNotAllowed() {
        assertOnlyDisallowed(QpAttrMask.QKEY, check(RC, RESET, QpAttr.init(1).qkey(1)));
    }

    @Test
    @DisplayName("ST-13 UD needs the Q_Key and SQ_PSN and takes no access flags")
    void udNeedsQkey() {
        QpAttr init = QpAttr.initUd(1, 1);
        assertOnlyMissing(QpAttrMask.QKEY, check(UD, RESET, init.copy().without(QpAttrMask.QKEY)));
        assertOnlyDisallowed(
                QpAttrMask.ACCESS_FLAGS, check(UD, RESET, init.copy().qpAccessFlags(Set.of())));
        assertOnlyMissing(QpAttrMask.SQ_PSN, check(UD, RTR, QpAttr.of(RTS)));
        assertTrue(check(UD, RTS, new QpAttr().qkey(2)).ok());
    }

    @Test
    @DisplayName("ST-13 UC does not take the attributes of RC")
    void ucTakesLessThanRc() {
        QpStateTable.Result result = check(UC, INIT, TO_RTR);
        assertEquals(
                EnumSet.of(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER),
                QpAttrMask.of(result.disallowed()));
        assertTrue(
                check(
                                UC,
                                INIT,
                                TO_RTR.copy()
                                        .without(
                                                QpAttrMask.MAX_DEST_RD_ATOMIC,
                                                QpAttrMask.MIN_RNR_TIMER))
                        .ok());
        assertTrue(check(UC, RTR, QpAttr.of(RTS).sqPsn(1)).ok());
    }

    @Test
    @DisplayName(
            "ST-14 in RTS the RNR timer, access and the assumed state may change, the timeout not")
    void inRtsSomeAttributesMayChange() {
        assertTrue(check(RC, RTS, new QpAttr().minRnrTimer(RnrTimer.MS_0_64)).ok());
        assertTrue(check(RC, RTS, new QpAttr().qpAccessFlags(Set.of())).ok());
        assertTrue(check(RC, RTS, QpAttr.of(RTS).curQpState(RTS)).ok());
        assertTrue(check(RC, RTS, new QpAttr()).ok());
        assertOnlyDisallowed(
                QpAttrMask.TIMEOUT, check(RC, RTS, new QpAttr().timeout(AckTimeout.MS_67)));
        assertEquals(1 << 30, QpStateTable.check(RC, RTS, RTS, 1 << 30).disallowed());
        assertTrue(check(RC, SQD, new QpAttr().timeout(AckTimeout.MS_67)).ok());
    }

    @Test
    void extendedReliableConnectionsSplitTheAttributesOfRc() {
        QpAttr rts = QpAttr.rts(1);
        assertTrue(check(QpKind.XRC_SEND, RTR, rts).ok());
        assertTrue(
                check(QpKind.XRC_RECV, RTR, QpAttr.of(RTS).sqPsn(1).timeout(AckTimeout.MS_67))
                        .ok());
        assertTrue(check(QpKind.XRC_RECV, INIT, TO_RTR).ok());
        assertFalse(check(QpKind.XRC_SEND, INIT, TO_RTR).ok());
    }

    @Test
    void rawPacketsTakePortAndRate() {
        assertTrue(check(QpKind.RAW_PACKET, RESET, QpAttr.of(INIT).portNum(1)).ok());
        assertTrue(check(QpKind.RAW_PACKET, RTR, QpAttr.of(RTS).rateLimit(1000)).ok());
        assertTrue(check(QpKind.RAW_PACKET, RTS, new QpAttr().rateLimit(0)).ok());
        assertOnlyDisallowed(QpAttrMask.RATE_LIMIT, check(RC, RTS, new QpAttr().rateLimit(1000)));
    }

    @Test
    @DisplayName("DC initiators go to RTS with the attributes of a sender that has no peer yet")
    void initiators() {
        QpAttr init = QpAttr.init(1).without(QpAttrMask.ACCESS_FLAGS);
        assertTrue(check(DCI, RESET, init).ok());
        assertOnlyMissing(QpAttrMask.PORT, check(DCI, RESET, init.copy().without(QpAttrMask.PORT)));
        assertOnlyDisallowed(QpAttrMask.ACCESS_FLAGS, check(DCI, RESET, QpAttr.init(1)));
        QpAttr rtr = QpAttr.of(RTR).pathMtu(Mtu.MTU_1024);
        assertTrue(check(DCI, INIT, rtr).ok());
        assertOnlyMissing(QpAttrMask.PATH_MTU, check(DCI, INIT, QpAttr.of(RTR)));
        assertOnlyDisallowed(QpAttrMask.DEST_QPN, check(DCI, INIT, rtr.copy().destQpNum(1)));
        assertTrue(check(DCI, RTR, QpAttr.rts(1)).ok());
        assertOnlyMissing(
                QpAttrMask.SQ_PSN, check(DCI, RTR, QpAttr.rts(1).without(QpAttrMask.SQ_PSN)));
        assertTrue(check(DCI, RTS, new QpAttr().minRnrTimer(RnrTimer.MS_0_64)).ok());
        assertOnlyDisallowed(
                QpAttrMask.TIMEOUT, check(DCI, RTS, new QpAttr().timeout(AckTimeout.MS_67)));
        assertEquals(EnumSet.of(RESET, INIT), QpStateTable.next(DCI, RESET));
        assertEquals(EnumSet.of(RESET, INIT, RTR, ERR), QpStateTable.next(DCI, INIT));
        assertEquals(EnumSet.of(RESET, RTS, ERR), QpStateTable.next(DCI, RTR));
        assertEquals(EnumSet.of(RESET, RTS, ERR), QpStateTable.next(DCI, RTS), "no SQD");
        assertEquals(EnumSet.of(RESET, ERR), QpStateTable.next(DCI, ERR));
    }

    @Test
    @DisplayName("DC targets go to RTR and nowhere else")
    void targets() {
        assertTrue(check(DCT, RESET, QpAttr.init(1)).ok());
        assertOnlyMissing(
                QpAttrMask.ACCESS_FLAGS,
                check(DCT, RESET, QpAttr.init(1).without(QpAttrMask.ACCESS_FLAGS)));
        QpAttr rtr =
                TO_RTR.copy()
                        .without(
                                QpAttrMask.DEST_QPN,
                                QpAttrMask.RQ_PSN,
                                QpAttrMask.MAX_DEST_RD_ATOMIC);
        assertTrue(check(DCT, INIT, rtr).ok());
        for (QpAttrMask bit :
                Set.of(QpAttrMask.AV, QpAttrMask.PATH_MTU, QpAttrMask.MIN_RNR_TIMER)) {
            assertOnlyMissing(bit, check(DCT, INIT, rtr.copy().without(bit)));
        }
        assertOnlyDisallowed(QpAttrMask.PKEY_INDEX, check(DCT, INIT, rtr.copy().pkeyIndex(0)));
        assertEquals(EnumSet.of(INIT), QpStateTable.next(DCT, RESET));
        assertEquals(EnumSet.of(RTR), QpStateTable.next(DCT, INIT));
        assertEquals(Set.of(), QpStateTable.next(DCT, RTR));
        QpAttr rts = QpAttr.of(RTS);
        assertEquals(
                "ibv_modify_qp failed: EINVAL (22): DCT queue pair, RTR to RTS is not a legal step,"
                        + " possible from RTR: none; asked for {qp_state=RTS}",
                check(DCT, RTR, rts).toException(22, rts).getMessage());
    }

    @Test
    void thereIsNoFindingWhereTheRulesAreNotKnown() {
        assertTrue(QpStateTable.check(QpKind.DRIVER, RESET, RTS, -1).ok());
        assertTrue(QpStateTable.check(RC, UNKNOWN, RTS, -1).ok());
        assertEquals(EnumSet.allOf(QpState.class), QpStateTable.next(QpKind.DRIVER, RESET));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DRIVER", "DCI", "DCT"})
    void requiredAndOptionalNeverOverlap(QpKind type) {
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                EnumSet<QpAttrMask> both = QpStateTable.required(type, from, to);
                both.retainAll(QpStateTable.optional(type, from, to));
                assertEquals(Set.of(), both, type + " " + from + " " + to);
            }
        }
    }

    @Test
    void aFindingBecomesAnException() {
        QpAttr attr = QpAttr.of(RTS);
        var illegal = check(RC, RESET, attr).toException(22, attr);
        assertEquals(
                "ibv_modify_qp failed: EINVAL (22): RC queue pair, RESET to RTS is not a legal"
                        + " step, possible from RESET: RESET, INIT; asked for {qp_state=RTS}",
                illegal.getMessage());
        var missing = check(RC, RTR, attr).toException(22, attr);
        assertEquals(QpStateTable.required(RC, RTR, RTS), missing.missing());
    }
}
