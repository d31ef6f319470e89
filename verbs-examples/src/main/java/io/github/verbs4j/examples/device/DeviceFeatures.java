package io.github.verbs4j.examples.device;

import io.github.verbs4j.types.CqModerationCaps;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.DeviceCapFlag;
import io.github.verbs4j.types.OdpCaps;
import io.github.verbs4j.types.OdpGeneralCap;
import io.github.verbs4j.types.OdpTransportCap;
import io.github.verbs4j.types.PacketPacingCaps;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RawPacketCap;
import io.github.verbs4j.types.RssCaps;
import io.github.verbs4j.types.TmCaps;
import io.github.verbs4j.types.TsoCaps;
import java.io.PrintStream;

/** The extended attributes of a device, as {@code ibv_devinfo -v} prints them. */
final class DeviceFeatures {

    private static final long EXTENDED = 0xffffffffL << 32;

    private DeviceFeatures() {}

    static void print(PrintStream out, DeviceAttrEx attr) {
        onDemandPaging(out, attr.odpCaps());
        clock(out, attr.completionTimestampMask(), attr.hcaCoreClock());
        rawPackets(out, attr.rawPacketCaps());
        out.printf("\tdevice_cap_flags_ex:\t\t0x%X%n", attr.deviceCapFlagsEx());
        long flags = attr.deviceCapFlagsEx() & EXTENDED;
        Names.printFlags(out, flags, DeviceCapFlag.of(flags), DeviceCapFlag::value);
        segmentation(out, attr.tsoCaps());
        receiveSideScaling(out, attr.rssCaps());
        out.printf("\tmax_wq_type_rq:\t\t\t%s%n", Integer.toUnsignedString(attr.maxWqTypeRq()));
        pacing(out, attr.packetPacingCaps());
        tagMatching(out, attr.tmCaps());
        moderation(out, attr.cqModCaps());
        if (attr.maxDmSize() != 0) {
            out.printf(
                    "\tmaximum available device memory:\t%sBytes%n%n",
                    Long.toUnsignedString(attr.maxDmSize()));
        }
    }

    private static void onDemandPaging(PrintStream out, OdpCaps caps) {
        out.printf("\tgeneral_odp_caps:%n");
        for (OdpGeneralCap cap : OdpGeneralCap.of(caps.generalCaps())) {
            Names.printItem(out, "ODP_" + cap);
        }
        Names.printUnknown(out, caps.generalCaps(), OdpGeneralCap.of(-1), OdpGeneralCap::value);
        onDemandPaging(out, "rc", caps.rcOdpCaps());
        onDemandPaging(out, "uc", caps.ucOdpCaps());
        onDemandPaging(out, "ud", caps.udOdpCaps());
        onDemandPaging(out, "xrc", caps.xrcOdpCaps());
    }

    private static void onDemandPaging(PrintStream out, String transport, int bits) {
        out.printf("\t%s_odp_caps:%n", transport);
        if (bits == 0) {
            Names.printItem(out, "NO SUPPORT");
        }
        for (OdpTransportCap cap : OdpTransportCap.of(bits)) {
            Names.printItem(out, "SUPPORT_" + (cap == OdpTransportCap.SRQ_RECV ? "SRQ" : cap));
        }
        Names.printUnknown(
                out, Integer.toUnsignedLong(bits), OdpTransportCap.of(-1), OdpTransportCap::value);
    }

    private static void clock(PrintStream out, long timestampMask, long kHz) {
        if (timestampMask != 0) {
            out.printf("\tcompletion timestamp_mask:\t\t\t0x%016x%n", timestampMask);
        } else {
            out.printf("\tcompletion_timestamp_mask not supported%n");
        }
        if (kHz != 0) {
            out.printf("\thca_core_clock:\t\t\t%skHZ%n", Long.toUnsignedString(kHz));
        } else {
            out.printf("\tcore clock not supported%n");
        }
    }

