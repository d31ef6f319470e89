package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.QpState.RTS;
import static io.github.verbs4j.types.WcStatus.LOC_LEN_ERR;
import static io.github.verbs4j.types.WcStatus.LOC_PROT_ERR;
import static io.github.verbs4j.types.WcStatus.LOC_QP_OP_ERR;
import static io.github.verbs4j.types.WcStatus.REM_ACCESS_ERR;
import static io.github.verbs4j.types.WcStatus.REM_INV_REQ_ERR;
import static io.github.verbs4j.types.WcStatus.REM_OP_ERR;
import static io.github.verbs4j.types.WcStatus.WR_FLUSH_ERR;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_FETCH_AND_ADD;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE_WITH_IMM;
import static io.github.verbs4j.types.WrOpcode.SEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests fail, on both sides: by the exact status on rxe, by the specification elsewhere. */
@RequiresDevice
class ErrorCompletionDeviceTest {

    private static final int BAD_KEY = 0x00bad001;
    private static final Duration QUIET = Duration.ofMillis(50);

    private LoopbackPair pair;
    private boolean rxe;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
        rxe = TestDevice.isRxe(pair.context);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendWr request(WrOpcode opcode) {
        return new SendWr(1)
                .wrId(11)
                .opcode(opcode)
                .sge(pair.mrA, 0, 8)
                .remote(pair.mrB.remote(), 0)
                .compareAdd(1);
    }

    private void recv(int count) {
        for (int i = 0; i < count; i++) {
            pair.b.postRecv(new RecvWr(1).wrId(100 + i).sge(pair.mrB, 0, 64));
        }
    }

    /** Posts, and expects a status of rxe, or of a set elsewhere; the rest must be flushed. */
    private void assertFails(SendWr wr, WcStatus ofRxe, WcStatus... elsewhere) throws Exception {
        pair.a.postSend(wr);
        WorkCompletion failed = pair.completionA();
        assertEquals(11, failed.wrId());
        assertEquals(pair.a.qpNum(), failed.qpNum());
        if (rxe) {
            assertEquals(ofRxe, failed.status());
        } else {
            Set<WcStatus> allowed = EnumSet.of(ofRxe, elsewhere);
            assertTrue(allowed.contains(failed.status()), failed + " not in " + allowed);
        }
        assertEquals(ERR, pair.a.query().qpState());
        pair.a.postSend(new SendWr(1).wrId(12).send(pair.mrA, 0, 8));
        WorkCompletion flushed = pair.completionA();
        assertEquals(12, flushed.wrId());
        assertEquals(WR_FLUSH_ERR, flushed.status());
    }

    private void assertResponder(QpState state) {
        assertTrue(pair.staysEmpty(pair.cqB, QUIET), "the peer must not be told");
        if (rxe) {
            assertEquals(state, pair.b.query().qpState());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "RDMA_WRITE"})
    @DisplayName("ER-01 a wrong lkey fails here, and the peer does not notice")
    void wrongLkey(WrOpcode opcode) throws Exception {
        assertFails(
                request(opcode).sge(0, pair.mrA.address(), 8, BAD_KEY),
                LOC_QP_OP_ERR,
                LOC_PROT_ERR);
        assertResponder(RTS);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP"})
    @DisplayName("ER-03 an atomic with a wrong lkey fails here")
    void wrongLkeyOfAtomic(WrOpcode opcode) throws Exception {
        assertFails(request(opcode).sge(0, pair.mrA.address(), 8, BAD_KEY), LOC_PROT_ERR);
        assertResponder(RTS);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "RDMA_READ"})
    @DisplayName("ER-04 an element that leaves its region fails here")
    void beyondLocalRegion(WrOpcode opcode) throws Exception {
        recv(1);
        long end = pair.mrA.address() + pair.mrA.length();
        assertFails(request(opcode).sge(0, end - 4, 8, pair.mrA.lkey()), LOC_PROT_ERR);
        assertResponder(RTS);
    }

    @Test
    @DisplayName("ER-05 a READ into a region without LOCAL_WRITE fails, a SEND from it does not")
    void readOnlyRegion() throws Exception {
        MemoryRegion readOnly = pair.pd.allocateMr(4096);
        recv(1);
        pair.a.postSend(new SendWr(1).send(readOnly, 0, 8));
        pair.completionA().checkSuccess();
        pair.completionB().checkSuccess();
        assertFails(request(RDMA_READ).sge(readOnly, 0, 8), LOC_PROT_ERR);
        assertResponder(RTS);
    }

