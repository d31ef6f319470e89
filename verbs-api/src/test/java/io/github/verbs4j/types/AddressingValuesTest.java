package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AddressingValuesTest {

    @Test
    @DisplayName("a flow label gives the UDP source port that C computes")
    void udpSourcePort() {
        for (int label : new int[] {0, 1, 0x3fff, 0x4000, 0xfc000, 0xfffff, 0x12345}) {
            // As the function of verbs.h: the high 6 bits over the low 14.
            int expected = (label & 0x3fff ^ (label & 0xfc000) >> 14) | 0xc000;
            assertEquals(expected, new GlobalRoute(Gid.of(0, 1), label, 0, 1, 0).udpSourcePort());
        }
        assertEquals(0xc000, new GlobalRoute(Gid.of(0, 1), 0, 0, 1, 0).udpSourcePort());
        assertEquals(0xffc0, new GlobalRoute(Gid.of(0, 1), 0xfffff, 0, 1, 0).udpSourcePort());
    }

    @Test
    @DisplayName("rates convert both ways")
    void rates() {
        for (Rate rate : Rate.values()) {
            assertEquals(rate, Rate.of(rate.value()));
            assertEquals(rate, Rate.ofMult(rate.toMult()));
            assertEquals(rate, Rate.ofMbps(rate.toMbps()));
            assertEquals(rate.value(), new AhAttr().staticRate(rate).staticRate());
        }
        assertEquals(2500, Rate.GBPS_2_5.toMbps());
        assertEquals(4, Rate.GBPS_10.toMult());
        assertEquals(Rate.MAX, Rate.ofMult(3));
        assertEquals(Rate.MAX, Rate.ofMbps(7));
        assertThrows(IllegalArgumentException.class, () -> Rate.of(1));
    }

    @Test
    @DisplayName("the Ethernet address is a value of its own")
    void ethernet() {
        byte[] mac = {2, 0, 0, 0, 0, (byte) 0xfe};
        EthL2 address = new EthL2(mac, OptionalInt.empty());
        mac[0] = 9;
        address.mac()[1] = 9;
        assertArrayEquals(new byte[] {2, 0, 0, 0, 0, (byte) 0xfe}, address.mac());
        assertEquals("02:00:00:00:00:fe", address.toString());
        EthL2 tagged = new EthL2(address.mac(), OptionalInt.of(7));
        assertEquals("02:00:00:00:00:fe vlan 7", tagged.toString());
        assertNotEquals(address, tagged);
        assertEquals(address.hashCode(), new EthL2(address.mac(), OptionalInt.empty()).hashCode());
        assertThrows(
                IllegalArgumentException.class, () -> new EthL2(new byte[5], OptionalInt.empty()));
    }

    @Test
    @DisplayName("the address of a peer is refused where it could never be reached")
    void peerAddress() {
        GidEntry local = new GidEntry(Gid.of(0, 1), 3, 1, GidType.ROCE_V2, 0, Optional.empty());
        QpAddress v2 = new QpAddress(0, 5, 6, Gid.of(0, 2), GidType.ROCE_V2, Mtu.MTU_1024);
        AhAttr attr = AhAttr.to(local, v2);
        assertEquals(Gid.of(0, 2), attr.grh().dgid());
        assertEquals(3, attr.grh().sgidIndex());
        QpAddress v1 = new QpAddress(0, 5, 6, Gid.of(0, 2), GidType.ROCE_V1, Mtu.MTU_1024);
        assertThrows(IllegalArgumentException.class, () -> AhAttr.to(local, v1));
    }

    @Test
    @DisplayName("event types have the numbers of C, and an element each")
    void eventTypes() {
        for (AsyncEventType type : AsyncEventType.values()) {
            assertEquals(type, AsyncEventType.of(type.value()));
            assertEquals(type == AsyncEventType.UNRECOGNIZED ? -1 : type.ordinal(), type.value());
        }
        assertEquals(AsyncEventType.UNRECOGNIZED, AsyncEventType.of(21));
        assertEquals(AsyncEventType.Element.WQ, AsyncEventType.WQ_FATAL.element());
        assertTrue(AsyncEventType.CQ_ERR.isError());
    }

    @Test
    @DisplayName("attributes of a shared queue count when they are set")
    void srqAttr() {
        assertEquals(0, new SrqAttr().mask());
        assertEquals(1, new SrqAttr().maxWr(5).mask());
        assertEquals(2, new SrqAttr().srqLimit(0).mask());
        assertEquals(3, SrqAttr.queried(1, 2, 3).mask());
        assertThrows(IllegalArgumentException.class, () -> new SrqAttr().srqLimit(-1));
    }
}
