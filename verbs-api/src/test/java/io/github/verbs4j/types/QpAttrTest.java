package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class QpAttrTest {
    private static final Gid HERE = Gid.parse("::ffff:10.0.0.1");
    private static final Gid THERE = Gid.parse("::ffff:10.0.0.2");
    private static final GidEntry ROCE =
            new GidEntry(HERE, 1, 2, GidType.ROCE_V2, 3, Optional.of("eth0"));
    private static final GidEntry IB = new GidEntry(HERE, 0, 1, GidType.IB, 0, Optional.empty());

    private static QpAddress remote(int lid, Gid gid, GidType type, Mtu mtu) {
        return new QpAddress(lid, 0x11, 0x22, gid, type, mtu);
    }

    private static void setEverything(QpAttr attr) {
        GlobalRoute grh = new GlobalRoute(THERE, 1, 2, 3, 4);
        attr.qpState(QpState.RTS)
                .curQpState(QpState.SQD)
                .enSqdAsyncNotify(true)
                .sqDraining(true)
                .qpAccessFlags(AccessFlag.REMOTE_READ)
                .pkeyIndex(65535)
                .portNum(1)
                .qkey(0x80000001)
                .ahAttr(new AhAttr().grh(grh))
                .pathMtu(Mtu.MTU_4096)
                .timeout(AckTimeout.MS_67)
                .retryCnt(7)
                .rnrRetry(7)
                .rqPsn(0xffffff)
                .maxRdAtomic(255)
                .minRnrTimer(RnrTimer.MS_0_64)
                .sqPsn(0xfffffe)
                .maxDestRdAtomic(254)
                .pathMigState(MigState.ARMED)
                .cap(new QpCap(1, 2, 3, 4, 5))
                .destQpNum(0xabcdef)
                .altAhAttr(new AhAttr().dlid(9))
                .altPkeyIndex(8)
                .altPortNum(2)
                .altTimeout(AckTimeout.S_1)
                .rateLimit(-1);
    }

    @Test
    void newAttributesHaveNothingSet() {
        QpAttr attr = new QpAttr();
        assertEquals(0, attr.mask());
        assertEquals("{}", attr.toString());
        assertNull(attr.qpState());
        assertNull(attr.ahAttr());
        assertEquals(0, attr.retryCnt());
        assertEquals(Set.of(), attr.qpAccessFlags());
    }

    @Test
    void everySetterSetsItsBitAndOnlyThat() {
        List<Consumer<QpAttr>> setters =
                List.of(
                        a -> a.qpState(QpState.ERR),
                        a -> a.curQpState(QpState.RTS),
                        a -> a.enSqdAsyncNotify(false),
                        a -> a.qpAccessFlags(Set.of()),
                        a -> a.pkeyIndex(0),
                        a -> a.portNum(1),
                        a -> a.qkey(0),
                        a -> a.ahAttr(new AhAttr()),
                        a -> a.pathMtu(Mtu.MTU_256),
                        a -> a.timeout(AckTimeout.INFINITE),
                        a -> a.retryCnt(0),
                        a -> a.rnrRetry(0),
                        a -> a.rqPsn(0),
                        a -> a.maxRdAtomic(0),
                        a -> a.altPortNum(0),
                        a -> a.minRnrTimer(RnrTimer.MS_655_36),
                        a -> a.sqPsn(0),
                        a -> a.maxDestRdAtomic(0),
                        a -> a.pathMigState(MigState.MIGRATED),
                        a -> a.cap(new QpCap(0, 0, 0, 0, 0)),
                        a -> a.destQpNum(0),
                        a -> a.rateLimit(0));
        QpAttrMask[] bits = QpAttrMask.values();
        assertEquals(bits.length, setters.size());
        for (int i = 0; i < bits.length; i++) {
            QpAttr attr = new QpAttr();
            setters.get(i).accept(attr);
            assertEquals(bits[i].value(), attr.mask(), bits[i].cName());
            assertTrue(attr.isSet(bits[i]));
        }
        assertFalse(new QpAttr().sqDraining(true).isSet(QpAttrMask.EN_SQD_ASYNC_NOTIFY));
    }

    @Test
    void everyPartOfTheAlternatePathSetsItsOneBit() {
        int alt = QpAttrMask.ALT_PATH.value();
        assertEquals(alt, new QpAttr().altAhAttr(new AhAttr()).mask());
        assertEquals(alt, new QpAttr().altPkeyIndex(1).mask());
        assertEquals(alt, new QpAttr().altTimeout(AckTimeout.S_1).mask());
    }

    @Test
    void withoutTakesBitsAway() {
        QpAttr attr =
                QpAttr.rtr(ROCE, remote(0, THERE, GidType.ROCE_V2, Mtu.MTU_4096))
                        .without(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);
        assertEquals(
                EnumSet.of(
                        QpAttrMask.STATE,
                        QpAttrMask.AV,
                        QpAttrMask.PATH_MTU,
                        QpAttrMask.RQ_PSN,
                        QpAttrMask.DEST_QPN),
                QpAttrMask.of(attr.mask()));
    }

    @Test
    void copyHasEveryFieldAndSharesNothingMutable() throws IllegalAccessException {
        QpAttr attr = new QpAttr();
        setEverything(attr);
        QpAttr copy = attr.copy();
        for (Field field : QpAttr.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            if (field.getType() == AhAttr.class) {
                assertNotSame(field.get(attr), field.get(copy), field.getName());
                assertEquals(field.get(attr).toString(), field.get(copy).toString());
            } else {
                assertEquals(field.get(attr), field.get(copy), field.getName());
            }
        }
        assertEquals(attr.toString(), copy.toString());
        assertEquals(QpAttrMask.bits(EnumSet.allOf(QpAttrMask.class)), copy.mask());
    }

    @Test
    void copyOfEmptyAttributesIsEmpty() {
        assertEquals("{}", new QpAttr().copy().toString());
    }

    @Test
    void addressesAreCopiedWhenSetButReadLive() {
        AhAttr mine = new AhAttr().dlid(1);
        QpAttr attr = new QpAttr().ahAttr(mine);
        mine.dlid(2);
        assertEquals(1, attr.ahAttr().dlid());
        attr.ahAttr().sl(3);
        assertEquals(3, attr.ahAttr().sl());
    }

    @Test
    void valuesOutsideTheFieldAreNamedWithTheirRange() {
        QpAttr attr = new QpAttr();
        List<String> messages = new ArrayList<>();
        List<Executable> calls =
                List.of(
                        () -> attr.retryCnt(8),
                        () -> attr.rnrRetry(-1),
                        () -> attr.rqPsn(1 << 24),
                        () -> attr.sqPsn(-1),
                        () -> attr.destQpNum(-1),
                        () -> attr.maxRdAtomic(256),
                        () -> attr.maxDestRdAtomic(-1),
                        () -> attr.pkeyIndex(65536),
                        () -> attr.altPkeyIndex(-1),
                        () -> attr.portNum(256),
                        () -> attr.altPortNum(-1),
                        () -> attr.pathMtu(Mtu.UNRECOGNIZED),
                        () -> attr.pathMigState(MigState.UNRECOGNIZED),
                        () -> QpAttr.init(0),
                        () -> QpAttr.initUd(256, 1));
        for (Executable call : calls) {
            messages.add(assertThrows(IllegalArgumentException.class, call).getMessage());
        }
        assertEquals(
                List.of(
                        "ibv_qp_attr.retry_cnt must be 0 to 7, was 8",
                        "ibv_qp_attr.rnr_retry must be 0 to 7, was -1",
                        "ibv_qp_attr.rq_psn must fit in 24 bits (0 to 0xffffff), was 0x01000000",
                        "ibv_qp_attr.sq_psn must fit in 24 bits (0 to 0xffffff), was 0xffffffff",
                        "ibv_qp_attr.dest_qp_num must fit in 24 bits (0 to 0xffffff), was"
                                + " 0xffffffff",
                        "ibv_qp_attr.max_rd_atomic must be 0 to 255, was 256",
                        "ibv_qp_attr.max_dest_rd_atomic must be 0 to 255, was -1",
                        "ibv_qp_attr.pkey_index must be 0 to 65535, was 65536",
                        "ibv_qp_attr.alt_pkey_index must be 0 to 65535, was -1",
                        "ibv_qp_attr.port_num must be 0 to 255, was 256",
                        "ibv_qp_attr.alt_port_num must be 0 to 255, was -1",
                        "Mtu.UNRECOGNIZED cannot be set",
                        "MigState.UNRECOGNIZED cannot be set",
                        "ibv_qp_attr.port_num must be 1 to 255, was 0",
                        "ibv_qp_attr.port_num must be 1 to 255, was 256"),
                messages);
        assertEquals(0, attr.mask());
    }

    @Test
    void initAllowsNothingUntilToldOtherwise() {
        QpAttr attr = QpAttr.init(2);
        assertEquals(
                "{qp_state=INIT, qp_access_flags=[], pkey_index=0, port_num=2}", attr.toString());
        attr.qpAccessFlags(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        assertEquals(
                EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ), attr.qpAccessFlags());
        assertEquals(
                "{qp_state=INIT, pkey_index=0, port_num=1, qkey=0x11111111}",
                QpAttr.initUd(1, 0x11111111).toString());
    }

    @Test
    void rtrTakesTheAddressOfThePeer() {
        QpAttr attr = QpAttr.rtr(ROCE, remote(7, THERE, GidType.ROCE_V2, Mtu.MTU_4096));
        assertEquals(
                "{qp_state=RTR, ah_attr={port_num=2, dlid=7, sl=0, dgid=::ffff:10.0.0.2,"
                        + " sgid_index=1, hop_limit=64, traffic_class=0, flow_label=0},"
                        + " path_mtu=1024, rq_psn=34, min_rnr_timer=12, max_dest_rd_atomic=1,"
                        + " dest_qp_num=0x000011}",
                attr.toString());
        assertTrue(attr.ahAttr().isGlobal());
    }

    @Test
    void rtrTakesTheSmallerMtuOfBothPorts() {
        QpAddress small = remote(0, THERE, GidType.ROCE_V2, Mtu.MTU_512);
        QpAddress large = remote(0, THERE, GidType.ROCE_V2, Mtu.MTU_4096);
        QpAddress unknown = remote(0, THERE, GidType.ROCE_V2, Mtu.UNRECOGNIZED);
        assertSame(Mtu.MTU_512, QpAttr.rtr(ROCE, small).pathMtu());
        assertSame(Mtu.MTU_1024, QpAttr.rtr(ROCE, unknown).pathMtu());
        assertSame(Mtu.MTU_4096, QpAttr.rtr(ROCE, large, large).pathMtu());
        assertSame(Mtu.MTU_512, QpAttr.rtr(ROCE, large, small).pathMtu());
        assertSame(Mtu.MTU_512, QpAttr.rtr(ROCE, small, unknown).pathMtu());
        assertSame(Mtu.MTU_1024, QpAttr.rtr(ROCE, unknown, large).pathMtu());
        assertSame(Mtu.MTU_1024, QpAttr.rtr(ROCE, unknown, unknown).pathMtu());
    }

    @Test
    void rtrUsesTheLidAloneOnInfiniBandWithoutGid() {
        QpAttr attr = QpAttr.rtr(IB, remote(7, Gid.of(0, 0), GidType.IB, Mtu.MTU_4096));
        assertFalse(attr.ahAttr().isGlobal());
        assertEquals(7, attr.ahAttr().dlid());
        assertEquals(1, attr.ahAttr().portNum());
        assertTrue(QpAttr.rtr(IB, remote(7, THERE, GidType.IB, Mtu.MTU_4096)).ahAttr().isGlobal());
    }

    @Test
    @DisplayName("ST-08 rtr refuses addresses that cannot work, with the reason")
    void rtrRefusesAddressesThatCannotWork() {
        var types =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> QpAttr.rtr(ROCE, remote(0, THERE, GidType.ROCE_V1, Mtu.MTU_1024)));
        assertEquals(
                "GID index 1 is ROCE_V2 but the peer's GID is ROCE_V1: both must have the same"
                        + " type",
                types.getMessage());
        var zero =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                QpAttr.rtr(
                                        ROCE,
                                        remote(0, Gid.of(0, 0), GidType.ROCE_V2, Mtu.MTU_1024)));
        assertTrue(zero.getMessage().startsWith("the peer's GID is zero"));
        var lid =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> QpAttr.rtr(IB, remote(0, THERE, GidType.IB, Mtu.MTU_1024)));
        assertTrue(lid.getMessage().startsWith("the peer's LID is 0"));
    }

    @Test
    void rtsHasTheDefaults() {
        assertEquals(
                "{qp_state=RTS, timeout=14, retry_cnt=6, rnr_retry=7, max_rd_atomic=1,"
                        + " sq_psn=291}",
                QpAttr.rts(0x123).toString());
    }

    @Test
    void everythingSetPrintsByItsCName() {
        QpAttr attr = new QpAttr();
        setEverything(attr);
        String text = attr.toString();
        assertTrue(text.contains("qkey=0x80000001"), text);
        assertTrue(text.contains("rate_limit=4294967295"), text);
        assertTrue(text.contains("alt_port_num=2"), text);
        assertTrue(text.contains("dest_qp_num=0xabcdef"), text);
        assertTrue(text.contains("path_mtu=4096"), text);
    }
}
