package io.github.verbs4j.examples.device;

import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceCapFlag;
import java.io.PrintStream;

/** The plain attributes of a device, as {@code ibv_devinfo -v} prints them. */
final class DeviceLimits {

    private DeviceLimits() {}

    static void print(PrintStream out, DeviceAttr attr) {
        out.printf("\tmax_mr_size:\t\t\t0x%x%n", attr.maxMrSize());
        out.printf("\tpage_size_cap:\t\t\t0x%x%n", attr.pageSizeCap());
        out.printf("\tmax_qp:\t\t\t\t%d%n", attr.maxQp());
        out.printf("\tmax_qp_wr:\t\t\t%d%n", attr.maxQpWr());
        out.printf("\tdevice_cap_flags:\t\t0x%08x%n", attr.deviceCapFlags());
        long flags = Integer.toUnsignedLong(attr.deviceCapFlags());
        Names.printFlags(out, flags, DeviceCapFlag.of(flags), DeviceCapFlag::value);
        out.printf("\tmax_sge:\t\t\t%d%n", attr.maxSge());
        out.printf("\tmax_sge_rd:\t\t\t%d%n", attr.maxSgeRd());
        out.printf("\tmax_cq:\t\t\t\t%d%n", attr.maxCq());
        out.printf("\tmax_cqe:\t\t\t%d%n", attr.maxCqe());
        out.printf("\tmax_mr:\t\t\t\t%d%n", attr.maxMr());
        out.printf("\tmax_pd:\t\t\t\t%d%n", attr.maxPd());
        out.printf("\tmax_qp_rd_atom:\t\t\t%d%n", attr.maxQpRdAtom());
        out.printf("\tmax_ee_rd_atom:\t\t\t%d%n", attr.maxEeRdAtom());
        out.printf("\tmax_res_rd_atom:\t\t%d%n", attr.maxResRdAtom());
        out.printf("\tmax_qp_init_rd_atom:\t\t%d%n", attr.maxQpInitRdAtom());
        out.printf("\tmax_ee_init_rd_atom:\t\t%d%n", attr.maxEeInitRdAtom());
        out.printf(
                "\tatomic_cap:\t\t\t%s (%d)%n",
                Names.of(attr.atomicCap()), attr.atomicCap().value());
        out.printf("\tmax_ee:\t\t\t\t%d%n", attr.maxEe());
        out.printf("\tmax_rdd:\t\t\t%d%n", attr.maxRdd());
        out.printf("\tmax_mw:\t\t\t\t%d%n", attr.maxMw());
        out.printf("\tmax_raw_ipv6_qp:\t\t%d%n", attr.maxRawIpv6Qp());
        out.printf("\tmax_raw_ethy_qp:\t\t%d%n", attr.maxRawEthyQp());
        out.printf("\tmax_mcast_grp:\t\t\t%d%n", attr.maxMcastGrp());
        out.printf("\tmax_mcast_qp_attach:\t\t%d%n", attr.maxMcastQpAttach());
        out.printf("\tmax_total_mcast_qp_attach:\t%d%n", attr.maxTotalMcastQpAttach());
        out.printf("\tmax_ah:\t\t\t\t%d%n", attr.maxAh());
        out.printf("\tmax_fmr:\t\t\t%d%n", attr.maxFmr());
        if (attr.maxFmr() != 0) {
            out.printf("\tmax_map_per_fmr:\t\t%d%n", attr.maxMapPerFmr());
        }
        out.printf("\tmax_srq:\t\t\t%d%n", attr.maxSrq());
        if (attr.maxSrq() != 0) {
            out.printf("\tmax_srq_wr:\t\t\t%d%n", attr.maxSrqWr());
            out.printf("\tmax_srq_sge:\t\t\t%d%n", attr.maxSrqSge());
        }
        out.printf("\tmax_pkeys:\t\t\t%d%n", attr.maxPkeys());
        out.printf("\tlocal_ca_ack_delay:\t\t%d%n", attr.localCaAckDelay());
    }
}