    @Test
    @DisplayName("ER-06 a region of another domain fails here")
    void localRegionOfOtherDomain() throws Exception {
        MemoryRegion other = pair.context.allocPd().allocateMr(4096, LOCAL_WRITE);
        assertFails(request(RDMA_WRITE).sge(other, 0, 8), LOC_QP_OP_ERR, LOC_PROT_ERR);
        assertResponder(RTS);
    }

    enum BadReceive {
        WRONG_LKEY,
        READ_ONLY,
        BEYOND_REGION,
        CLOSED_REGION
    }

    @ParameterizedTest
    @EnumSource(BadReceive.class)
    @DisplayName("ER-07 a receive whose memory cannot be written fails on both sides")
    void badReceive(BadReceive kind) throws Exception {
        RecvWr recv = new RecvWr(1).wrId(100);
        switch (kind) {
            case WRONG_LKEY -> recv.sge(0, pair.mrB.address(), 64, BAD_KEY);
            case READ_ONLY -> recv.sge(pair.pd.allocateMr(4096), 0, 64);
            case BEYOND_REGION ->
                    recv.sge(0, pair.mrB.address() + pair.mrB.length() - 4, 64, pair.mrB.lkey());
            case CLOSED_REGION -> {
                MemoryRegion mr = pair.pd.allocateMr(4096, LOCAL_WRITE);
                recv.sge(mr, 0, 64);
                mr.close();
            }
        }
        pair.b.postRecv(recv);
        assertFails(request(SEND), REM_OP_ERR);
        assertReceiverFails(LOC_QP_OP_ERR, LOC_PROT_ERR);
    }

