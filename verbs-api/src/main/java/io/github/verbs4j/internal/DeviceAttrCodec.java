package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.Unsigned.u16;
import static io.github.verbs4j.internal.Unsigned.u8;

import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Guid;
import java.lang.foreign.MemorySegment;

/** {@code struct ibv_device_attr} to {@link DeviceAttr}. */
public final class DeviceAttrCodec {

    private DeviceAttrCodec() {}

    /**
     * Reads the structure.
     *
     * @param s the structure
     * @return its value
     */
    public static DeviceAttr read(MemorySegment s) {
        return new DeviceAttr(
                ibv_device_attr.fw_ver(s).getString(0),
                new Guid(NetworkOrder.toHost(ibv_device_attr.node_guid(s))),
                new Guid(NetworkOrder.toHost(ibv_device_attr.sys_image_guid(s))),
                ibv_device_attr.max_mr_size(s),
                ibv_device_attr.page_size_cap(s),
                ibv_device_attr.vendor_id(s),
                ibv_device_attr.vendor_part_id(s),
                ibv_device_attr.hw_ver(s),
                ibv_device_attr.max_qp(s),
                ibv_device_attr.max_qp_wr(s),
                ibv_device_attr.device_cap_flags(s),
                ibv_device_attr.max_sge(s),
                ibv_device_attr.max_sge_rd(s),
                ibv_device_attr.max_cq(s),
                ibv_device_attr.max_cqe(s),
                ibv_device_attr.max_mr(s),
                ibv_device_attr.max_pd(s),
                ibv_device_attr.max_qp_rd_atom(s),
                ibv_device_attr.max_ee_rd_atom(s),
                ibv_device_attr.max_res_rd_atom(s),
                ibv_device_attr.max_qp_init_rd_atom(s),
                ibv_device_attr.max_ee_init_rd_atom(s),
                AtomicCap.of(ibv_device_attr.atomic_cap(s)),
                ibv_device_attr.max_ee(s),
                ibv_device_attr.max_rdd(s),
                ibv_device_attr.max_mw(s),
                ibv_device_attr.max_raw_ipv6_qp(s),
                ibv_device_attr.max_raw_ethy_qp(s),
                ibv_device_attr.max_mcast_grp(s),
                ibv_device_attr.max_mcast_qp_attach(s),
                ibv_device_attr.max_total_mcast_qp_attach(s),
                ibv_device_attr.max_ah(s),
                ibv_device_attr.max_fmr(s),
                ibv_device_attr.max_map_per_fmr(s),
                ibv_device_attr.max_srq(s),
                ibv_device_attr.max_srq_wr(s),
                ibv_device_attr.max_srq_sge(s),
                u16(ibv_device_attr.max_pkeys(s)),
                u8(ibv_device_attr.local_ca_ack_delay(s)),
                u8(ibv_device_attr.phys_port_cnt(s)));
    }
}
