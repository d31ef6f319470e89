package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.github.verbs4j.cm.CmEventType.MULTICAST_JOIN;
import static io.github.verbs4j.cm.CmEventType.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcOpcode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Datagram ids and multicast, which iWARP lacks. */
@RequiresDevice(Kind.RXE)
class CmDatagramDeviceTest {

    private static final int QKEY = 0x01234567;
    private static final int GRH = 40;

    @Test
    @DisplayName("CM-30 a datagram server answers with how to reach it; it hears nothing itself")
    void resolve() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            pair.resolve();
            assertEquals(QpState.RTS, pair.clientQp.state());
            assertEquals(QpState.RTS, pair.clientQp.query().qpState());
            assertEquals(QKEY, pair.clientQp.query().qkey());
            pair.connect(new ConnParam().privateData((byte) 5));
            assertArrayEquals(Arrays.copyOf(new byte[] {5}, 180), pair.request.privateData());
            assertNull(pair.request.connParam());
            pair.accept(new ConnParam().privateData((byte) 6));
            UdParam reach = pair.established.udParam();
            assertEquals(pair.serverQp.qpNum(), reach.qpNum());
            assertEquals(QKEY, reach.qkey());
            assertNotNull(reach.ahAttr().grh());
            assertArrayEquals(Arrays.copyOf(new byte[] {6}, 136), pair.established.privateData());
            assertEquals(CmState.CONNECTED, pair.server.state());
            assertNull(pair.server.getCmEvent(Duration.ofMillis(200)));
            assertThrows(IllegalStateException.class, () -> pair.client.disconnect());
        }
    }

    @Test
    @DisplayName("CM-30 a datagram reaches the server by what its answer said")
    void datagram() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            pair.resolve().connect(new ConnParam());
            MemoryRegion to = CmPair.region(pair.server, AccessFlag.LOCAL_WRITE);
            pair.serverQp.postRecv(new RecvWr(1).sge(to, 0, 200));
            pair.accept(new ConnParam());
            MemoryRegion from = CmPair.region(pair.client);
            from.segment().setString(0, "datagram");
            UdParam reach = pair.established.udParam();
            RdmaVerbs verbs = new RdmaVerbs(pair.client);
            try (AddressHandle ah = pair.clientQp.pd().createAh(reach.ahAttr())) {
                verbs.postUdSend(1, from, 0, 9, SendFlags.SIGNALED, ah, reach.qpNum());
                verbs.getSendComp(CmPair.TIMEOUT);
            }
            assertEquals(
                    GRH + 9, CmPair.completion(pair.serverQp.recvCq()).checkSuccess().byteLen());
            assertEquals("datagram", to.segment().getString(GRH));
            from.close();
            to.close();
        }
    }

    @Test
    @DisplayName("UD-07 a datagram longer than the MTU is refused on an id's queue pair as well")
    void longerThanMtu() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            pair.resolve().connect(new ConnParam());
            pair.accept(new ConnParam());
            UdParam reach = pair.established.udParam();
            RdmaVerbs verbs = new RdmaVerbs(pair.client);
            try (AddressHandle ah = pair.clientQp.pd().createAh(reach.ahAttr());
                    MemoryRegion mr = pair.clientQp.pd().allocateMr(8192)) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> verbs.postUdSend(1, mr, 0, 4097, 0, ah, reach.qpNum()));
            }
        }
    }

    @Test
    @DisplayName("CM-31 a rejected datagram client learns that the program said no")
    void reject() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            pair.resolve();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.client.connect(new ConnParam().privateData(new byte[181])));
            pair.connect(new ConnParam().privateData(new byte[180]));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.server.accept(new ConnParam().privateData(new byte[137])));
            pair.server.reject((byte) 7);
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(UNREACHABLE, refused.type());
            assertEquals(2, refused.status());
            assertTrue(refused.getMessage().contains("said no"), refused.getMessage());
        }
    }

    @Test
    @DisplayName("CM-31 a closed datagram port is told from a silent host")
    void closedPort() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            pair.resolve();
            pair.listener.close();
            pair.client.connect(new ConnParam());
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(1, refused.status());
            assertEquals(Errno.EHOSTUNREACH, refused.errno());
            assertTrue(refused.getMessage().contains("nobody listens"), refused.getMessage());
        }
    }

    @Test
    @DisplayName("joining a multicast group tells how to reach it; both forms, and leaving")
    void multicast() throws Exception {
        InetAddress group = InetAddress.ofLiteral("239.1.2.3");
        InetAddress other = InetAddress.ofLiteral("239.1.2.4");
        try (EventChannel events = EventChannel.create();
                CmPair pair = new CmPair(Kind.RXE, PortSpace.UDP)) {
            CmId id = events.createId(PortSpace.UDP);
            assertThrows(IllegalStateException.class, () -> id.joinMulticast(group));
            id.resolveAddr(
                    CmAddress.of(Kind.RXE, 0),
                    new java.net.InetSocketAddress(group, 0),
                    CmPair.RESOLVE);
            id.await(ADDR_RESOLVED);
            QueuePair qp = id.createQp(pair.attr(id));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> id.joinMulticast(InetAddress.ofLiteral("10.0.0.1")));
            id.joinMulticast(group);
            assertThrows(IllegalStateException.class, () -> id.joinMulticast(group));
            CmEvent joined = id.await(MULTICAST_JOIN);
            assertEquals(group, joined.group());
            assertEquals(0xffffff, joined.udParam().qpNum());
            assertEquals(group, joined.udParam().ahAttr().grh().dgid().toInetAddress());
            assertEquals(0, joined.privateData().length);
            MemoryRegion mr = CmPair.region(id, AccessFlag.LOCAL_WRITE);
            qp.postRecv(new RecvWr(1).sge(mr, 0, 100));
            RdmaVerbs verbs = new RdmaVerbs(id);
            try (AddressHandle ah = qp.pd().createAh(joined.udParam().ahAttr())) {
                verbs.postUdSend(1, mr, 200, 8, SendFlags.SIGNALED, ah, 0xffffff);
                // The copy for this member may complete before the send does.
                assertEquals(
                        Set.of(GRH + 8L),
                        Stream.of(CmPair.completion(qp.recvCq()), CmPair.completion(qp.recvCq()))
                                .filter(each -> each.opcode() == WcOpcode.RECV)
                                .map(WorkCompletion::byteLen)
                                .collect(Collectors.toSet()));
            }
            mr.close();
            id.joinMulticast(other, JoinFlag.FULLMEMBER);
            assertEquals(other, id.await(MULTICAST_JOIN).group());
            id.leaveMulticast(group);
            assertEquals(
                    Errno.EADDRNOTAVAIL,
                    assertThrows(VerbsException.class, () -> id.leaveMulticast(group)).errno());
            // Still attached to the other group: closing leaves it first, or the device keeps the
            // queue pair.
            qp.close();
            QueuePair again = id.createQp(pair.attr(id));
            id.joinMulticast(other);
            id.await(MULTICAST_JOIN);
            assertTrue(again.isOpen());
            id.close();
        }
    }
}
