package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmEventType.CONNECT_RESPONSE;
import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.github.verbs4j.cm.CmEventType.TIMEWAIT_EXIT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.testing.DatagramPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Connecting, on Soft-RoCE and Soft-iWARP. Left out on the latter, which lacks it: datagrams and
 * multicast, rejection reasons, TIMEWAIT_EXIT, padding of private data, writes with immediate data,
 * atomics, and (siw) reading the queue pair's attributes back.
 */
@RequiresDevice(TestDevice.Kind.RXE)
class CmConnectionDeviceTest {

    private static final Duration SHORT = Duration.ofMillis(300);

    private static byte[] bytes(int length) {
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = (byte) (i + 1);
        }
        return result;
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("a connection carries SEND, WRITE and READ both ways, and ends on both sides")
    void operations(Kind kind) throws Exception {
        try (CmPair pair = CmPair.connected(kind)) {
            exchange(pair.clientQp, pair.serverQp);
            exchange(pair.serverQp, pair.clientQp);
            pair.client.disconnect();
            assertEquals(QpState.ERR, pair.clientQp.state());
            pair.server.await(DISCONNECTED);
            pair.server.disconnect();
            assertEquals(QpState.ERR, pair.serverQp.state());
            pair.client.await(DISCONNECTED);
            assertEquals(CmState.DISCONNECTED, pair.client.state());
        }
    }

    private static void exchange(QueuePair from, QueuePair to) throws Exception {
        try (MemoryRegion near = from.pd().allocateMr(4096, AccessFlag.LOCAL_WRITE);
                MemoryRegion far =
                        to.pd()
                                .allocateMr(
                                        4096,
                                        AccessFlag.LOCAL_WRITE,
                                        AccessFlag.REMOTE_WRITE,
                                        AccessFlag.REMOTE_READ)) {
            near.segment().setString(0, "sent");
            near.segment().setString(100, "written");
            to.postRecv(new RecvWr(1).sge(far, 0, 100));
            SendWr wr = new SendWr(1);
            from.postSend(wr.send(near, 0, 5));
            CmPair.completion(from.sendCq()).checkSuccess();
            CmPair.completion(to.recvCq()).checkSuccess();
            from.postSend(wr.write(near, 100, 8, far.remote(), 100));
            CmPair.completion(from.sendCq()).checkSuccess();
            from.postSend(wr.read(near, 200, 108, far.remote(), 0));
            CmPair.completion(from.sendCq()).checkSuccess();
            assertEquals("sent", near.segment().getString(200));
            assertEquals("written", near.segment().getString(300));
        }
    }

    @Test
    @RequiresDevice(Kind.SIW)
    @DisplayName("a sender's completion of siw does not show where rxe's datagram came from")
    void reusedArray() throws Exception {
        try (DatagramPair datagrams = new DatagramPair();
                CmPair pair = CmPair.connected(Kind.SIW)) {
            datagrams.postRecvB(1, 256);
            datagrams.a.postSend(datagrams.sendToB(8));
            datagrams.await(datagrams.cqB);
            WcArray wc = datagrams.wc;
            assertEquals(datagrams.a.qpNum(), wc.srcQp(0));
            try (MemoryRegion mr = CmPair.region(pair.client, AccessFlag.LOCAL_WRITE);
                    MemoryRegion far = CmPair.region(pair.server, AccessFlag.LOCAL_WRITE)) {
                pair.serverQp.postRecv(new RecvWr(1).wrId(2).sge(far, 0, 8));
                pair.clientQp.postSend(new SendWr(1).wrId(3).send(mr, 0, 8));
                pair.clientQp.sendCq().await(wc, CmPair.TIMEOUT);
                WorkCompletion sent = wc.get(0).checkSuccess();
                assertEquals(3, sent.wrId());
                assertEquals(0, sent.srcQp());
                assertEquals(0, sent.slid() | sent.sl() | sent.dlidPathBits() | sent.pkeyIndex());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("CM-12 the server sees what the client asks for, from its own side")
    void parameters(Kind kind) throws Exception {
        try (CmPair pair = new CmPair(kind, PortSpace.TCP)) {
            pair.resolve()
                    .connect(new ConnParam().responderResources(4).initiatorDepth(2).retryCount(5));
            assertSame(pair.listener, pair.request.listenId());
            assertEquals(2, pair.request.connParam().responderResources());
            assertEquals(4, pair.request.connParam().initiatorDepth());
            assertEquals(pair.client.getSrcPort(), pair.server.getDstPort());
            assertEquals(pair.client.getLocalAddr(), pair.server.getPeerAddr());
            pair.accept(new ConnParam());
            if (kind == Kind.RXE) {
                assertEquals(pair.clientQp.qpNum(), pair.request.connParam().qpNum());
                QpAttr client = pair.clientQp.query();
                assertEquals(2, client.maxRdAtomic());
                assertEquals(4, client.maxDestRdAtomic());
                assertEquals(5, client.retryCnt());
                assertEquals(pair.serverQp.qpNum(), client.destQpNum());
                assertEquals(pair.client.context().queryPort(1).activeMtu(), client.pathMtu());
            }
        }
    }

    @Test
    @DisplayName("CM-12 a connection without READs refuses to post one, which would never end")
    void noReads() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam().initiatorDepth(0)).accept(new ConnParam());
            MemoryRegion mr = CmPair.region(pair.client, AccessFlag.LOCAL_WRITE);
            SendWr read = new SendWr(1).read(mr, 0, 8, mr.remote(), 8);
            assertThrows(IllegalStateException.class, () -> pair.clientQp.postSend(read));
            mr.close();
        }
    }

