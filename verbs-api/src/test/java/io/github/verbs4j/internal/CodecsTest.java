package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.PortState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Structures to values: no field at another's place, no sign where C has none. */
class CodecsTest {

    @Test
    void deviceAttributesComeFromTheirOwnFieldsUnsigned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = ibv_device_attr.allocate(arena);
            ibv_device_attr.fw_ver(s).setString(0, "16.35.2000");
            ibv_device_attr.node_guid(s, bigEndian(0x0102030405060708L));
            ibv_device_attr.max_mr_size(s, -1L);
            ibv_device_attr.max_qp(s, 11);
            ibv_device_attr.max_qp_wr(s, 12);
            ibv_device_attr.max_sge(s, 13);
            ibv_device_attr.max_sge_rd(s, 14);
            ibv_device_attr.max_cq(s, 15);
            ibv_device_attr.max_cqe(s, 16);
            ibv_device_attr.max_mr(s, 17);
            ibv_device_attr.max_pd(s, 18);
            ibv_device_attr.max_qp_rd_atom(s, 19);
            ibv_device_attr.max_qp_init_rd_atom(s, 20);
            ibv_device_attr.atomic_cap(s, 2);
            ibv_device_attr.max_mw(s, 21);
            ibv_device_attr.max_ah(s, 22);
            ibv_device_attr.max_srq(s, 23);
            ibv_device_attr.max_srq_wr(s, 24);
            ibv_device_attr.max_srq_sge(s, 25);
            ibv_device_attr.max_pkeys(s, (short) 0xfffe);
            ibv_device_attr.local_ca_ack_delay(s, (byte) 0x90);
            ibv_device_attr.phys_port_cnt(s, (byte) 0xff);
            DeviceAttr a = DeviceAttrCodec.read(s);
            assertEquals("16.35.2000", a.fwVer());
            assertEquals("0102:0304:0506:0708", a.nodeGuid().toString());
            assertEquals(-1L, a.maxMrSize());
            int[] read = {
                a.maxQp(),
                a.maxQpWr(),
                a.maxSge(),
                a.maxSgeRd(),
                a.maxCq(),
                a.maxCqe(),
                a.maxMr(),
                a.maxPd(),
                a.maxQpRdAtom(),
                a.maxQpInitRdAtom(),
                a.maxMw(),
                a.maxAh(),
                a.maxSrq(),
                a.maxSrqWr(),
                a.maxSrqSge()
            };
            for (int i = 0; i < read.length; i++) {
                assertEquals(11 + i, read[i], "field " + i);
            }
            assertEquals(AtomicCap.GLOB, a.atomicCap());
            assertEquals(0xfffe, a.maxPkeys());
            assertEquals(0x90, a.localCaAckDelay());
            assertEquals(255, a.physPortCnt());
        }
    }

    @Test
    void portAttributesComeFromTheirOwnFieldsUnsigned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment s = ibv_port_attr.allocate(arena);
            ibv_port_attr.state(s, 4);
            ibv_port_attr.max_mtu(s, 5);
            ibv_port_attr.active_mtu(s, 3);
            ibv_port_attr.gid_tbl_len(s, 1024);
            ibv_port_attr.pkey_tbl_len(s, (short) 0x8001);
            ibv_port_attr.lid(s, (short) 0xc001);
            PortAttr a = PortAttrCodec.read(s);
            assertEquals(PortState.ACTIVE, a.state());
            assertEquals(Mtu.MTU_4096, a.maxMtu());
            assertEquals(Mtu.MTU_1024, a.activeMtu());
            assertEquals(1024, a.gidTblLen());
            assertEquals(0x8001, a.pkeyTblLen());
            assertEquals(0xc001, a.lid());
        }
    }

    private static long bigEndian(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? Long.reverseBytes(value)
                : value;
    }
}
