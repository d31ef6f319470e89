package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {
    private static final QpAddress QP =
            new QpAddress(
                    0xbeef,
                    0x12,
                    0xabcdef,
                    Gid.parse("::ffff:192.168.10.1"),
                    GidType.ROCE_V2,
                    Mtu.MTU_1024);
    private static final String QP_TEXT =
            "v1:beef:000012:abcdef:00000000000000000000ffffc0a80a01:roce_v2:1024";
    private static final String QP_BYTES =
            "0102beef" + "03000012" + "00abcdef" + "00000000000000000000ffffc0a80a01";

    private static final RemoteBuffer BUFFER = new RemoteBuffer(0x7f0000001000L, 4096, 0x8001ff02);
    private static final String BUFFER_TEXT = "v1:00007f0000001000:0000000000001000:8001ff02";
    private static final String BUFFER_BYTES = "00007f00000010000000000000001000" + "8001ff02";

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    @Test
    void theFormsOfAQueuePairAddressAreStable() {
        assertEquals(QP_TEXT, QP.toText());
        assertEquals(QP_TEXT, QP.toString());
        assertEquals(QP, QpAddress.parse(QP_TEXT));
        assertEquals(QP_BYTES, HexFormat.of().formatHex(QP.toBytes()));
        assertEquals(QP, QpAddress.ofBytes(hex(QP_BYTES)));
        assertEquals(QpAddress.BYTES, QP.toBytes().length);
    }

    @Test
    void theLargestNumbersAndTheUnknownSurvive() {
        QpAddress edge =
                new QpAddress(
                        0xffff,
                        0xffffff,
                        0xffffff,
                        Gid.of(-1, -1),
                        GidType.UNRECOGNIZED,
                        Mtu.UNRECOGNIZED);
        assertEquals("v1:ffff:ffffff:ffffff:" + "f".repeat(32) + ":-:-", edge.toText());
        assertEquals(edge, QpAddress.parse(edge.toText()));
        assertEquals(
                "01ffffff00ffffff00ffffff" + "f".repeat(32),
                HexFormat.of().formatHex(edge.toBytes()));
        assertEquals(edge, QpAddress.ofBytes(edge.toBytes()));
        for (GidType type : GidType.values()) {
            for (Mtu mtu : Mtu.values()) {
                QpAddress each = new QpAddress(1, 2, 3, Gid.of(0, 4), type, mtu);
                assertEquals(each, QpAddress.parse(each.toText()));
                assertEquals(each, QpAddress.ofBytes(each.toBytes()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v2:x | expected version v1, was \"v2\"",
                "v1:beef | expected v1:lid:qpn:psn:gid:type:mtu, was \"v1:beef\"",
                "v1:bee:000012:abcdef:00000000000000000000ffffc0a80a01:ib:1024 | lid must be 4"
                        + " hex digits, was \"bee\"",
                "v1:beef:00001x:abcdef:00000000000000000000ffffc0a80a01:ib:1024 | qpn must be 6"
                        + " hex digits, was \"00001x\"",
                "v1:beef:000012:+bcdef:00000000000000000000ffffc0a80a01:ib:1024 | psn must be 6"
                        + " hex digits, was \"+bcdef\"",
                "v1:beef:000012:abcdef:ffff:ib:1024 | gid must be 32 hex digits, was \"ffff\"",
                "v1:beef:000012:abcdef:00000000000000000000ffffc0a80a01:IB:1024 | type must be"
                        + " ib, roce_v1, roce_v2 or -, was \"IB\"",
                "v1:beef:000012:abcdef:00000000000000000000ffffc0a80a01:ib:1500 | mtu must be 256"
                        + " to 4096 or -, was \"1500\"",
            })
    void malformedTextIsRefusedWithTheReason(String text, String reason) {
        var e = assertThrows(IllegalArgumentException.class, () -> QpAddress.parse(text));
        assertEquals("queue pair address: " + reason, e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "0,  2, expected version 1; was 2",
        "1,  3, no GID type has the number 3",
        "4,  6, no MTU has the number 6",
        "8,  1, psn must fit in 24 bits (0 to 0xffffff); was 0x01abcdef",
    })
    void malformedBytesAreRefusedWithTheReason(int position, byte value, String reason) {
        byte[] bytes = QP.toBytes();
        bytes[position] = value;
        var e = assertThrows(IllegalArgumentException.class, () -> QpAddress.ofBytes(bytes));
        assertTrue(e.getMessage().endsWith(reason.replace(';', ',')), e.getMessage());
    }

    @Test
    void otherLengthsAreRefused() {
        var qp = assertThrows(IllegalArgumentException.class, () -> QpAddress.ofBytes(hex("01")));
        assertEquals("queue pair address: expected 28 bytes, got 1", qp.getMessage());
        var buffer =
                assertThrows(IllegalArgumentException.class, () -> RemoteBuffer.ofBytes(hex("")));
        assertEquals("remote buffer: expected 20 bytes, got 0", buffer.getMessage());
    }

    @Test
    void queuePairAddressesHaveRanges() {
        Gid gid = Gid.of(0, 0);
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new QpAddress(0, 1 << 24, 0, gid, GidType.IB, Mtu.MTU_256));
        assertEquals("qp_num must fit in 24 bits (0 to 0xffffff), was 0x01000000", e.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> new QpAddress(0x10000, 1, 0, gid, GidType.IB, Mtu.MTU_256));
        assertThrows(
                NullPointerException.class, () -> new QpAddress(0, 1, 0, gid, null, Mtu.MTU_256));
    }

    @Test
    void theFormsOfARemoteBufferAreStable() {
        assertEquals(BUFFER_TEXT, BUFFER.toText());
        assertEquals(BUFFER, RemoteBuffer.parse(BUFFER_TEXT));
        assertArrayEquals(hex(BUFFER_BYTES), BUFFER.toBytes());
        assertEquals(BUFFER, RemoteBuffer.ofBytes(hex(BUFFER_BYTES)));
        assertEquals(
                "RemoteBuffer[address=0x7f0000001000, length=4096, rkey=0x8001ff02]",
                BUFFER.toString());
        assertThrows(IllegalArgumentException.class, () -> RemoteBuffer.parse("v1:0:0:0"));
        assertThrows(IllegalArgumentException.class, () -> RemoteBuffer.parse("v1:0:0"));
        assertThrows(IllegalArgumentException.class, () -> RemoteBuffer.parse("00"));
    }

    @Test
    void slicesStayInsideTheBuffer() {
        assertEquals(new RemoteBuffer(0x7f0000001100L, 16, BUFFER.rkey()), BUFFER.slice(256, 16));
        assertEquals(0, BUFFER.slice(4096, 0).length());
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.slice(4096, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.slice(-1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.slice(1, Long.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.slice(0, -1));
        assertEquals(0x7f0000002000L, BUFFER.address(4096));
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.address(4097));
        assertThrows(IndexOutOfBoundsException.class, () -> BUFFER.address(-1));
    }

    @Test
    void aRemoteBufferEndsWhereMemoryEnds() {
        assertEquals(16, new RemoteBuffer(-16L, 16, 0).length());
        var wrap =
                assertThrows(IllegalArgumentException.class, () -> new RemoteBuffer(-16L, 17, 0));
        assertEquals(
                "remote buffer: 0xfffffffffffffff0 + 17 bytes is beyond the end of memory",
                wrap.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new RemoteBuffer(0, -1, 0));
    }

    @Test
    void addressAttributesCheckAndCopy() {
        AhAttr ah = new AhAttr().portNum(1).dlid(0xffff).sl(15).srcPathBits(127).staticRate(24);
        assertFalse(ah.isGlobal());
        assertEquals("{port_num=1, dlid=65535, sl=15, is_global=0}", ah.toString());
        AhAttr copy = ah.copy().grh(new GlobalRoute(Gid.of(0, 1), 0xfffff, 255, 255, 255)).sl(0);
        assertTrue(copy.isGlobal());
        assertEquals(127, copy.srcPathBits());
        assertEquals(24, copy.staticRate());
        assertEquals(15, ah.sl());
        var e = assertThrows(IllegalArgumentException.class, () -> ah.sl(16));
        assertEquals("ibv_ah_attr.sl must be 0 to 15, was 16", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> ah.dlid(-1));
        assertThrows(IllegalArgumentException.class, () -> ah.srcPathBits(128));
        assertThrows(IllegalArgumentException.class, () -> ah.staticRate(256));
        assertThrows(IllegalArgumentException.class, () -> ah.portNum(256));
        Gid gid = Gid.of(0, 1);
        assertThrows(IllegalArgumentException.class, () -> new GlobalRoute(gid, 1 << 20, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new GlobalRoute(gid, 0, 256, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new GlobalRoute(gid, 0, 0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> new GlobalRoute(gid, 0, 0, 0, 256));
        assertThrows(IllegalArgumentException.class, () -> new QpCap(1, 1, 1, -1, 0));
    }
}
