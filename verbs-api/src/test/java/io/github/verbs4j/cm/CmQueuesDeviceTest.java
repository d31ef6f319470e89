package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.VerbsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs of ids beyond the plain one, and the port spaces of InfiniBand. */
@RequiresDevice(Kind.RXE)
class CmQueuesDeviceTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("CM-11 a queue pair takes the shared receive queue of its id, or one it is given")
    void sharedReceiveQueue(boolean ofId) throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve();
            pair.client.connect(new ConnParam());
            pair.request = pair.listener.await(CmEventType.CONNECT_REQUEST);
            pair.server = pair.request.id();
            QpInitAttr attr = pair.attr(pair.server);
            SrqInitAttr shared = new SrqInitAttr(8);
            try (SharedReceiveQueue srq =
                    ofId ? pair.server.createSrq(shared) : pair.server.pd().createSrq(shared)) {
                pair.serverQp = pair.server.createQp(ofId ? attr : attr.srq(srq));
                assertSame(srq, pair.serverQp.srq());
                assertSame(ofId ? null : srq, attr.srq(), "the attributes are left as they were");
                assertThrows(IllegalStateException.class, () -> pair.server.createSrq(shared));
                pair.accept(new ConnParam());
                try (MemoryRegion to = CmPair.region(pair.server, AccessFlag.LOCAL_WRITE);
                        MemoryRegion from = CmPair.region(pair.client)) {
                    srq.postRecv(new RecvWr(1).wrId(77).sge(to, 0, 64));
                    from.segment().setString(0, "shared");
                    pair.clientQp.postSend(new SendWr(1).send(from, 0, 64));
                    WorkCompletion got = CmPair.completion(pair.serverQp.recvCq());
                    assertEquals(77, got.wrId());
                    assertEquals("shared", to.segment().getString(0));
                }
                pair.server.close();
                assertTrue(srq.isOpen(), "it serves others, too");
            }
        }
    }

    @Test
    @DisplayName("CM-11 an id makes an extended queue pair, whose requests the peer gets")
    void extended() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            pair.client.await(ADDR_RESOLVED);
            pair.client.resolveRoute(CmPair.RESOLVE);
            pair.client.await(CmEventType.ROUTE_RESOLVED);
            CompletionQueue cq = pair.client.context().createCq(16);
            pair.queues.add(cq);
            QpInitAttrEx attr = new QpInitAttrEx(QpType.RC, cq).sendOps(SendOp.SEND);
            QueuePairEx qp = assertInstanceOf(QueuePairEx.class, pair.client.createQp(attr));
            assertSame(qp, pair.client.qp());
            pair.connect(new ConnParam()).accept(new ConnParam());
            try (MemoryRegion to = CmPair.region(pair.server, AccessFlag.LOCAL_WRITE);
                    MemoryRegion from = CmPair.region(pair.client)) {
                pair.serverQp.postRecv(new RecvWr(1).wrId(5).sge(to, 0, 64));
                from.segment().setString(0, "extended");
                qp.post(
                        batch ->
                                batch.wrId(6)
                                        .wrFlags(SendFlags.SIGNALED)
                                        .send()
                                        .setSge(from, 0, 64));
                assertEquals(6, CmPair.completion(cq).wrId());
                assertEquals(5, CmPair.completion(pair.serverQp.recvCq()).wrId());
                assertEquals("extended", to.segment().getString(0));
            }
            pair.client.close();
            assertFalse(qp.isOpen());
        }
    }

    @Test
    @DisplayName("ids of port space IB connect by the same steps")
    void infiniBandPorts() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.IB)) {
            assertEquals(PortSpace.IB, pair.client.ps());
            pair.resolve().connect(new ConnParam().privateData((byte) 3));
            assertEquals(PortSpace.IB, pair.server.ps(), "as the request says");
            pair.accept(new ConnParam().privateData((byte) 4));
            assertEquals(4, pair.established.privateData()[0]);
            assertEquals(CmState.CONNECTED, pair.client.state());
        }
    }

    @Test
    @DisplayName("ids of port space IPOIB are refused an address of Ethernet, with the reason")
    void ipoibPorts() throws Exception {
        try (EventChannel events = EventChannel.create();
                CmId id = events.createId(PortSpace.IPOIB)) {
            assertEquals(QpType.UD, id.ps().qpType());
            VerbsException refused =
                    assertThrows(
                            VerbsException.class, () -> id.bindAddr(CmAddress.of(Kind.RXE, 0)));
            assertEquals(Errno.EINVAL, refused.errno());
            assertTrue(refused.getMessage().contains("IP over InfiniBand"), refused::toString);
            id.resolveAddr(CmAddress.of(Kind.RXE, 7000), CmPair.RESOLVE);
            CmException error = assertThrows(CmException.class, () -> id.await(ADDR_RESOLVED));
            assertEquals(CmEventType.ADDR_ERROR, error.type());
            assertEquals(Errno.EINVAL, error.errno());
            assertNull(id.context());
        }
    }
}
