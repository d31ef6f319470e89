package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.types.CqModerationCaps;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.DeviceCapFlag;
import io.github.verbs4j.types.OdpCaps;
import io.github.verbs4j.types.OdpGeneralCap;
import io.github.verbs4j.types.OdpTransportCap;
import io.github.verbs4j.types.PacketPacingCaps;
import io.github.verbs4j.types.PciAtomicCaps;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RawPacketCap;
import io.github.verbs4j.types.RssCaps;
import io.github.verbs4j.types.TmCaps;
import io.github.verbs4j.types.TsoCaps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class DeviceAttrExCodecTest {

    /** The fields behind the plain attributes, in the order and with the sizes of the C struct. */
    private static DeviceAttrEx readCounted() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = ibv_device_attr_ex.allocate(arena);
            // Each 32-bit word holds its number, so every field tells where it was read.
            for (int word = 0; word < s.byteSize() / 4; word++) {
                s.setAtIndex(ValueLayout.JAVA_INT, word, word);
            }
            ibv_device_attr_ex.orig_attr(s).fill((byte) 0);
            return DeviceAttrExCodec.read(s);
        }
    }

    @Test
    void everyFieldIsReadFromItsPlace() {
        int w = (int) ibv_device_attr.sizeof() / 4; // comp_mask
        assertEquals(0, ibv_device_attr.sizeof() % 8);
        DeviceAttrEx attr = readCounted();
        assertEquals(new OdpCaps(pair(w + 2), w + 4, w + 5, w + 6, w + 40), attr.odpCaps());
        assertEquals(pair(w + 8), attr.completionTimestampMask());
        assertEquals(pair(w + 10), attr.hcaCoreClock());
        assertEquals(pair(w + 12), attr.deviceCapFlagsEx());
        assertEquals(new TsoCaps(w + 14, w + 15), attr.tsoCaps());
        assertEquals(new RssCaps(w + 16, w + 17, w + 18, pair(w + 20), w + 22), attr.rssCaps());
        assertEquals(w + 24, attr.maxWqTypeRq());
        assertEquals(new PacketPacingCaps(w + 25, w + 26, w + 27), attr.packetPacingCaps());
        assertEquals(w + 28, attr.rawPacketCaps());
        assertEquals(new TmCaps(w + 29, w + 30, w + 31, w + 32, w + 33), attr.tmCaps());
        assertEquals(new CqModerationCaps(w + 34, 0), attr.cqModCaps());
        assertEquals(pair(w + 36), attr.maxDmSize());
        assertEquals(new PciAtomicCaps(w + 38, 0, w + 39), attr.pciAtomicCaps());
        assertEquals(w + 41, attr.physPortCntEx());
    }

    private static long pair(int word) {
        return (word + 1L) << 32 | word;
    }

    @Test
    void bitsAreSplitIntoFlagsAndUnknownOnesLeftOut() {
        assertEquals(
                EnumSet.of(DeviceCapFlag.RESIZE_MAX_WR, DeviceCapFlag.RAW_SCATTER_FCS),
                DeviceCapFlag.of(1 | 1L << 34 | 1L << 63));
        assertEquals(
                EnumSet.of(DeviceCapFlag.XRC, DeviceCapFlag.MANAGED_FLOW_STEERING),
                DeviceCapFlag.of(1 << 20 | 1 << 29));
        assertEquals(EnumSet.allOf(OdpGeneralCap.class), OdpGeneralCap.of(-1));
        assertEquals(
                EnumSet.of(OdpTransportCap.SRQ_RECV, OdpTransportCap.SEND), OdpTransportCap.of(33));
        assertEquals(EnumSet.of(RawPacketCap.IP_CSUM), RawPacketCap.of(4));
    }

    @Test
    void supportedTypesAreBitsByTheirNumbers() {
        TsoCaps caps = new TsoCaps(1, 1 << QpType.UD.value());
        assertTrue(caps.supports(QpType.UD));
        assertFalse(caps.supports(QpType.RC));
        assertFalse(new TsoCaps(1, -1).supports(QpType.DRIVER));
    }
}
