package io.github.verbs4j.internal;

import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.QpState.INIT;
import static io.github.verbs4j.types.QpState.RESET;
import static io.github.verbs4j.types.QpState.RTR;
import static io.github.verbs4j.types.QpState.RTS;
import static io.github.verbs4j.types.QpState.SQD;
import static io.github.verbs4j.types.QpState.SQE;
import static io.github.verbs4j.types.QpState.UNKNOWN;
import static io.github.verbs4j.types.QpType.RC;
import static io.github.verbs4j.types.QpType.UC;
import static io.github.verbs4j.types.QpType.UD;
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
import io.github.verbs4j.types.QpType;
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

    private static QpStateTable.Result check(QpType type, QpState from, QpAttr attr) {
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
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    @DisplayName("ST-01 from RESET only RESET and INIT, not even ERR")
    void fromReset(QpType type) {
        assertEquals(EnumSet.of(RESET, INIT), QpStateTable.next(type, RESET));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    @DisplayName("ST-02 from INIT: RESET, INIT, RTR, ERR")
    void fromInit(QpType type) {
        assertEquals(EnumSet.of(RESET, INIT, RTR, ERR), QpStateTable.next(type, INIT));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    @DisplayName("ST-03 from RTR: RESET, RTS, ERR")
    void fromRtr(QpType type) {
        assertEquals(EnumSet.of(RESET, RTS, ERR), QpStateTable.next(type, RTR));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    @DisplayName("ST-04 from RTS: RESET, RTS, SQD, ERR")
    void fromRts(QpType type) {
        assertEquals(EnumSet.of(RESET, RTS, SQD, ERR), QpStateTable.next(type, RTS));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    @DisplayName(
            "ST-05 from SQD: RESET, RTS, SQD, ERR; from SQE: RESET, RTS, ERR; from ERR: RESET, ERR")
    void fromSqdSqeAndErr(QpType type) {
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
        assertTrue(check(QpType.XRC_SEND, RTR, rts).ok());
        assertTrue(
                check(QpType.XRC_RECV, RTR, QpAttr.of(RTS).sqPsn(1).timeout(AckTimeout.MS_67))
                        .ok());
        assertTrue(check(QpType.XRC_RECV, INIT, TO_RTR).ok());
        assertFalse(check(QpType.XRC_SEND, INIT, TO_RTR).ok());
    }

    @Test
    void rawPacketsTakePortAndRate() {
        assertTrue(check(QpType.RAW_PACKET, RESET, QpAttr.of(INIT).portNum(1)).ok());
        assertTrue(check(QpType.RAW_PACKET, RTR, QpAttr.of(RTS).rateLimit(1000)).ok());
        assertTrue(check(QpType.RAW_PACKET, RTS, new QpAttr().rateLimit(0)).ok());
        assertOnlyDisallowed(QpAttrMask.RATE_LIMIT, check(RC, RTS, new QpAttr().rateLimit(1000)));
    }

    @Test
    void thereIsNoFindingWhereTheRulesAreNotKnown() {
        assertTrue(QpStateTable.check(QpType.DRIVER, RESET, RTS, -1).ok());
        assertTrue(QpStateTable.check(RC, UNKNOWN, RTS, -1).ok());
        assertEquals(EnumSet.allOf(QpState.class), QpStateTable.next(QpType.DRIVER, RESET));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
    void requiredAndOptionalNeverOverlap(QpType type) {
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
