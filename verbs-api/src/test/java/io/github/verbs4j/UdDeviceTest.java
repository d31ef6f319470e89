package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.DatagramPair;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.GlobalRoute;
import io.github.verbs4j.types.Grh;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class UdDeviceTest {

    private static MemorySegment received(DatagramPair pair) {
        return pair.mr.segment().asSlice(DatagramPair.RECV_AT);
    }

    private static Grh header(DatagramPair pair) {
        return Grh.parse(received(pair).asSlice(0, Grh.BYTES).toArray(JAVA_BYTE));
    }

    @Test
    @DisplayName("UD-01 a datagram arrives behind a header that says where it came from")
    void datagramArrives() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            AhAttr address =
                    AhAttr.to(pair.gid, pair.gid.gid())
                            .grh(new GlobalRoute(pair.gid.gid(), 0, pair.gid.index(), 33, 0x48));
            try (AddressHandle ah = pair.pd.createAh(address)) {
                pair.mr.segment().setString(DatagramPair.SEND_AT, "some text");
                pair.postRecvB(7, 100);
                pair.a.postSend(pair.sendToB(10).wrId(8).ud(ah, pair.b.qpNum(), DatagramPair.QKEY));
                pair.await(pair.cqA);
                pair.wc.checkSuccess(0);
                assertEquals(8, pair.wc.wrId(0));
                pair.await(pair.cqB);
                pair.wc.checkSuccess(0);
                assertEquals(7, pair.wc.wrId(0));
                assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
                assertEquals(Grh.BYTES + 10, pair.wc.byteLen(0));
                assertEquals(pair.a.qpNum(), pair.wc.srcQp(0));
                assertEquals(pair.b.qpNum(), pair.wc.qpNum(0));
                assertEquals(WcFlags.GRH, pair.wc.wcFlags(0));
                assertEquals("some text", received(pair).getString(Grh.BYTES));
                Grh grh = header(pair);
                assertEquals(pair.gid.gid(), grh.sgid());
                assertEquals(pair.gid.gid(), grh.dgid());
                // Linux takes the hop limit of the route, whatever the address says.
                assertTrue(grh.hopLimit() > 0);
                assertEquals(0x48, grh.trafficClass());
                if (TestDevice.isRxe(pair.context)) {
                    assertTrue(grh.isIpv4());
                    assertArrayEquals(
                            new byte[20], received(pair).asSlice(0, 20).toArray(JAVA_BYTE));
                }
            }
        }
    }

    @Test
    @DisplayName("UD-02 the completion and the header lead back to the sender")
    void replyFindsTheSender() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.postRecvB(1, 100);
            pair.a.postSend(pair.sendToB(10));
            pair.await(pair.cqA);
            pair.await(pair.cqB);
            AhAttr back = pair.context.initAhFromWc(1, pair.wc, 0, received(pair));
            assertEquals(1, back.portNum());
            assertEquals(pair.gid.index(), back.grh().sgidIndex());
            assertEquals(pair.gid.gid(), back.grh().dgid());
            try (AddressHandle ah = pair.pd.createAhFromWc(pair.wc, 0, received(pair), 1)) {
                int peer = pair.wc.srcQp(0);
                pair.a.postRecv(new RecvWr(1).wrId(5).sge(pair.mr, DatagramPair.RECV_AT, 100));
                pair.b.postSend(
                        new SendWr(1)
                                .send(pair.mr, DatagramPair.SEND_AT, 20)
                                .ud(ah, peer, DatagramPair.QKEY));
                pair.await(pair.cqB);
                pair.wc.checkSuccess(0);
                pair.await(pair.cqA);
                pair.wc.checkSuccess(0);
                assertEquals(5, pair.wc.wrId(0));
                assertEquals(Grh.BYTES + 20, pair.wc.byteLen(0));
            }
        }
    }

    @Test
    @DisplayName("UD-03 a datagram without data carries its immediate data")
    void emptyDatagramWithImmediate() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.postRecvB(1, 100);
            pair.a.postSend(
                    new SendWr(0)
                            .opcode(WrOpcode.SEND_WITH_IMM)
                            .immData(0x12345678)
                            .ud(pair.ah, pair.b.qpNum(), DatagramPair.QKEY));
            pair.await(pair.cqB);
            assertEquals(Grh.BYTES, pair.wc.byteLen(0));
            assertEquals(WcFlags.GRH | WcFlags.WITH_IMM, pair.wc.wcFlags(0));
            assertEquals(0x12345678, pair.wc.immData(0));
        }
    }

    @Test
    @DisplayName("UD-05 without a receive a datagram is lost, and the next one arrives")
    void lostWithoutReceive() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.a.postSend(pair.sendToB(10));
            pair.await(pair.cqA);
            pair.wc.checkSuccess(0);
            pair.postRecvB(2, 100);
            pair.a.postSend(pair.sendToB(11));
            pair.await(pair.cqB);
            assertEquals(2, pair.wc.wrId(0));
            assertEquals(Grh.BYTES + 11, pair.wc.byteLen(0));
        }
    }

    @Test
    @DisplayName("UD-06 a receive that is too small breaks an rxe queue pair")
    void tooSmallReceive() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.postRecvB(1, Grh.BYTES + 5);
            pair.a.postSend(pair.sendToB(10));
            pair.await(pair.cqA);
            pair.wc.checkSuccess(0);
            if (TestDevice.isRxe(pair.context)) {
                pair.await(pair.cqB);
                assertEquals(WcStatus.LOC_QP_OP_ERR, pair.wc.status(0));
                assertEquals(QpState.ERR, pair.b.query().qpState());
            }
        }
    }

    @Test
    @DisplayName("UD-07 a datagram of the MTU arrives, one byte more is refused")
    void mtuIsTheLimit() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            int mtu = pair.context.queryPort(1).activeMtu().bytes();
            pair.postRecvB(1, 9000);
            pair.a.postSend(pair.sendToB(mtu));
            pair.await(pair.cqB);
            assertEquals(Grh.BYTES + mtu, pair.wc.byteLen(0));
            pair.await(pair.cqA);
            SendWr longer = pair.sendToB(mtu + 1);
            String message =
                    assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(longer))
                            .getMessage();
            assertTrue(message.contains((mtu + 1) + " bytes"), message);
            assertTrue(message.contains("active MTU of port 1 is " + mtu), message);
            assertThrows(IllegalArgumentException.class, () -> pair.a.tryPostSend(longer));
            assertNothingSent(pair);
        }
    }

    @Test
    @DisplayName(
            "UD-07 elements of a datagram count together; a chain with a longer one is refused")
    void mtuOfElementsAndChains() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            int mtu = pair.context.queryPort(1).activeMtu().bytes();
            SendWrArray chain = new SendWrArray(2, 2);
            chain.get(0).send(pair.mr, 0, 8).ud(pair.ah, pair.b.qpNum(), DatagramPair.QKEY);
            chain.get(1)
                    .sge(0, pair.mr, 0, mtu - 8)
                    .sge(1, pair.mr, 0, 9)
                    .ud(pair.ah, pair.b.qpNum(), DatagramPair.QKEY);
            assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(chain));
            assertNothingSent(pair);
            chain.get(1).sge(1, pair.mr, 0, 8);
            pair.postRecvB(1, 9000);
            pair.postRecvB(2, 9000);
            pair.a.postSend(chain);
            pair.await(pair.cqB);
            pair.await(pair.cqB);
            assertEquals(Grh.BYTES + mtu, pair.wc.byteLen(0));
        }
    }

    /** What was refused is not in the queue: the next datagram is the first to complete. */
    private static void assertNothingSent(DatagramPair pair) throws Exception {
        pair.postRecvB(99, 9000);
        pair.a.postSend(pair.sendToB(1).wrId(99));
        pair.await(pair.cqA);
        assertEquals(99, pair.wc.wrId(0));
        pair.await(pair.cqB);
        assertEquals(Grh.BYTES + 1, pair.wc.byteLen(0));
        assertEquals(0, pair.cqA.poll(pair.wc));
    }

    @Test
    @DisplayName("UD-08 operations that datagrams lack are refused before the provider sees them")
    void otherOperationsAreRefused() {
        try (DatagramPair pair = new DatagramPair()) {
            RemoteBuffer target = new RemoteBuffer(0x1000, 4096, 1);
            SendWr wr = pair.sendToB(8).write(pair.mr, 0, 8, target, 0);
            assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr));
            wr.read(pair.mr, 0, 8, target, 0);
            assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr));
            wr.fetchAdd(pair.mr, 0, target, 0, 1);
            assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr));
            assertEquals(QpState.RTS, pair.a.query().qpState());
        }
    }

    @Test
    @DisplayName("a datagram whose address handle is closed before it has gone out may fail")
    void handleClosedBeforeItIsNeeded() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.a.modify(QpAttr.of(QpState.SQD)); // what is posted now waits
            pair.a.postSend(pair.sendToB(8).wrId(1));
            pair.ah.close();
            pair.a.modify(QpAttr.of(QpState.RTS));
            try (AddressHandle open = pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid()))) {
                pair.a.postSend(
                        pair.sendToB(8).wrId(2).ud(open, pair.b.qpNum(), DatagramPair.QKEY));
                pair.await(pair.cqA);
                boolean rxe = TestDevice.isRxe(pair.context); // looks at it only now
                assertEquals(1, pair.wc.wrId(0));
                assertEquals(rxe ? WcStatus.LOC_QP_OP_ERR : WcStatus.SUCCESS, pair.wc.status(0));
                pair.await(pair.cqA);
                assertEquals(2, pair.wc.wrId(0));
                assertEquals(rxe ? WcStatus.WR_FLUSH_ERR : WcStatus.SUCCESS, pair.wc.status(0));
            }
        }
    }

    @Test
    @DisplayName("UD-09 an address handle of another domain is refused")
    void foreignAddressHandle() {
        try (DatagramPair pair = new DatagramPair();
                ProtectionDomain other = pair.context.allocPd();
                AddressHandle foreign = other.createAh(AhAttr.to(pair.gid, pair.gid.gid()))) {
            SendWr wr = pair.sendToB(8).ud(foreign, pair.b.qpNum(), DatagramPair.QKEY);
            assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(wr));
        }
    }

    @Test
    @DisplayName("UD-09 a closed address handle is refused, alone and in a chain")
    void closedAddressHandle() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            AddressHandle closed = pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid()));
            closed.close();
            closed.close();
            assertFalse(closed.isOpen());
            SendWr wr = pair.sendToB(8).ud(closed, pair.b.qpNum(), DatagramPair.QKEY);
            assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
            SendWrArray chain = new SendWrArray(2, 1);
            chain.get(0).send(pair.mr, 0, 8).ud(pair.ah, pair.b.qpNum(), DatagramPair.QKEY);
            chain.get(1).send(pair.mr, 0, 8).ud(closed, pair.b.qpNum(), DatagramPair.QKEY);
            assertThrows(IllegalStateException.class, () -> pair.a.postSend(chain));
            pair.ah.close(); // would wait for ever if the failed chain had kept it entered
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("a datagram without an address handle is refused")
    void missingAddressHandle() {
        try (DatagramPair pair = new DatagramPair()) {
            SendWr wr = new SendWr(1).send(pair.mr, 0, 8);
            assertThrows(IllegalStateException.class, () -> pair.a.postSend(wr));
        }
    }

    @Test
    @DisplayName("a chain of datagrams arrives in order, inline ones among them")
    void chain() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            for (int i = 0; i < 3; i++) {
                pair.postRecvB(i, 100);
            }
            SendWrArray chain = new SendWrArray(4, 1);
            for (int i = 0; i < 4; i++) {
                chain.get(i)
                        .send(pair.mr, 0, 10 + i)
                        .ud(pair.ah, pair.b.qpNum(), DatagramPair.QKEY)
                        .wrId(i);
            }
            chain.get(1).sendFlags(SendFlags.INLINE | SendFlags.SIGNALED);
            assertEquals(3, pair.a.tryPostSend(chain, 3));
            for (int i = 0; i < 3; i++) {
                pair.await(pair.cqA);
                pair.wc.checkSuccess(0);
                assertEquals(i, pair.wc.wrId(0));
                pair.await(pair.cqB);
                assertEquals(Grh.BYTES + 10 + i, pair.wc.byteLen(0));
            }
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("a datagram with a wrong Q_Key is lost")
    void wrongQkey() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.postRecvB(1, 100);
            pair.a.postSend(pair.sendToB(10).ud(pair.ah, pair.b.qpNum(), 0x22222222));
            pair.await(pair.cqA);
            pair.wc.checkSuccess(0);
            pair.a.postSend(pair.sendToB(12));
            pair.await(pair.cqB);
            assertEquals(Grh.BYTES + 12, pair.wc.byteLen(0));
        }
    }

    @Test
    @DisplayName("UD-10 RC to UD ends in RETRY_EXC_ERR")
    void connectedToDatagram() throws Exception {
        try (DatagramPair pair = new DatagramPair();
                LoopbackPair rc = new LoopbackPair(attr -> attr)) {
            pair.postRecvB(1, 100);
            rc.a.modify(QpAttr.init(1));
            rc.a.modify(QpAttr.rtr(rc.gid, pair.b.localAddress(rc.gid)));
            rc.a.modify(QpAttr.rts(0).timeout(AckTimeout.of(8)).retryCnt(1));
            rc.a.postSend(new SendWr(1).send(rc.mrA, 0, 8));
            assertEquals(WcStatus.RETRY_EXC_ERR, rc.completionA().status());
            assertEquals(0, pair.cqB.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("UD-10 UD to RC is lost")
    void differentTransports() throws Exception {
        try (DatagramPair pair = new DatagramPair();
                LoopbackPair rc = LoopbackPair.connected()) {
            pair.a.postSend(pair.sendToB(8).ud(pair.ah, rc.b.qpNum(), DatagramPair.QKEY));
            pair.await(pair.cqA);
            pair.wc.checkSuccess(0);
            assertTrue(rc.staysEmpty(rc.cqB, Duration.ofMillis(50)));
        }
    }

    @Test
    @DisplayName(
            "an address handle closed by another thread during posts is an exception, no crash")
    void closedDuringPosts() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            Set<WcStatus> failures = EnumSet.noneOf(WcStatus.class);
            for (int round = 0; round < 50; round++) {
                AddressHandle ah = pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid()));
                SendWr wr = pair.sendToB(8).ud(ah, pair.b.qpNum(), DatagramPair.QKEY);
                Thread closer = Thread.ofPlatform().start(ah::close);
                boolean refused = false;
                while (!refused) {
                    try {
                        pair.a.tryPostSend(wr);
                    } catch (IllegalStateException e) {
                        refused = true;
                    }
                    takeCompletions(pair, failures);
                    Thread.yield();
                }
                closer.join();
            }
            // A device may look at the handle when the datagram goes out, and find it gone.
            if (failures.isEmpty()) {
                assertEquals(QpState.RTS, pair.a.query().qpState());
            } else {
                failures.removeAll(Set.of(WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR));
                assertEquals(Set.of(), failures);
            }
        }
    }

    private static void takeCompletions(DatagramPair pair, Set<WcStatus> failures) {
        int n = pair.cqA.poll(pair.wc);
        for (int i = 0; i < n; i++) {
            if (!pair.wc.isSuccess(i)) {
                failures.add(pair.wc.status(i));
            }
        }
    }
}
