package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_conn_param;
import io.github.verbs4j.ffi.rdma_ud_param;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Values of the connection manager, which need no device. */
class CmValuesTest {

    private static CmEvent event(CmEventType type, int status, UdParam ud) {
        return new CmEvent(
                new RawEvent(type, type.value(), status, 0, 0, new byte[3], null, ud, 0, 0),
                null,
                null,
                null);
    }

    private static MemorySegment nativeEvent(Arena arena, PortSpace ps, CmEventType type) {
        MemorySegment id = rdma_cm_id.allocate(arena);
        rdma_cm_id.ps(id, ps.value());
        rdma_cm_id.qp_type(id, ps.qpType().value());
        MemorySegment event = rdma_cm_event.allocate(arena);
        rdma_cm_event.id(event, id);
        rdma_cm_event.event(event, type.value());
        return event;
    }

    @Test
    void enumsFollowTheNumbersOfC() {
        for (CmEventType each : CmEventType.values()) {
            assertSame(each, CmEventType.of(each.value()));
        }
        assertSame(CmEventType.UNRECOGNIZED, CmEventType.of(19));
        assertSame(CmEventType.UNRECOGNIZED, CmEventType.of(-7));
        for (PortSpace each : PortSpace.values()) {
            assertSame(each, PortSpace.of(each.value()));
        }
        assertThrows(IllegalArgumentException.class, () -> PortSpace.of(1));
        for (RejectReason each : RejectReason.values()) {
            assertSame(each, RejectReason.of(each.value()));
        }
        assertSame(RejectReason.UNRECOGNIZED, RejectReason.of(34));
    }

