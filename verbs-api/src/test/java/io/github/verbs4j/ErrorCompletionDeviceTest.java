package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.QpState.RTS;
import static io.github.verbs4j.types.WcStatus.LOC_LEN_ERR;
import static io.github.verbs4j.types.WcStatus.LOC_PROT_ERR;
import static io.github.verbs4j.types.WcStatus.LOC_QP_OP_ERR;
import static io.github.verbs4j.types.WcStatus.REM_ACCESS_ERR;
import static io.github.verbs4j.types.WcStatus.REM_INV_REQ_ERR;
import static io.github.verbs4j.types.WcStatus.REM_OP_ERR;
import static io.github.verbs4j.types.WcStatus.WR_FLUSH_ERR;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE;
import static io.github.verbs4j.types.WrOpcode.SEND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import io.github.verbs4j.types.WrOpcode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests fail for what is wrong on the side that sends or receives them. */
@RequiresDevice
class ErrorCompletionDeviceTest extends FailedRequests {

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
}
