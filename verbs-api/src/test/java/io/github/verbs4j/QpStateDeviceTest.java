package io.github.verbs4j;

import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.QpState.INIT;
import static io.github.verbs4j.types.QpState.RESET;
import static io.github.verbs4j.types.QpState.RTR;
import static io.github.verbs4j.types.QpState.RTS;
import static io.github.verbs4j.types.QpState.SQD;
import static io.github.verbs4j.types.QpState.SQE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RnrTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@RequiresDevice
class QpStateDeviceTest {

    private static final Map<QpState, Set<QpState>> LEGAL =
            Map.of(
                    RESET, EnumSet.of(RESET, INIT),
                    INIT, EnumSet.of(RESET, INIT, RTR, ERR),
                    RTR, EnumSet.of(RESET, RTS, ERR),
                    RTS, EnumSet.of(RESET, RTS, SQD, ERR),
                    SQD, EnumSet.of(RESET, RTS, SQD, ERR),
                    ERR, EnumSet.of(RESET, ERR));
    private static final Map<QpState, String> ROWS =
            Map.of(
                    RESET, "ST-01", INIT, "ST-02", RTR, "ST-03", RTS, "ST-04", SQD, "ST-05", ERR,
                    "ST-05");

    private LoopbackPair pair;
    private QueuePair qp;

