package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.Unsigned.u16;
import static io.github.verbs4j.internal.Unsigned.u8;

import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.ffi.ibv_global_route;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GlobalRoute;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@code struct ibv_ah_attr} from and to {@link AhAttr}. */
public final class AhAttrCodec {

    private AhAttrCodec() {}

    /**
     * Fills the structure.
     *
     * @param attr the value
     * @param s the structure, zeroed
     */
    public static void write(AhAttr attr, MemorySegment s) {
        GlobalRoute route = attr.grh();
        if (route != null) {
            MemorySegment grh = ibv_ah_attr.grh(s);
            writeGid(route.dgid(), ibv_global_route.dgid(grh));
            ibv_global_route.flow_label(grh, route.flowLabel());
            ibv_global_route.sgid_index(grh, (byte) route.sgidIndex());
            ibv_global_route.hop_limit(grh, (byte) route.hopLimit());
            ibv_global_route.traffic_class(grh, (byte) route.trafficClass());
            ibv_ah_attr.is_global(s, (byte) 1);
        }
        ibv_ah_attr.dlid(s, (short) attr.dlid());
        ibv_ah_attr.sl(s, (byte) attr.sl());
        ibv_ah_attr.src_path_bits(s, (byte) attr.srcPathBits());
        ibv_ah_attr.static_rate(s, (byte) attr.staticRate());
        ibv_ah_attr.port_num(s, (byte) attr.portNum());
    }

    /**
     * Reads the structure.
     *
     * @param s the structure
     * @return its value
     */
    public static AhAttr read(MemorySegment s) {
        AhAttr attr = new AhAttr();
        if (ibv_ah_attr.is_global(s) != 0) {
            MemorySegment grh = ibv_ah_attr.grh(s);
            attr.grh(
                    new GlobalRoute(
                            readGid(ibv_global_route.dgid(grh)),
                            ibv_global_route.flow_label(grh),
                            u8(ibv_global_route.sgid_index(grh)),
                            u8(ibv_global_route.hop_limit(grh)),
                            u8(ibv_global_route.traffic_class(grh))));
        }
        return attr.dlid(u16(ibv_ah_attr.dlid(s)))
                .sl(u8(ibv_ah_attr.sl(s)))
                .srcPathBits(u8(ibv_ah_attr.src_path_bits(s)))
                .staticRate(u8(ibv_ah_attr.static_rate(s)))
                .portNum(u8(ibv_ah_attr.port_num(s)));
    }

    /**
     * Reads a {@code union ibv_gid}.
     *
     * @param s the union
     * @return its value
     */
    public static Gid readGid(MemorySegment s) {
        return Gid.of(s.asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE));
    }

    /**
     * Fills a {@code union ibv_gid}.
     *
     * @param gid the value
     * @param s the union
     */
    public static void writeGid(Gid gid, MemorySegment s) {
        MemorySegment.copy(gid.bytes(), 0, s, ValueLayout.JAVA_BYTE, 0, 16);
    }
}