    private static void rawPackets(PrintStream out, int bits) {
        if (bits == 0) {
            return;
        }
        out.printf("\traw packet caps:%n");
        for (RawPacketCap cap : RawPacketCap.of(bits)) {
            Names.printItem(
                    out,
                    switch (cap) {
                        case CVLAN_STRIPPING -> "C-VLAN stripping offload";
                        case SCATTER_FCS -> "Scatter FCS offload";
                        case IP_CSUM -> "IP csum offload";
                        case DELAY_DROP -> "Delay drop";
                    });
        }
    }

    private static void segmentation(PrintStream out, TsoCaps caps) {
        out.printf("\ttso_caps:%n");
        out.printf("\t\tmax_tso:\t\t\t%d%n", caps.maxTso());
        if (caps.maxTso() != 0) {
            queuePairs(out, caps.supportedQpts(), QpType.RAW_PACKET, QpType.UD);
        }
    }

    private static void receiveSideScaling(PrintStream out, RssCaps caps) {
        out.printf("\trss_caps:%n");
        out.printf(
                "\t\tmax_rwq_indirection_tables:\t\t\t%s%n",
                Integer.toUnsignedString(caps.maxRwqIndirectionTables()));
        out.printf(
                "\t\tmax_rwq_indirection_table_size:\t\t\t%s%n",
                Integer.toUnsignedString(caps.maxRwqIndirectionTableSize()));
        out.printf("\t\trx_hash_function:\t\t\t\t0x%x%n", caps.rxHashFunction());
        out.printf("\t\trx_hash_fields_mask:\t\t\t\t0x%X%n", caps.rxHashFieldsMask());
        if (caps.supportedQpts() != 0) {
            queuePairs(out, caps.supportedQpts(), QpType.RAW_PACKET, QpType.UD);
        }
    }

    private static void pacing(PrintStream out, PacketPacingCaps caps) {
        out.printf("\tpacket_pacing_caps:%n");
        out.printf(
                "\t\tqp_rate_limit_min:\t%skbps%n",
                Integer.toUnsignedString(caps.qpRateLimitMin()));
        out.printf(
                "\t\tqp_rate_limit_max:\t%skbps%n",
                Integer.toUnsignedString(caps.qpRateLimitMax()));
        if (caps.qpRateLimitMax() != 0) {
            queuePairs(out, caps.supportedQpts(), QpType.RAW_PACKET, QpType.UD);
        }
    }

    private static void queuePairs(PrintStream out, int bits, QpType... known) {
        out.printf("\t\tsupported_qp:%n");
        long unknown = Integer.toUnsignedLong(bits);
        for (QpType type : known) {
            long bit = 1L << type.value();
            if ((unknown & bit) != 0) {
                Names.printItem(out, "SUPPORT_" + type);
            }
            unknown &= ~bit;
        }
        Names.printUnknown(out, unknown);
    }

    private static void tagMatching(PrintStream out, TmCaps caps) {
        if (caps.maxNumTags() == 0) {
            out.printf("\ttag matching not supported%n");
            return;
        }
        out.printf("\tmax_rndv_hdr_size:\t\t%s%n", Integer.toUnsignedString(caps.maxRndvHdrSize()));
        out.printf("\tmax_num_tags:\t\t\t%s%n", Integer.toUnsignedString(caps.maxNumTags()));
        out.printf("\tmax_ops:\t\t\t%s%n", Integer.toUnsignedString(caps.maxOps()));
        out.printf("\tmax_sge:\t\t\t%s%n", Integer.toUnsignedString(caps.maxSge()));
        out.printf("\tflags:%n");
        if ((caps.flags() & 1) != 0) {
            Names.printItem(out, "IBV_TM_CAP_RC");
        }
    }

    private static void moderation(PrintStream out, CqModerationCaps caps) {
        if (caps.maxCqCount() != 0 && caps.maxCqPeriod() != 0) {
            out.printf("%n\tcq moderation caps:%n");
            out.printf("\t\tmax_cq_count:\t%d%n", caps.maxCqCount());
            out.printf("\t\tmax_cq_period:\t%d us%n%n", caps.maxCqPeriod());
        }
    }
}
