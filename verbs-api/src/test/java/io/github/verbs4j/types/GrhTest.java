package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GrhTest {

    private static final String IPV6 =
            // version 6, class 0xab, label 0xcdef1; 300 bytes, BTH, 7 hops
            "6abcdef1012c1b07"
                    + "fe80000000000000020000fffe000001"
                    + "20010db8000000000000000000000002";

    /** Type of service 0x48, 58 bytes, time to live 64, UDP, 10.77.0.1 to 10.77.0.2. */
    private static final String IPV4 = "4548004e000040004011" + "%s" + "0a4d00010a4d0002";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String checksum(String header) {
        byte[] bytes = bytes(header.formatted("0000"));
        int sum = 0;
        for (int i = 0; i < bytes.length; i += 2) {
            sum += (bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return HexFormat.of().toHexDigits((short) ~sum);
    }

    @Test
    @DisplayName("a GRH reads as what it says")
    void ipv6() {
        Grh grh = Grh.parse(bytes(IPV6));
        assertFalse(grh.isIpv4());
        assertEquals(0xab, grh.trafficClass());
        assertEquals(0xcdef1, grh.flowLabel());
        assertEquals(300, grh.payloadLength());
        assertEquals(0x1b, grh.nextHeader());
        assertEquals(7, grh.hopLimit());
        assertEquals(Gid.parse("fe80::200:ff:fe00:1"), grh.sgid());
        assertEquals(Gid.parse("2001:db8::2"), grh.dgid());
    }

    @Test
    @DisplayName("an IPv4 header behind 20 bytes reads as mapped GIDs, with or without checksum")
    void ipv4() {
        for (String sum : new String[] {checksum(IPV4), "0000"}) {
            Grh grh = Grh.parse(bytes("00".repeat(20) + IPV4.formatted(sum) + "ffff"));
            assertTrue(grh.isIpv4());
            assertEquals(0x48, grh.trafficClass());
            assertEquals(58, grh.payloadLength());
            assertEquals(17, grh.nextHeader());
            assertEquals(64, grh.hopLimit());
            assertEquals(Gid.parse("::ffff:10.77.0.1"), grh.sgid());
            assertEquals(Gid.parse("::ffff:10.77.0.2"), grh.dgid());
        }
    }

    @Test
    @DisplayName("where both versions are possible the checksum decides")
    void ambiguous() {
        String before = "6" + "0".repeat(39);
        assertTrue(Grh.parse(bytes(before + IPV4.formatted(checksum(IPV4)))).isIpv4());
        assertFalse(Grh.parse(bytes(before + IPV4.formatted("0000"))).isIpv4());
    }

    @Test
    @DisplayName("other bytes, and too few, are refused")
    void refused() {
        assertThrows(IllegalArgumentException.class, () -> Grh.parse(new byte[40]));
        assertThrows(IllegalArgumentException.class, () -> Grh.parse(new byte[39]));
    }
}