    @Test
    void connectionEventIsCopiedWithItsPrivateData() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = nativeEvent(arena, PortSpace.TCP, CmEventType.CONNECT_REQUEST);
            MemorySegment conn = rdma_cm_event.param.conn(rdma_cm_event.param(event));
            MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[200]);
            data.set(ValueLayout.JAVA_BYTE, 199, (byte) 7);
            rdma_conn_param.private_data(conn, data);
            rdma_conn_param.private_data_len(conn, (byte) 200);
            rdma_conn_param.qp_num(conn, 0x123456);
            rdma_conn_param.responder_resources(conn, (byte) 128);
            RawEvent copy = RawEvent.copy(event);
            data.fill((byte) 0);
            assertEquals(200, copy.privateData().length);
            assertEquals(7, copy.privateData()[199]);
            assertEquals(0x123456, copy.connParam().qpNum());
            assertEquals(128, copy.connParam().responderResources());
            assertNull(copy.udParam());
        }
    }

    @Test
    @DisplayName("a multicast event's private data is what the join was called with: no pointer")
    void multicastEventIsNotFollowed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = nativeEvent(arena, PortSpace.UDP, CmEventType.MULTICAST_JOIN);
            MemorySegment ud = rdma_cm_event.param.ud(rdma_cm_event.param(event));
            rdma_ud_param.private_data(ud, MemorySegment.ofAddress(3));
            rdma_ud_param.private_data_len(ud, (byte) 100);
            RawEvent copy = RawEvent.copy(event);
            assertEquals(3, copy.token());
            assertEquals(0, copy.privateData().length);
        }
    }

    @Test
    void unknownEventTypeKeepsItsNumber() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = nativeEvent(arena, PortSpace.TCP, CmEventType.ESTABLISHED);
            rdma_cm_event.event(event, 77);
            RawEvent copy = RawEvent.copy(event);
            assertSame(CmEventType.UNRECOGNIZED, copy.type());
            assertEquals(77, copy.rawType());
        }
    }

    @Test
    void anEventOutOfTurnHasAnErrorNumber() {
        for (CmEventType type : CmEventType.values()) {
            CmException told = (CmException) event(type, 0, null).toException();
            assertTrue(told.errno() > 0, told::toString);
            assertTrue(told.getMessage().contains(type.toString()), told::toString);
        }
        assertEquals(Errno.ECONNRESET, event(CmEventType.DISCONNECTED, 0, null).errno());
        assertEquals(Errno.ENODEV, event(CmEventType.DEVICE_REMOVAL, 0, null).errno());
    }

    @Test
    void eventsExplainThemselves() {
        assertEquals("ESTABLISHED", event(CmEventType.ESTABLISHED, 0, null).describe());
        String refused = event(CmEventType.REJECTED, 8, null).describe();
        assertTrue(refused.contains("nobody listens"), refused);
        String iwarp = event(CmEventType.REJECTED, -Errno.ECONNRESET, null).describe();
        assertTrue(iwarp.contains("ECONNRESET"), iwarp);
        String route = event(CmEventType.ROUTE_ERROR, -Errno.ETIMEDOUT, null).describe();
        assertTrue(route.contains("no path"), route);
        UdParam ud = new UdParam(new AhAttr(), 0, 0);
        String noService = event(CmEventType.UNREACHABLE, 1, ud).describe();
        assertTrue(noService.contains("nobody listens"), noService);
        assertEquals(Errno.EHOSTUNREACH, event(CmEventType.UNREACHABLE, 1, ud).errno());
        assertEquals(
                Errno.ETIMEDOUT, event(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT, null).errno());
    }

    @Test
    void expectationsThatFailCarryTheEvent() {
        CmEvent event = event(CmEventType.REJECTED, 28, null);
        CmException thrown =
                assertThrows(CmException.class, () -> event.expect(CmEventType.ESTABLISHED));
        assertSame(event, thrown.event());
        assertEquals(28, thrown.status());
        assertEquals(Errno.ECONNREFUSED, thrown.errno());
        assertSame(RejectReason.CONSUMER_DEFINED, thrown.rejectReason());
        assertEquals(3, thrown.privateData().length);
        assertThrows(
                CmException.class,
                () -> event(CmEventType.ESTABLISHED, -5, null).expect(CmEventType.ESTABLISHED));
        assertEquals(event.describe(), ((CmException) event.toException()).event().describe());
    }

    @Test
    void exceptionSurvivesSerialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(event(CmEventType.REJECTED, 28, null).toException());
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            CmException read = (CmException) in.readObject();
            assertSame(CmEventType.REJECTED, read.type());
            assertSame(RejectReason.CONSUMER_DEFINED, read.rejectReason());
            assertNull(read.event());
            assertArrayEquals(new byte[0], read.privateData());
        }
    }

    @Test
    void connParamCopiesItsBytesAndChecksItsRanges() {
        byte[] bytes = {1, 2};
        ConnParam param = new ConnParam().privateData(bytes);
        bytes[0] = 9;
        param.privateData()[1] = 9;
        assertArrayEquals(new byte[] {1, 2}, param.privateData());
        assertThrows(IllegalArgumentException.class, () -> param.retryCount(8));
        assertThrows(IllegalArgumentException.class, () -> param.rnrRetryCount(-1));
        assertThrows(IllegalArgumentException.class, () -> param.initiatorDepth(256));
        assertThrows(IllegalArgumentException.class, () -> param.responderResources(-1));
        assertThrows(IllegalArgumentException.class, () -> param.qpNum(1 << 24));
        assertEquals(param, param.copy());
        assertEquals(param.hashCode(), param.copy().hashCode());
        assertNotEquals(param, param.copy().retryCount(1));
    }

    @Test
    void connParamReachesCAndComesBack() {
        ConnParam param =
                new ConnParam()
                        .privateData((byte) 1, (byte) 2, (byte) 3)
                        .responderResources(200)
                        .initiatorDepth(3)
                        .flowControl(true)
                        .retryCount(5)
                        .rnrRetryCount(4)
                        .srq(true)
                        .qpNum(0xabcdef);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = param.toNative(arena);
            assertEquals(3, rdma_conn_param.private_data_len(s));
            assertEquals(param, ConnParam.of(s, param.privateData()));
        }
    }

    @Test
    @DisplayName("CM-01 without a device or library, creating a channel says what to do")
    void withoutDevice() {
        try (EventChannel events = EventChannel.create()) {
            assertTrue(events.isOpen());
        } catch (io.github.verbs4j.types.VerbsException e) {
            assertEquals("rdma_create_event_channel", e.verb());
            assertTrue(e.getMessage().length() > 60, e.getMessage());
        } catch (io.github.verbs4j.ffi.NativeLibraryMissingException e) {
            assertTrue(e.getMessage().contains("librdmacm1"), e.getMessage());
        }
    }

    @Test
    void addressesKeepTheirScope() throws Exception {
        byte[] bytes = Arrays.copyOf(new byte[] {(byte) 0xfe, (byte) 0x80}, 16);
        InetAddress scoped = java.net.Inet6Address.getByAddress(null, bytes, 5);
        for (InetAddress host :
                new InetAddress[] {
                    scoped, InetAddress.ofLiteral("10.1.2.3"), InetAddress.ofLiteral("2001:db8::1")
                }) {
            try (Arena arena = Arena.ofConfined()) {
                var address = new java.net.InetSocketAddress(host, 65535);
                MemorySegment s = io.github.verbs4j.internal.SockAddrCodec.write(address, arena);
                assertEquals(address, io.github.verbs4j.internal.SockAddrCodec.read(s));
                assertEquals(host.getAddress().length == 4 ? 16 : 28, s.byteSize());
            }
        }
    }
}