    private void assertReceiverFails(WcStatus ofRxe, WcStatus elsewhere) throws Exception {
        WorkCompletion failed = pair.completionB();
        assertEquals(100, failed.wrId());
        assertEquals(pair.b.qpNum(), failed.qpNum());
        assertTrue(
                failed.status() == ofRxe || !rxe && failed.status() == elsewhere,
                failed.toString());
        assertEquals(ERR, pair.b.query().qpState());
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 20000})
    @DisplayName("ER-08 a message longer than its receive fails on both sides, the rest is flushed")
    void receiveTooSmall(int length) throws Exception {
        recv(2);
        assertFails(request(SEND).sge(pair.mrA, 0, length), REM_OP_ERR, REM_INV_REQ_ERR);
        assertReceiverFails(LOC_QP_OP_ERR, LOC_LEN_ERR);
        WorkCompletion rest = pair.completionB();
        assertEquals(101, rest.wrId());
        assertEquals(WR_FLUSH_ERR, rest.status());
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP"})
    @DisplayName("ER-09 ER-10 ER-11 ER-14 a wrong rkey fails at the peer, 0 too")
    void wrongRkey(WrOpcode opcode) throws Exception {
        assertFails(request(opcode).remote(pair.mrB.address(), BAD_KEY), REM_ACCESS_ERR);
        assertResponder(ERR);
        pair.close();
        open();
        assertFails(request(opcode).remote(pair.mrB.address(), 0), REM_ACCESS_ERR);
    }

    @Test
    @DisplayName("ER-10 what is queued behind a READ with a wrong rkey is flushed, here and there")
    void flushBehindRead() throws Exception {
        recv(1);
        SendWrArray chain = new SendWrArray(3, 1);
        chain.get(0).wrId(1).read(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        chain.get(0).remote(pair.mrB.address(), BAD_KEY);
        chain.get(1).wrId(2).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        chain.get(2).wrId(3).send(pair.mrA, 0, 8);
        pair.a.postSend(chain);
        WorkCompletion failed = pair.completionA();
        assertEquals(1, failed.wrId());
        assertEquals(REM_ACCESS_ERR, failed.status());
        for (int i = 2; i <= 3; i++) {
            WorkCompletion flushed = pair.completionA();
            assertEquals(i, flushed.wrId());
            assertEquals(WR_FLUSH_ERR, flushed.status());
        }
        WorkCompletion receive = pair.completionB();
        assertEquals(100, receive.wrId());
        assertEquals(WR_FLUSH_ERR, receive.status());
    }

    @Test
    @DisplayName("ER-12 a WRITE_WITH_IMM with a wrong rkey fails at both sides")
    void writeWithImmWrongRkey() throws Exception {
        recv(1);
        assertFails(
                request(RDMA_WRITE_WITH_IMM).remote(pair.mrB.address(), BAD_KEY), REM_ACCESS_ERR);
        WorkCompletion receive = pair.completionB();
        assertEquals(100, receive.wrId());
        assertEquals(rxe ? REM_ACCESS_ERR : WR_FLUSH_ERR, receive.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"past the end", "before the start", "around the end of memory"})
    @DisplayName("ER-13 a remote range that leaves its region fails at the peer")
    void beyondRemoteRegion(String where) throws Exception {
        long address =
                switch (where) {
                    case "past the end" -> pair.mrB.address() + pair.mrB.length() - 4;
                    case "before the start" -> pair.mrB.address() - 4;
                    default -> -4;
                };
        assertFails(request(RDMA_WRITE).remote(address, pair.mrB.rkey()), REM_ACCESS_ERR);
        assertResponder(ERR);
    }

    private static AccessFlag needed(WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> REMOTE_WRITE;
            case RDMA_READ -> REMOTE_READ;
            default -> REMOTE_ATOMIC;
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    @DisplayName("ER-14 a region that lacks the right fails at the peer")
    void regionLacksRight(WrOpcode opcode) throws Exception {
        EnumSet<AccessFlag> access =
                EnumSet.of(LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
        access.remove(needed(opcode));
        MemoryRegion mr = pair.pd.allocateMr(4096, access.toArray(AccessFlag[]::new));
        assertFails(request(opcode).remote(mr.remote(), 0), REM_ACCESS_ERR);
        assertResponder(ERR);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    @DisplayName("ER-15 a queue pair that lacks the right refuses the request as invalid")
    void queuePairLacksRight(WrOpcode opcode) throws Exception {
        pair.close();
        pair = new LoopbackPair(attr -> attr);
        EnumSet<AccessFlag> access = EnumSet.of(REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
        access.remove(needed(opcode));
        pair.connect(pair.a, pair.b);
        pair.connect(pair.b, pair.a, attr -> attr.qpAccessFlags(access));
        assertFails(request(opcode), REM_INV_REQ_ERR, REM_ACCESS_ERR);
        assertResponder(ERR);
    }

    @Test
    @DisplayName("ER-17 a region of another domain than the peer's queue pair fails there")
    void remoteRegionOfOtherDomain() throws Exception {
        MemoryRegion other = pair.context.allocPd().allocateMr(4096, LoopbackPair.ALL);
        assertFails(request(RDMA_WRITE).remote(other.remote(), 0), REM_ACCESS_ERR);
        assertResponder(ERR);
    }

    @Test
    @DisplayName("ER-18 a READ from a peer with max_dest_rd_atomic 0 is refused as invalid")
    void peerAnswersNoReads() throws Exception {
        pair.close();
        pair = new LoopbackPair(attr -> attr);
        pair.connect(pair.a, pair.b);
        pair.connect(pair.b, pair.a, attr -> attr.maxDestRdAtomic(0));
        assertFails(request(RDMA_READ), REM_INV_REQ_ERR);
        assertResponder(ERR);
    }

    @Test
    @DisplayName("ER-30 a WRITE with a larger path MTU than the peer's is refused as invalid")
    void pathMtusDiffer() throws Exception {
        assumeTrue(rxe, "the specification leaves open how it fails");
        pair.close();
        pair = new LoopbackPair(attr -> attr);
        pair.connect(pair.a, pair.b, attr -> attr.pathMtu(Mtu.MTU_4096));
        pair.connect(pair.b, pair.a, attr -> attr.pathMtu(Mtu.MTU_256));
        assertFails(request(RDMA_WRITE).sge(pair.mrA, 0, 3000), REM_INV_REQ_ERR);
    }

    @Test
    @DisplayName("ER-31 unsignaled requests complete when they fail or are flushed")
    void unsignaledFailures() throws Exception {
        SendWrArray chain = new SendWrArray(3, 1);
        for (int i = 0; i < 3; i++) {
            chain.get(i).wrId(i).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
            chain.get(i).sendFlags(i == 2 ? io.github.verbs4j.types.SendFlags.SIGNALED : 0);
        }
        chain.get(0).remote(pair.mrB.address(), BAD_KEY);
        pair.a.postSend(chain);
        WcStatus[] expected = {REM_ACCESS_ERR, WR_FLUSH_ERR, WR_FLUSH_ERR};
        for (int i = 0; i < 3; i++) {
            WorkCompletion wc = pair.completionA();
            assertEquals(i, wc.wrId());
            assertEquals(expected[i], wc.status());
        }
    }

    @Test
    @DisplayName("ER-32 with both keys wrong, a WRITE fails here and a READ at the peer")
    void bothKeysWrong() throws Exception {
        assertFails(
                request(RDMA_WRITE)
                        .sge(0, pair.mrA.address(), 8, BAD_KEY)
                        .remote(pair.mrB.address(), BAD_KEY),
                LOC_QP_OP_ERR,
                LOC_PROT_ERR,
                REM_ACCESS_ERR);
        pair.close();
        open();
        assertFails(
                request(RDMA_READ)
                        .sge(0, pair.mrA.address(), 8, BAD_KEY)
                        .remote(pair.mrB.address(), BAD_KEY),
                REM_ACCESS_ERR,
                LOC_PROT_ERR);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_READ", "RDMA_WRITE", "ATOMIC_FETCH_AND_ADD"})
    @DisplayName("ER-33 a region that the peer has closed cannot be reached")
    void closedRemoteRegion(WrOpcode opcode) throws Exception {
        MemoryRegion mr = pair.pd.allocateMr(4096, LoopbackPair.ALL);
        SendWr wr = request(opcode).remote(mr.remote(), 0);
        mr.close();
        assertFails(wr, REM_ACCESS_ERR);
        assertResponder(ERR);
    }

    @Test
    @DisplayName(
            "Rule 11 of a failed completion only wrId, status, qpNum and vendorErr can be read")
    void validityOfFailedCompletions() throws Exception {
        pair.a.postSend(request(RDMA_READ).remote(pair.mrB.address(), BAD_KEY));
        WcArray wc = new WcArray(2);
        pair.cqA.await(wc, LoopbackPair.TIMEOUT);
        assertEquals(11, wc.wrId(0));
        assertEquals(REM_ACCESS_ERR, wc.status(0));
        assertEquals(REM_ACCESS_ERR.value(), wc.rawStatus(0));
        assertEquals(pair.a.qpNum(), wc.qpNum(0));
        wc.vendorErr(0);
        for (Runnable accessor :
                new Runnable[] {
                    () -> wc.opcode(0),
                    () -> wc.byteLen(0),
                    () -> wc.wcFlags(0),
                    () -> wc.immData(0),
                    () -> wc.isInvalidated(0),
                    () -> wc.invalidatedRkey(0),
                    () -> wc.srcQp(0),
                    () -> wc.pkeyIndex(0),
                    () -> wc.slid(0),
                    () -> wc.sl(0),
                    () -> wc.dlidPathBits(0)
                }) {
            String message = assertThrows(IllegalStateException.class, accessor::run).getMessage();
            assertTrue(message.contains("REM_ACCESS_ERR"), message);
        }
        assertNull(wc.get(0).opcode());
        WorkCompletionException e =
                assertThrows(WorkCompletionException.class, () -> wc.checkSuccess(0));
        assertEquals(REM_ACCESS_ERR, e.status());
        assertEquals(11, e.wrId());
        assertEquals(pair.a.qpNum(), e.qpNum());
        assertTrue(e.getMessage().contains("rkey"), e.getMessage());
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"ATOMIC_FETCH_AND_ADD", "ATOMIC_CMP_AND_SWP"})
    @DisplayName("ER-11 a refused atomic leaves the peer's memory as it was")
    void refusedAtomicChangesNothing(WrOpcode opcode) throws Exception {
        assertTrue(opcode == ATOMIC_FETCH_AND_ADD || opcode == ATOMIC_CMP_AND_SWP);
        pair.mrB.segment().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, 1);
        assertFails(request(opcode).remote(pair.mrB.address(), BAD_KEY), REM_ACCESS_ERR);
        assertEquals(1, pair.mrB.segment().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
    }
}
