package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    /** The right column is what inet_ntop(AF_INET6) of glibc prints for the left one. */
    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, ::",
        "00000000000000000000000000000001, ::1",
        "fe80000000000000505400fffe123456, fe80::5054:ff:fe12:3456",
        "00000000000000000000ffffc0a80a01, ::ffff:192.168.10.1",
        "00000000000000000000ffff00000000, ::ffff:0.0.0.0",
        "0000000000000000000000000a000001, ::10.0.0.1",
        "00000000000000000000000000010002, ::0.1.0.2",
        "20010db8000000000000000000000001, 2001:db8::1",
        "20010db8000000010000000000000001, 2001:db8:0:1::1",
        "20010db8000000010000000100000000, 2001:db8:0:1:0:1::",
        "20010db8000100000001000000010000, 2001:db8:1:0:1:0:1:0",
        "ff0e0000000000000000ffffe0000001, ff0e::ffff:e000:1",
        "0001000000000000000000000000000a, 1::a",
        "00000001000000000000000000000000, 0:1::",
        "0000000000000000ffff0a0b0c0d0e0f, ::ffff:a0b:c0d:e0f",
        "00010000000000020000000000000003, 1:0:0:2::3",
        "000000000000000000000001c0a80a01, ::1:c0a8:a01",
        "0000000100020003000400050006abcd, 0:1:2:3:4:5:6:abcd",
    })
    void printsAndReadsWhatInetNtopPrints(String hex, String text) {
        Gid gid = Gid.of(HexFormat.of().parseHex(hex));
        assertEquals(text, gid.toString());
        assertEquals(hex, gid.toHex());
        assertEquals(gid, Gid.parse(text));
        assertEquals(gid, Gid.parse(hex));
        assertEquals(gid.hashCode(), Gid.parse(hex).hashCode());
    }

    @Test
    void readsTheGroupsOfSysfsAndUpperCase() {
        Gid gid = Gid.parse("fe80:0000:0000:0000:5054:00ff:fe12:3456");
        assertEquals(0xfe80000000000000L, gid.subnetPrefix());
        assertEquals(0x505400fffe123456L, gid.interfaceId());
        assertEquals(gid, Gid.parse("FE80000000000000505400FFFE123456"));
        assertEquals(gid, Gid.of(0xfe80000000000000L, 0x505400fffe123456L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "fe80",
                "fe80:::1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "12345::",
                "fe80::1%eth0",
                "[fe80::1]",
                "10.0.0.1",
                "localhost",
                "::ffff:1.2.3",
                "::ffff:1.2.3.256",
                "fe80000000000000505400fffe12345",
                "fe80000000000000505400fffe12345g",
                " ::1"
            })
    void refusesOtherTextAndQuotesIt(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> Gid.parse(text));
        assertEquals(
                "GID must be 32 hex digits or an IPv6 address, was \"" + text + "\"",
                e.getMessage());
    }

    @Test
    void refusesAnotherNumberOfBytes() {
        var e = assertThrows(IllegalArgumentException.class, () -> Gid.of(new byte[15]));
        assertEquals("a GID has 16 bytes, got 15", e.getMessage());
    }

    @Test
    void doesNotShareItsBytes() {
        byte[] bytes = Gid.parse("::1").bytes();
        Gid gid = Gid.of(bytes);
        bytes[0] = 1;
        gid.bytes()[0] = 1;
        assertEquals("::1", gid.toString());
    }

    @Test
    void classifiesAddresses() {
        assertTrue(Gid.parse("::").isZero());
        assertFalse(Gid.parse("::1").isZero());
        assertTrue(Gid.parse("::ffff:1.2.3.4").isIpv4Mapped());
        assertFalse(Gid.parse("::1.2.3.4").isIpv4Mapped());
        assertTrue(Gid.parse("fe80::1").isLinkLocal());
        assertTrue(Gid.parse("febf::1").isLinkLocal());
        assertFalse(Gid.parse("fec0::1").isLinkLocal());
        assertTrue(Gid.parse("ff02::1").isMulticast());
        assertFalse(Gid.parse("fe80::1").isMulticast());
    }

    @Test
    void convertsToAndFromIpAddresses() {
        InetAddress four = Gid.parse("::ffff:192.168.10.1").toInetAddress();
        assertInstanceOf(Inet4Address.class, four);
        assertArrayEquals(new byte[] {(byte) 192, (byte) 168, 10, 1}, four.getAddress());
        assertEquals("::ffff:192.168.10.1", Gid.of(four).toString());

        InetAddress six = Gid.parse("2001:db8::1").toInetAddress();
        assertInstanceOf(Inet6Address.class, six);
        assertEquals("2001:db8::1", Gid.of(six).toString());
    }
}
