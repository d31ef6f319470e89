package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.verbs_h;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnumsTest {
    @Test
    void someNumbersAsInTheHeader() {
        assertEquals(2, QpType.RC.value());
        assertEquals(8, QpType.RAW_PACKET.value());
        assertEquals(10, QpType.XRC_RECV.value());
        assertEquals(255, QpType.DRIVER.value());
        assertEquals(6, QpState.ERR.value());
        assertEquals(12, WcStatus.RETRY_EXC_ERR.value());
        assertEquals(23, WcStatus.TM_RNDV_INCOMPLETE.value());
        assertEquals(9, WcOpcode.ATOMIC_WRITE.value());
        assertEquals(129, WcOpcode.RECV_RDMA_WITH_IMM.value());
        assertEquals(137, WcOpcode.DRIVER3.value());
        assertEquals(9, WrOpcode.SEND_WITH_INV.value());
        assertEquals(1 << 20, AccessFlag.RELAXED_ORDERING.value());
        assertEquals(1 << 20, QpAttrMask.DEST_QPN.value());
        assertEquals(1 << 25, QpAttrMask.RATE_LIMIT.value());
        assertEquals("IBV_QP_MAX_QP_RD_ATOMIC", QpAttrMask.MAX_QP_RD_ATOMIC.cName());
        assertEquals(4, PortState.ACTIVE.value());
        assertEquals(7, NodeType.UNSPECIFIED.value());
        assertEquals(4, TransportType.UNSPECIFIED.value());
        assertEquals(16, SendFlags.IP_CSUM);
        assertEquals(64, WcFlags.TM_DATA_VALID);
    }

    @Test
    @DisplayName("DEV-15 a number without a name is told as such, and a rate that is none is none")
    void numbersWithoutName() {
        for (int bad : new int[] {-1, 24, 99, 1 << 16}) {
            assertSame(WcStatus.UNRECOGNIZED, WcStatus.of(bad));
            assertThrows(IllegalArgumentException.class, () -> Rate.of(bad + 100));
        }
        assertSame(Rate.MAX, Rate.ofMult(7));
        assertSame(Rate.MAX, Rate.ofMbps(2501));
        assertSame(Rate.GBPS_100, Rate.ofMult(Rate.GBPS_100.toMult()));
    }

    @Test
    @DisplayName("OP-10 K-3 K-4 ibv_post_send cannot be given an opcode that it must not see")
    void opcodesAreClosed() {
        for (int bad : new int[] {-1, 10, 11, 14, 15, 32, 1 << 16, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> WrOpcode.of(bad));
        }
        for (WrOpcode each : WrOpcode.values()) {
            assertTrue(each.value() < 10, each::toString);
        }
    }

    @Test
    void everyNumberFindsItsConstant() {
        for (WcStatus each : WcStatus.values()) {
            assertSame(each, WcStatus.of(each.value()));
        }
        for (WcOpcode each : WcOpcode.values()) {
            assertSame(each, WcOpcode.of(each.value()));
        }
        for (WrOpcode each : WrOpcode.values()) {
            assertSame(each, WrOpcode.of(each.value()));
        }
        for (QpType each : QpType.values()) {
            assertSame(each, QpType.of(each.value()));
        }
        for (QpState each : QpState.values()) {
            assertSame(each, QpState.of(each.value()));
        }
        for (Mtu each : Mtu.values()) {
            assertSame(each, Mtu.of(each.value()));
        }
    }

    @Test
    void numbersFromTheDeviceNeverThrow() {
        for (int value : new int[] {-1, 10, 24, 127, 138, 4711, Integer.MIN_VALUE}) {
            assertSame(WcOpcode.UNRECOGNIZED, WcOpcode.of(value));
            assertSame(PortState.UNRECOGNIZED, PortState.of(value));
            assertSame(LinkLayer.UNRECOGNIZED, LinkLayer.of(value));
            assertSame(AtomicCap.UNRECOGNIZED, AtomicCap.of(value));
            assertSame(GidType.UNRECOGNIZED, GidType.of(value));
            assertSame(MigState.UNRECOGNIZED, MigState.of(value));
            assertSame(Mtu.UNRECOGNIZED, Mtu.of(value));
            assertSame(QpState.UNKNOWN, QpState.of(value));
            assertSame(NodeType.UNKNOWN, NodeType.of(value));
            assertSame(TransportType.UNKNOWN, TransportType.of(value));
        }
        assertSame(WcStatus.UNRECOGNIZED, WcStatus.of(24));
        assertSame(WcStatus.UNRECOGNIZED, WcStatus.of(-1));
        assertEquals(-1, WcStatus.UNRECOGNIZED.value());
    }

    @Test
    void numbersFromTheCallerThrow() {
        var e = assertThrows(IllegalArgumentException.class, () -> WrOpcode.of(32));
        assertEquals("no ibv_wr_opcode has the number 32", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> QpType.of(1));
    }

    @Test
    void everyStatusDescribesItself() {
        Set<String> seen = new HashSet<>();
        for (WcStatus status : WcStatus.values()) {
            assertTrue(status.describe().endsWith("."), status.name());
            assertTrue(seen.add(status.describe()), status.name());
        }
        assertTrue(WcStatus.RETRY_EXC_ERR.describe().contains("4791"));
        assertTrue(WcStatus.WR_FLUSH_ERR.describe().contains("first completion"));
    }

    @Test
    void receivesAreRecognised() {
        assertTrue(WcOpcode.RECV.isReceive());
        assertTrue(WcOpcode.RECV_RDMA_WITH_IMM.isReceive());
        assertFalse(WcOpcode.SEND.isReceive());
        assertFalse(WcOpcode.UNRECOGNIZED.isReceive());
    }

    @Test
    void accessFlagsBecomeBitsAndBack() {
        assertEquals(0, AccessFlag.bits());
        assertEquals(
                0x100007,
                AccessFlag.bits(
                        EnumSet.of(
                                AccessFlag.LOCAL_WRITE,
                                AccessFlag.REMOTE_WRITE,
                                AccessFlag.REMOTE_READ,
                                AccessFlag.RELAXED_ORDERING)));
        assertEquals(3, AccessFlag.bits(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        assertEquals(EnumSet.of(AccessFlag.REMOTE_ATOMIC), AccessFlag.of(1 << 30 | 8));
        assertEquals(EnumSet.allOf(AccessFlag.class), AccessFlag.of(-1));
    }

    @Test
    void flagsSpellThemselvesOut() {
        assertEquals("0", SendFlags.toString(0));
        assertEquals("SIGNALED|INLINE", SendFlags.toString(SendFlags.SIGNALED | SendFlags.INLINE));
        assertEquals("FENCE|0x40000000", SendFlags.toString(1 << 30 | 1));
        assertEquals("GRH|WITH_IMM", WcFlags.toString(WcFlags.GRH | WcFlags.WITH_IMM));
        assertEquals("TM_DATA_VALID|0x80", WcFlags.toString(0xc0));
    }

    @Test
    void mtusCompareByBytes() {
        assertEquals(256, Mtu.MTU_256.bytes());
        assertEquals(4096, Mtu.MTU_4096.bytes());
        assertEquals(0, Mtu.UNRECOGNIZED.bytes());
        assertSame(Mtu.MTU_2048, Mtu.ofBytes(2048));
        assertSame(Mtu.MTU_512, Mtu.min(Mtu.MTU_4096, Mtu.MTU_512));
        assertSame(Mtu.MTU_4096, Mtu.min(Mtu.MTU_4096, Mtu.UNRECOGNIZED));
        assertSame(Mtu.MTU_4096, Mtu.min(Mtu.UNRECOGNIZED, Mtu.MTU_4096));
        var e = assertThrows(IllegalArgumentException.class, () -> Mtu.ofBytes(1500));
        assertEquals("MTU must be 256, 512, 1024, 2048 or 4096 bytes, was 1500", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Mtu.ofBytes(0));
    }

    @Test
    void errnoNamesAreThoseOfLinux() {
        assertEquals("EINVAL", Errno.name(Errno.EINVAL));
        assertEquals("EOPNOTSUPP", Errno.name(95));
        assertEquals("ETIMEDOUT", Errno.name(110));
        assertEquals("EHWPOISON", Errno.name(133));
        assertEquals("ENOTSUPP", Errno.name(524));
        assertEquals("errno 41", Errno.name(41));
        assertEquals("errno 0", Errno.name(0));
        assertEquals("errno 4711", Errno.name(4711));
        assertEquals("errno -1", Errno.name(-1));
    }

    @Test
    void portCapabilitiesAreThoseOfTheHeader() throws ReflectiveOperationException {
        for (PortCapFlag flag : PortCapFlag.values()) {
            assertEquals(constant("IBV_PORT_" + flag), flag.value(), flag.name());
        }
        for (PortCapFlag2 flag : PortCapFlag2.values()) {
            if (flag != PortCapFlag2.LINK_SPEED_XDR_SUP) { // younger than the bound header
                assertEquals(constant("IBV_PORT_" + flag), flag.value(), flag.name());
            }
        }
        assertEquals(EnumSet.allOf(PortCapFlag.class), PortCapFlag.of(-1));
        assertEquals(EnumSet.of(PortCapFlag2.VIRT_SUP), PortCapFlag2.of(4));
    }

    private static int constant(String name) throws ReflectiveOperationException {
        return (int) verbs_h.class.getMethod(name).invoke(null);
    }

    @Test
    void atomicsOfTheBusHaveSizes() {
        PciAtomicCaps caps = new PciAtomicCaps(0, 4, 3);
        assertFalse(PciAtomicCaps.hasSize(caps.fetchAdd(), 8));
        assertTrue(PciAtomicCaps.hasSize(caps.swap(), 16));
        assertFalse(PciAtomicCaps.hasSize(caps.swap(), 8));
        assertTrue(PciAtomicCaps.hasSize(caps.compareSwap(), 4));
        assertThrows(IllegalArgumentException.class, () -> PciAtomicCaps.hasSize(7, 2));
    }
}