    @Test
    @DisplayName("CM-12 more READs at a time than the device has are refused, and can be corrected")
    void tooManyReads() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve();
            VerbsException refused =
                    assertThrows(
                            VerbsException.class,
                            () -> pair.client.connect(new ConnParam().initiatorDepth(200)));
            assertEquals(Errno.EINVAL, refused.errno());
            pair.connect(new ConnParam()).accept(new ConnParam());
        }
    }

    @Test
    @DisplayName("CM-13 private data of all three messages, up to its limit, padded with zeros")
    void privateData() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.client.connect(new ConnParam().privateData(bytes(57))));
            pair.connect(new ConnParam().privateData(bytes(56)));
            assertArrayEquals(bytes(56), pair.request.privateData());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.server.accept(new ConnParam().privateData(bytes(197))));
            assertThrows(IllegalArgumentException.class, () -> pair.server.reject(bytes(149)));
            pair.accept(new ConnParam().privateData(bytes(10)));
            assertArrayEquals(Arrays.copyOf(bytes(10), 196), pair.established.privateData());
            pair.established.privateData()[0] = 99;
            assertEquals(1, pair.established.privateData()[0], "events do not change");
        }
    }

    @Test
    @DisplayName("CM-13 iWARP gives the exact length of private data")
    void privateDataIwarp() throws Exception {
        try (CmPair pair = new CmPair(Kind.SIW, PortSpace.TCP)) {
            pair.resolve();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.client.connect(new ConnParam().privateData(bytes(249))));
            pair.connect(new ConnParam().privateData(bytes(248)));
            assertArrayEquals(bytes(248), pair.request.privateData());
            pair.accept(new ConnParam().privateData(bytes(196)));
            assertArrayEquals(bytes(196), pair.established.privateData());
        }
    }

    @Test
    @DisplayName("CM-14 the client's queue pair is INIT until its ESTABLISHED is taken, then RTS")
    void queuePairStates() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            assertEquals(QpState.INIT, pair.clientQp.state());
            assertEquals(QpState.INIT, pair.serverQp.state());
            pair.server.accept(new ConnParam());
            assertEquals(QpState.RTS, pair.serverQp.state());
            assertEquals(QpState.RTS, pair.serverQp.query().qpState());
            assertEquals(QpState.INIT, pair.clientQp.query().qpState());
            MemoryRegion mr = CmPair.region(pair.client, AccessFlag.LOCAL_WRITE);
            SendWr send = new SendWr(1).send(mr, 0, 8);
            assertThrows(IllegalStateException.class, () -> pair.clientQp.postSend(send));
            pair.client.await(ESTABLISHED);
            assertEquals(QpState.RTS, pair.clientQp.state());
            assertEquals(QpState.RTS, pair.clientQp.query().qpState());
            mr.close();
        }
    }

    @Test
    @DisplayName("CM-21 the peer of one who disconnects stays usable until it disconnects, too")
    void disconnectOrder() throws Exception {
        try (CmPair pair = CmPair.connected(Kind.RXE)) {
            pair.client.disconnect();
            pair.server.await(DISCONNECTED);
            assertEquals(QpState.RTS, pair.serverQp.state());
            assertEquals(QpState.RTS, pair.serverQp.query().qpState());
            assertNull(pair.client.getCmEvent(SHORT));
            pair.server.disconnect();
            pair.client.await(DISCONNECTED);
            pair.client.await(TIMEWAIT_EXIT);
            pair.client.disconnect();
            pair.client.disconnect();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("CM-21 disconnecting flushes the receives that are posted")
    void flush(Kind kind) throws Exception {
        try (CmPair pair = CmPair.connected(kind)) {
            MemoryRegion mr = CmPair.region(pair.client, AccessFlag.LOCAL_WRITE);
            pair.clientQp.postRecv(new RecvWr(1).wrId(5).sge(mr, 0, 8));
            pair.client.disconnect();
            assertEquals(WcStatus.WR_FLUSH_ERR, CmPair.completion(pair.clientQp.recvCq()).status());
            mr.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("CM-22 closing a connected id with its queue pair disconnects the peer")
    void closeConnected(Kind kind) throws Exception {
        try (CmPair pair = CmPair.connected(kind)) {
            pair.client.close();
            assertFalse(pair.clientQp.isOpen());
            pair.server.await(DISCONNECTED);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("both sides may disconnect at once")
    void disconnectAtOnce(Kind kind) throws Exception {
        for (int round = 0; round < 5; round++) {
            try (CmPair pair = CmPair.connected(kind)) {
                CyclicBarrier start = new CyclicBarrier(2);
                List<Throwable> failures =
                        java.util.Collections.synchronizedList(new ArrayList<>());
                List<Thread> threads = new ArrayList<>();
                for (CmId id : List.of(pair.client, pair.server)) {
                    threads.add(
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                try {
                                                    start.await();
                                                    id.disconnect();
                                                    id.await(DISCONNECTED);
                                                } catch (Throwable e) {
                                                    failures.add(e);
                                                }
                                            }));
                }
                for (Thread thread : threads) {
                    assertTrue(thread.join(CmPair.TIMEOUT));
                }
                assertEquals(List.of(), failures);
                assertEquals(CmState.DISCONNECTED, pair.client.state());
                assertEquals(CmState.DISCONNECTED, pair.server.state());
            }
        }
    }

    @Test
    @DisplayName("CM-33 queue pairs of the program's own connect through ids without one")
    void ownQueuePairs() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            pair.client.await(CmEventType.ADDR_RESOLVED);
            pair.client.resolveRoute(CmPair.RESOLVE);
            pair.client.await(CmEventType.ROUTE_RESOLVED);
            assertThrows(
                    IllegalArgumentException.class, () -> pair.client.connect(new ConnParam()));
            QueuePair client = pair.client.pd().createQp(pair.attr(pair.client));
            client.modify(pair.client.initQpAttr(QpState.INIT));
            pair.client.connect(new ConnParam().qpNum(client.qpNum()));
            CmEvent request = pair.listener.await(CONNECT_REQUEST);
            assertEquals(client.qpNum(), request.connParam().qpNum());
            CmId asking = request.id();
            QueuePair server = asking.pd().createQp(pair.attr(asking));
            for (QpState each : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
                server.modify(asking.initQpAttr(each));
            }
            asking.accept(new ConnParam().qpNum(server.qpNum()));
            CmEvent response = pair.client.await(CONNECT_RESPONSE);
            assertEquals(server.qpNum(), response.connParam().qpNum());
            client.modify(pair.client.initQpAttr(QpState.RTR));
            client.modify(pair.client.initQpAttr(QpState.RTS));
            pair.client.establish();
            asking.await(ESTABLISHED);
            exchange(client, server);
            assertEquals(
                    Errno.EISCONN,
                    assertThrows(VerbsException.class, asking::notifyCommEst).errno());
            pair.client.disconnect();
            asking.await(DISCONNECTED);
            client.close();
            server.close();
        }
    }
}
