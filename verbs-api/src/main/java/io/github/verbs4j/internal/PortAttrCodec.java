package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.Unsigned.u16;
import static io.github.verbs4j.internal.Unsigned.u32;
import static io.github.verbs4j.internal.Unsigned.u8;

import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.PortState;
import java.lang.foreign.MemorySegment;

/** {@code struct ibv_port_attr} to {@link PortAttr}. */
public final class PortAttrCodec {

    private PortAttrCodec() {}

    /**
     * Reads the structure.
     *
     * @param s the structure
     * @return its value
     */
    public static PortAttr read(MemorySegment s) {
        return new PortAttr(
                PortState.of(ibv_port_attr.state(s)),
                Mtu.of(ibv_port_attr.max_mtu(s)),
                Mtu.of(ibv_port_attr.active_mtu(s)),
                ibv_port_attr.gid_tbl_len(s),
                ibv_port_attr.port_cap_flags(s),
                u32(ibv_port_attr.max_msg_sz(s)),
                ibv_port_attr.bad_pkey_cntr(s),
                ibv_port_attr.qkey_viol_cntr(s),
                u16(ibv_port_attr.pkey_tbl_len(s)),
                u16(ibv_port_attr.lid(s)),
                u16(ibv_port_attr.sm_lid(s)),
                u8(ibv_port_attr.lmc(s)),
                u8(ibv_port_attr.max_vl_num(s)),
                u8(ibv_port_attr.sm_sl(s)),
                u8(ibv_port_attr.subnet_timeout(s)),
                u8(ibv_port_attr.init_type_reply(s)),
                u8(ibv_port_attr.active_width(s)),
                u8(ibv_port_attr.active_speed(s)),
                u8(ibv_port_attr.phys_state(s)),
                LinkLayer.of(u8(ibv_port_attr.link_layer(s))),
                u8(ibv_port_attr.flags(s)),
                u16(ibv_port_attr.port_cap_flags2(s)));
    }
}
