package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.WcStatus.REM_ACCESS_ERR;
import static io.github.verbs4j.types.WcStatus.REM_INV_REQ_ERR;
import static io.github.verbs4j.types.WcStatus.WR_FLUSH_ERR;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_FETCH_AND_ADD;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE_WITH_IMM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.WrOpcode;
import java.util.EnumSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests fail for what the peer does not let them do. */
@RequiresDevice
class RemoteErrorDeviceTest extends FailedRequests {

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
    @DisplayName("ER-30 with a larger path MTU than the peer's a SEND passes, a WRITE is refused")
    void pathMtusDiffer() throws Exception {
        assumeTrue(rxe, "the specification leaves open how it fails");
        pair.close();
        pair = new LoopbackPair(attr -> attr);
        pair.connect(pair.a, pair.b, attr -> attr.pathMtu(Mtu.MTU_4096));
        pair.connect(pair.b, pair.a, attr -> attr.pathMtu(Mtu.MTU_256));
        pair.mrA.segment().setString(2990, "the end");
        pair.b.postRecv(new RecvWr(1).wrId(100).sge(pair.mrB, 0, 4096));
        pair.a.postSend(new SendWr(1).wrId(10).send(pair.mrA, 0, 3000));
        assertEquals(10, pair.completionA().checkSuccess().wrId());
        WorkCompletion received = pair.completionB().checkSuccess();
        assertEquals(100, received.wrId());
        assertEquals(3000, received.byteLen());
        assertEquals("the end", pair.mrB.segment().getString(2990));
        assertFails(request(RDMA_WRITE).sge(pair.mrA, 0, 3000), REM_INV_REQ_ERR);
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
