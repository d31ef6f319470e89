package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class SendBatchUdDeviceTest {

    private static final int QKEY = 0x11111111;
    private static final int GRH = 40;

    private ExtendedPair pair;
    private QueuePairEx a;
    private QueuePairEx b;
    private AddressHandle ah;

    @BeforeEach
    void open() {
        pair = new ExtendedPair(cq -> cq, qp -> qp);
        a = pair.pd.createQpEx(attr(pair.cqA));
        b = pair.pd.createQpEx(attr(pair.cqB));
        activate(a);
        activate(b);
        ah = pair.pd.createAh(AhAttr.to(pair.base.gid, pair.base.gid.gid()));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static QpInitAttrEx attr(CompletionQueueEx cq) {
        return new QpInitAttrEx(QpType.UD, cq)
                .maxSendSge(2)
                .maxInlineData(64)
                .sendOps(SendOp.SEND, SendOp.SEND_WITH_IMM);
    }

    private void activate(QueuePair qp) {
        qp.modify(QpAttr.initUd(pair.base.gid.port(), QKEY));
        qp.modify(QpAttr.of(QpState.RTR));
        qp.modify(QpAttr.of(QpState.RTS).sqPsn(1));
    }

    @Test
    @DisplayName("EX-14 datagrams arrive from a region, and inline with immediate data")
    void datagrams() throws Exception {
        b.postRecv(new RecvWr(1).wrId(1).sge(pair.mrB, 0, 100));
        b.postRecv(new RecvWr(1).wrId(2).sge(pair.mrB, 200, 100));
        pair.mrA.segment().setString(0, "datagram");
        a.sendBatch(2)
                .send()
                .setUdAddr(ah, b.qpNum(), QKEY)
                .setSge(pair.mrA, 0, 9)
                .sendImm(0x0a0b0c0d)
                .setInlineData(MemorySegment.ofArray(new byte[] {4, 5, 6}))
                .setUdAddr(ah, b.qpNum(), QKEY)
                .complete();
        pair.succeed(pair.cqA);
        pair.succeed(pair.cqA);
        pair.succeed(pair.cqB);
        assertEquals(1, pair.wc.wrId(0));
        assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
        assertEquals(GRH + 9, pair.wc.byteLen(0));
        assertEquals(a.qpNum(), pair.wc.srcQp(0));
        assertEquals(b.qpNum(), pair.wc.qpNum(0));
        assertEquals(WcFlags.GRH, pair.wc.wcFlags(0));
        assertEquals("datagram", pair.mrB.segment().getString(GRH));
        pair.succeed(pair.cqB);
        assertEquals(GRH + 3, pair.wc.byteLen(0));
        assertEquals(0x0a0b0c0d, pair.wc.immData(0));
        assertArrayEquals(
                new byte[] {4, 5, 6},
                pair.mrB.segment().asSlice(200 + GRH, 3).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    @DisplayName("a datagram without an address, or to one that was closed, is refused whole")
    void noAddress() throws Exception {
        SendBatch batch = a.sendBatch(2);
        batch.send().setUdAddr(ah, b.qpNum(), QKEY).send();
        assertThrows(IllegalStateException.class, batch::complete);
        batch.send().setUdAddr(ah, b.qpNum(), QKEY);
        ah.close();
        assertThrows(IllegalStateException.class, batch::complete);
        assertEquals(0, pair.cqA.poll(pair.wc));
        assertEquals(0, batch.count());
    }

    @Test
    @DisplayName("an address handle that is being posted to stays open until it was")
    void addressHandleStaysOpen() throws Exception {
        SendBatch batch = a.sendBatch(1);
        batch.send().setUdAddr(ah, b.qpNum(), QKEY).complete();
        ah.close();
        pair.await(pair.cqA);
        assertEquals(a.qpNum(), pair.wc.qpNum(0));
    }

    @Test
    @DisplayName("EX-01 the fields of a datagram's path are there when asked for")
    void pathFields() throws Exception {
        CompletionQueueEx cq =
                pair.context.createCqEx(
                        new CqInitAttrEx(8)
                                .wcFlags(
                                        WcExFlag.SRC_QP,
                                        WcExFlag.SLID,
                                        WcExFlag.SL,
                                        WcExFlag.DLID_PATH_BITS));
        QueuePairEx receiver = pair.pd.createQpEx(attr(cq));
        activate(receiver);
        receiver.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
        a.post(b -> b.send().setUdAddr(ah, receiver.qpNum(), QKEY).setSge(pair.mrA, 0, 4));
        pair.succeed(cq);
        assertEquals(a.qpNum(), pair.wc.srcQp(0));
        if (TestDevice.isRxe(pair.context)) {
            assertEquals(0, pair.wc.slid(0));
            assertEquals(0, pair.wc.sl(0));
            assertEquals(0, pair.wc.dlidPathBits(0));
        }
        assertThrows(IllegalStateException.class, () -> pair.wc.byteLen(0));
    }

    @Test
    @DisplayName("an address handle of another domain is refused before anything is posted")
    void foreignAddressHandle() {
        try (ProtectionDomain other = pair.context.allocPd();
                AddressHandle foreign =
                        other.createAh(AhAttr.to(pair.base.gid, pair.base.gid.gid()))) {
            SendBatch batch = a.sendBatch(1).send();
            assertThrows(IllegalArgumentException.class, () -> batch.setUdAddr(foreign, 1, QKEY));
            assertThrows(NullPointerException.class, () -> batch.setUdAddr(null, 1, QKEY));
        }
    }

    @Test
    @DisplayName("a datagram gathered from parts of different lengths arrives whole")
    void unevenGather() throws Exception {
        b.postRecv(new RecvWr(1).wrId(1).sge(pair.mrB, 0, 100));
        pair.mrA.segment().setString(0, "uneven parts");
        a.sendBatch(1)
                .wrId(5)
                .sendImm(0x11223344)
                .setUdAddr(ah, b.qpNum(), QKEY)
                .addSge(pair.mrA, 0, 3)
                .addSge(pair.mrA, 3, 10)
                .complete();
        pair.succeed(pair.cqA);
        assertEquals(5, pair.wc.wrId(0));
        pair.succeed(pair.cqB);
        assertEquals(GRH + 13, pair.wc.byteLen(0));
        assertEquals(0x11223344, pair.wc.immData(0));
        assertEquals("uneven parts", pair.mrB.segment().getString(GRH));
    }

    @Test
    @DisplayName("UD-07 a batch with a datagram longer than the MTU is refused, and can be mended")
    void longerThanMtu() throws Exception {
        int mtu = pair.context.queryPort(pair.base.gid.port()).activeMtu().bytes();
        try (MemoryRegion mr = pair.pd.allocateMr(2L * mtu, AccessFlag.LOCAL_WRITE)) {
            b.postRecv(new RecvWr(1).wrId(1).sge(pair.mrB, 0, 100));
            SendBatch batch = a.sendBatch(2);
            batch.send().setUdAddr(ah, b.qpNum(), QKEY).setSge(mr, 0, mtu).addSge(mr, 0, 1);
            String message =
                    assertThrows(IllegalArgumentException.class, batch::tryComplete).getMessage();
            assertTrue(message.contains("active MTU"), message);
            batch.wrId(7).setSge(mr, 0, 5);
            assertTrue(batch.tryComplete());
            pair.succeed(pair.cqA);
            pair.succeed(pair.cqB);
            assertEquals(GRH + 5, pair.wc.byteLen(0));
        }
    }
}