    @BeforeEach
    void open() {
        pair = new LoopbackPair(attr -> attr);
        qp = pair.a;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /** The step to a state, with all that it needs coming from the one before it. */
    private QpAttr step(QpState from, QpState to) {
        List<QpAttr> steps = pair.steps(qp, pair.b);
        if (to == INIT) {
            return steps.get(0);
        }
        if (to == RTR) {
            return steps.get(1);
        }
        return to == RTS && from == RTR ? steps.get(2) : QpAttr.of(to);
    }

    private void bringTo(QpState target) {
        QpState at = RESET;
        List<QpState> way =
                switch (target) {
                    case RESET -> List.of();
                    case ERR -> List.of(INIT, ERR);
                    default -> List.of(INIT, RTR, RTS, SQD);
                };
        for (QpState next : way) {
            if (at == target) {
                return;
            }
            qp.modify(step(at, next));
            at = next;
        }
        // Until the send queue has drained rxe refuses the next step.
        while (target == SQD && qp.query().sqDraining()) {
            Thread.yield();
        }
    }

    static Stream<Arguments> transitions() {
        List<Arguments> all = new ArrayList<>();
        for (QpState from : List.of(RESET, INIT, RTR, RTS, SQD, ERR)) {
            for (QpState to : List.of(RESET, INIT, RTR, RTS, SQD, SQE, ERR)) {
                all.add(Arguments.of(ROWS.get(from), from, to, LEGAL.get(from).contains(to)));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} {1} to {2}: {3}")
    @MethodSource("transitions")
    @DisplayName("ST-01 to ST-05 every step of the state machine, legal or refused with a reason")
    void transition(String row, QpState from, QpState to, boolean legal) {
        bringTo(from);
        assertEquals(from, qp.state());
        assertEquals(from, qp.query().qpState());
        QpAttr step = step(from, to);
        if (legal) {
            qp.modify(step);
            assertEquals(to, qp.state());
            assertEquals(to, qp.query().qpState());
            return;
        }
        QpTransitionException e = assertThrows(QpTransitionException.class, () -> qp.modify(step));
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals(from, e.from());
        assertEquals(to, e.to());
        assertTrue(e.getMessage().contains("not a legal step"), e.getMessage());
        assertEquals(from, qp.state());
        assertEquals(from, qp.query().qpState());
    }

    static Stream<Arguments> required() {
        return Stream.of(
                        Map.entry(INIT, "PKEY_INDEX PORT ACCESS_FLAGS"),
                        Map.entry(
                                RTR,
                                "AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER"),
                        Map.entry(RTS, "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC"))
                .flatMap(
                        entry ->
                                Stream.of(entry.getValue().split(" "))
                                        .map(QpAttrMask::valueOf)
                                        .map(bit -> Arguments.of(entry.getKey(), bit)));
    }

    @ParameterizedTest(name = "to {0} without {1}")
    @MethodSource("required")
    @DisplayName("ST-06 a required attribute that is missing is named, and only it")
    void missing(QpState to, QpAttrMask bit) {
        QpState from = to == INIT ? RESET : to == RTR ? INIT : RTR;
        bringTo(from);
        QpAttr step = step(from, to).without(bit);
        QpTransitionException e = assertThrows(QpTransitionException.class, () -> qp.modify(step));
        assertEquals(EnumSet.of(bit), e.missing());
        assertEquals(EnumSet.noneOf(QpAttrMask.class), e.disallowed());
        assertTrue(e.getMessage().contains("missing " + bit.cName() + ";"), e.getMessage());
        assertEquals(from, qp.query().qpState());
        qp.modify(step(from, to)); // and with it the step is taken
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"INIT", "RTR", "RTS"})
    @DisplayName("ST-06 an attribute of another transport is named as not allowed")
    void disallowed(QpState to) {
        QpState from = to == INIT ? RESET : to == RTR ? INIT : RTR;
        bringTo(from);
        QpAttr step = step(from, to).qkey(5);
        QpTransitionException e = assertThrows(QpTransitionException.class, () -> qp.modify(step));
        assertEquals(EnumSet.of(QpAttrMask.QKEY), e.disallowed());
        assertTrue(e.getMessage().contains("not allowed IBV_QP_QKEY"), e.getMessage());
    }

    @Test
    @DisplayName("a failed request took the queue pair to ERR: a later refusal says so")
    void diagnosisKnowsTheRealState() throws Exception {
        pair.connect();
        MemoryRegion mr = pair.mrA;
        qp.postSend(
                new SendWr(1)
                        .opcode(io.github.verbs4j.types.WrOpcode.RDMA_WRITE)
                        .sge(mr, 0, 8)
                        .remote(pair.mrB.address(), 0x1));
        assertTrue(!pair.completionA().isSuccess());
        assertEquals(RTS, qp.state());
        assertEquals(ERR, qp.query().qpState());
        QpTransitionException e =
                assertThrows(
                        QpTransitionException.class,
                        () -> qp.modify(QpAttr.of(RTS).minRnrTimer(RnrTimer.MS_0_64)));
        assertEquals(ERR, e.from());
    }

    @ParameterizedTest
    @EnumSource(
            value = Mtu.class,
            names = {"UNRECOGNIZED"},
            mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("ST-10 every path MTU up to the port's is taken and read back")
    void pathMtu(Mtu mtu) {
        bringTo(INIT);
        assumeTrue(
                mtu.compareTo(pair.context.queryPort(1).activeMtu()) <= 0,
                "the port's MTU is smaller");
        qp.modify(step(INIT, RTR).pathMtu(mtu));
        assertEquals(mtu, qp.query().pathMtu());
    }

    @Test
    @DisplayName("ST-10 a path MTU that is none cannot be set")
    void noMtu() {
        assertThrows(IllegalArgumentException.class, () -> new QpAttr().pathMtu(Mtu.UNRECOGNIZED));
        assertThrows(NullPointerException.class, () -> new QpAttr().pathMtu(null));
    }

    @Test
    @DisplayName("ST-11 depths of READs beyond the device's are refused, not wrapped to nothing")
    void readDepths() {
        DeviceAttr limits = pair.context.queryDevice();
        bringTo(INIT);
        QpAttr tooDeep = step(INIT, RTR).maxDestRdAtomic(limits.maxQpRdAtom() + 1);
        String message =
                assertThrows(IllegalArgumentException.class, () -> qp.modify(tooDeep)).getMessage();
        assertTrue(message.contains("max_dest_rd_atomic"), message);
        qp.modify(step(INIT, RTR).maxDestRdAtomic(limits.maxQpRdAtom()));
        assertEquals(limits.maxQpRdAtom(), qp.query().maxDestRdAtomic());
        QpAttr tooMany = step(RTR, RTS).maxRdAtomic(limits.maxQpInitRdAtom() + 1);
        message =
                assertThrows(IllegalArgumentException.class, () -> qp.modify(tooMany)).getMessage();
        assertTrue(message.contains("max_rd_atomic"), message);
        assertEquals(RTR, qp.state());
    }

    @Test
    @DisplayName("ST-12 timers, retry counts and packet numbers outside their bits cannot be set")
    void valuesOutsideTheirBits() {
        QpAttr attr = new QpAttr();
        assertThrows(IllegalArgumentException.class, () -> attr.retryCnt(8));
        assertThrows(IllegalArgumentException.class, () -> attr.rnrRetry(-1));
        assertThrows(IllegalArgumentException.class, () -> attr.rqPsn(1 << 24));
        assertThrows(IllegalArgumentException.class, () -> attr.sqPsn(-1));
        assertThrows(IllegalArgumentException.class, () -> attr.destQpNum(1 << 24));
        assertEquals(0, attr.mask());
    }

    @Test
    @DisplayName("ST-13 a UD queue pair needs its Q_Key, and RTS its packet number")
    void udMasks() {
        QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqA));
        QpTransitionException noKey =
                assertThrows(
                        QpTransitionException.class,
                        () -> ud.modify(QpAttr.initUd(1, 7).without(QpAttrMask.QKEY)));
        assertEquals(EnumSet.of(QpAttrMask.QKEY), noKey.missing());
        QpTransitionException access =
                assertThrows(
                        QpTransitionException.class,
                        () -> ud.modify(QpAttr.initUd(1, 7).qpAccessFlags(Set.of())));
        assertEquals(EnumSet.of(QpAttrMask.ACCESS_FLAGS), access.disallowed());
        ud.modify(QpAttr.initUd(1, 7));
        ud.modify(QpAttr.of(RTR));
        QpTransitionException noPsn =
                assertThrows(QpTransitionException.class, () -> ud.modify(QpAttr.of(RTS)));
        assertEquals(EnumSet.of(QpAttrMask.SQ_PSN), noPsn.missing());
        ud.modify(QpAttr.of(RTS).sqPsn(1));
        ud.modify(QpAttr.of(RTS).qkey(8));
        assertEquals(8, ud.query().qkey());
    }

    @Test
    @DisplayName("ST-13 a UC queue pair takes none of what only RC retries need")
    void ucMasks() {
        QueuePair uc = pair.pd.createQp(new QpInitAttr(QpType.UC, pair.cqA));
        uc.modify(QpAttr.init(1).qpAccessFlags(AccessFlag.REMOTE_WRITE));
        QpTransitionException e =
                assertThrows(QpTransitionException.class, () -> uc.modify(step(INIT, RTR)));
        assertEquals(
                EnumSet.of(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER),
                e.disallowed());
    }

    @Test
    @DisplayName("ST-14 in RTS access and RNR timer may change, the acknowledgement timeout not")
    void changesInRts() {
        bringTo(RTS);
        qp.modify(
                QpAttr.of(RTS).minRnrTimer(RnrTimer.MS_0_64).qpAccessFlags(AccessFlag.REMOTE_READ));
        QpAttr now = qp.query();
        assertEquals(RnrTimer.MS_0_64, now.minRnrTimer());
        assertTrue(now.qpAccessFlags().contains(AccessFlag.REMOTE_READ));
        assertTrue(!now.qpAccessFlags().contains(AccessFlag.REMOTE_WRITE));
        QpTransitionException e =
                assertThrows(
                        QpTransitionException.class,
                        () -> qp.modify(QpAttr.of(RTS).timeout(AckTimeout.MS_17)));
        assertEquals(EnumSet.of(QpAttrMask.TIMEOUT), e.disallowed());
        assertEquals(AckTimeout.of(10), qp.query().timeout());
    }

    @Test
    @DisplayName("ST-14 changing nothing is no error, and does not change the state")
    void changeNothing() {
        bringTo(RTS);
        qp.modify(new QpAttr());
        assertEquals(RTS, qp.state());
        assertThrows(NullPointerException.class, () -> qp.modify(null));
    }

    @Test
    @DisplayName("ST-15 a query in RTS gives back what was set")
    void query() {
        pair.connect();
        QpAttr now = qp.query();
        assertEquals(RTS, now.qpState());
        assertEquals(pair.b.qpNum(), now.destQpNum());
        assertEquals(pair.b.localAddress(pair.gid).psn(), now.rqPsn());
        assertEquals(16, now.maxRdAtomic());
        assertEquals(16, now.maxDestRdAtomic());
        assertEquals(3, now.retryCnt());
        assertEquals(3, now.rnrRetry());
        assertEquals(AckTimeout.of(10), now.timeout());
        assertEquals(1, now.portNum());
        assertEquals(pair.gid.gid(), now.ahAttr().grh().dgid());
        assertEquals(pair.gid.index(), now.ahAttr().grh().sgidIndex());
        assertEquals(EnumSet.copyOf(List.of(LoopbackPair.QP_ALL)), now.qpAccessFlags());
    }

    @Test
    @DisplayName(
            "ST-16 a reset drops what was outstanding, and the queue pair works again after it")
    void reuseAfterReset() throws Exception {
        pair.connect(pair.a, pair.b, LoopbackPair.PATIENT);
        pair.connect(pair.b, pair.a);
        for (int i = 0; i < 3; i++) {
            pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 0, 64));
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 8)); // waits for a receive
        }
        pair.a.modify(QpAttr.of(RESET));
        pair.b.modify(QpAttr.of(RESET));
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(100)));
        pair.connect();
        pair.b.postRecv(new RecvWr(1).wrId(9).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 16));
        pair.completionA().checkSuccess();
        WorkCompletion received = pair.completionB().checkSuccess();
        assertEquals(9, received.wrId());
        assertEquals(16, received.byteLen());
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(50)));
    }
}
