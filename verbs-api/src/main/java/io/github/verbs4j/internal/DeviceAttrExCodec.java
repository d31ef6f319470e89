package io.github.verbs4j.internal;

import static io.github.verbs4j.internal.Unsigned.u16;
import static io.github.verbs4j.internal.Unsigned.u8;

import io.github.verbs4j.ffi.ibv_cq_moderation_caps;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_odp_caps;
import io.github.verbs4j.ffi.ibv_packet_pacing_caps;
import io.github.verbs4j.ffi.ibv_pci_atomic_caps;
import io.github.verbs4j.ffi.ibv_rss_caps;
import io.github.verbs4j.ffi.ibv_tm_caps;
import io.github.verbs4j.ffi.ibv_tso_caps;
import io.github.verbs4j.types.CqModerationCaps;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.OdpCaps;
import io.github.verbs4j.types.PacketPacingCaps;
import io.github.verbs4j.types.PciAtomicCaps;
import io.github.verbs4j.types.RssCaps;
import io.github.verbs4j.types.TmCaps;
import io.github.verbs4j.types.TsoCaps;
import java.lang.foreign.MemorySegment;

/** {@code struct ibv_device_attr_ex} to {@link DeviceAttrEx}. */
public final class DeviceAttrExCodec {

    private DeviceAttrExCodec() {}

    /**
     * Reads the structure.
     *
     * @param s the structure
     * @return its value
     */
    public static DeviceAttrEx read(MemorySegment s) {
        return new DeviceAttrEx(
                DeviceAttrCodec.read(ibv_device_attr_ex.orig_attr(s)),
                odp(ibv_device_attr_ex.odp_caps(s), ibv_device_attr_ex.xrc_odp_caps(s)),
                ibv_device_attr_ex.completion_timestamp_mask(s),
                ibv_device_attr_ex.hca_core_clock(s),
                ibv_device_attr_ex.device_cap_flags_ex(s),
                tso(ibv_device_attr_ex.tso_caps(s)),
                rss(ibv_device_attr_ex.rss_caps(s)),
                ibv_device_attr_ex.max_wq_type_rq(s),
                pacing(ibv_device_attr_ex.packet_pacing_caps(s)),
                ibv_device_attr_ex.raw_packet_caps(s),
                tagMatching(ibv_device_attr_ex.tm_caps(s)),
                moderation(ibv_device_attr_ex.cq_mod_caps(s)),
                ibv_device_attr_ex.max_dm_size(s),
                pciAtomics(ibv_device_attr_ex.pci_atomic_caps(s)),
                ibv_device_attr_ex.phys_port_cnt_ex(s));
    }

    private static OdpCaps odp(MemorySegment s, int xrc) {
        MemorySegment transports = ibv_odp_caps.per_transport_caps(s);
        return new OdpCaps(
                ibv_odp_caps.general_caps(s),
                ibv_odp_caps.per_transport_caps.rc_odp_caps(transports),
                ibv_odp_caps.per_transport_caps.uc_odp_caps(transports),
                ibv_odp_caps.per_transport_caps.ud_odp_caps(transports),
                xrc);
    }

    private static TsoCaps tso(MemorySegment s) {
        return new TsoCaps(ibv_tso_caps.max_tso(s), ibv_tso_caps.supported_qpts(s));
    }

    private static RssCaps rss(MemorySegment s) {
        return new RssCaps(
                ibv_rss_caps.supported_qpts(s),
                ibv_rss_caps.max_rwq_indirection_tables(s),
                ibv_rss_caps.max_rwq_indirection_table_size(s),
                ibv_rss_caps.rx_hash_fields_mask(s),
                u8(ibv_rss_caps.rx_hash_function(s)));
    }

    private static PacketPacingCaps pacing(MemorySegment s) {
        return new PacketPacingCaps(
                ibv_packet_pacing_caps.qp_rate_limit_min(s),
                ibv_packet_pacing_caps.qp_rate_limit_max(s),
                ibv_packet_pacing_caps.supported_qpts(s));
    }

    private static TmCaps tagMatching(MemorySegment s) {
        return new TmCaps(
                ibv_tm_caps.max_rndv_hdr_size(s),
                ibv_tm_caps.max_num_tags(s),
                ibv_tm_caps.flags(s),
                ibv_tm_caps.max_ops(s),
                ibv_tm_caps.max_sge(s));
    }

    private static CqModerationCaps moderation(MemorySegment s) {
        return new CqModerationCaps(
                u16(ibv_cq_moderation_caps.max_cq_count(s)),
                u16(ibv_cq_moderation_caps.max_cq_period(s)));
    }

    private static PciAtomicCaps pciAtomics(MemorySegment s) {
        return new PciAtomicCaps(
                u16(ibv_pci_atomic_caps.fetch_add(s)),
                u16(ibv_pci_atomic_caps.swap(s)),
                u16(ibv_pci_atomic_caps.compare_swap(s)));
    }
}
