package io.github.verbs4j.examples.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.TransportType;
import java.io.PrintStream;

/** The attributes of a port, as {@code ibv_devinfo} prints them. */
final class PortInfo {

    private PortInfo() {}

    static void print(PrintStream out, Context context, int number, boolean verbose) {
        PortAttr port = context.queryPort(number);
        out.printf("\t\tport:\t%d%n", number);
        out.printf("\t\t\tstate:\t\t\t%s (%d)%n", Names.of(port.state()), port.state().value());
        out.printf("\t\t\tmax_mtu:\t\t%s (%d)%n", Names.of(port.maxMtu()), port.maxMtu().value());
        out.printf(
                "\t\t\tactive_mtu:\t\t%s (%d)%n",
                Names.of(port.activeMtu()), port.activeMtu().value());
        out.printf("\t\t\tsm_lid:\t\t\t%d%n", port.smLid());
        out.printf("\t\t\tport_lid:\t\t%d%n", port.lid());
        out.printf("\t\t\tport_lmc:\t\t0x%02x%n", port.lmc());
        out.printf("\t\t\tlink_layer:\t\t%s%n", Names.of(port.linkLayer()));
        if (verbose) {
            limits(out, port);
            if (context.device().transportType() == TransportType.IB) {
                out.printf(
                        "\t\t\tphys_state:\t\t%s (%d)%n",
                        Names.physState(port.physState()), port.physState());
            }
            boolean ethernet = port.linkLayer() == LinkLayer.ETHERNET;
            context.gidTable(number).forEach(entry -> gid(out, entry, ethernet));
        }
        out.println();
    }

    private static void limits(PrintStream out, PortAttr port) {
        out.printf("\t\t\tmax_msg_sz:\t\t0x%x%n", port.maxMsgSz());
        out.printf("\t\t\tport_cap_flags:\t\t0x%08x%n", port.portCapFlags());
        out.printf("\t\t\tport_cap_flags2:\t0x%04x%n", port.portCapFlags2());
        out.printf(
                "\t\t\tmax_vl_num:\t\t%s (%d)%n",
                Names.virtualLanes(port.maxVlNum()), port.maxVlNum());
        out.printf("\t\t\tbad_pkey_cntr:\t\t0x%x%n", port.badPkeyCntr());
        out.printf("\t\t\tqkey_viol_cntr:\t\t0x%x%n", port.qkeyViolCntr());
        out.printf("\t\t\tsm_sl:\t\t\t%d%n", port.smSl());
        out.printf("\t\t\tpkey_tbl_len:\t\t%d%n", port.pkeyTblLen());
        out.printf("\t\t\tgid_tbl_len:\t\t%d%n", port.gidTblLen());
        out.printf("\t\t\tsubnet_timeout:\t\t%d%n", port.subnetTimeout());
        out.printf("\t\t\tinit_type_reply:\t%d%n", port.initTypeReply());
        out.printf(
                "\t\t\tactive_width:\t\t%sX (%d)%n",
                Names.width(port.activeWidth()), port.activeWidth());
        out.printf(
                "\t\t\tactive_speed:\t\t%s (%d)%n",
                Names.speed(port.activeSpeed()), port.activeSpeed());
    }

    private static void gid(PrintStream out, GidEntry entry, boolean ethernet) {
        if (entry.gid().interfaceId() == 0) {
            return; // The C tool takes it for an empty one.
        }
        boolean v2 = entry.type() == GidType.ROCE_V2;
        String type = ethernet ? v2 ? ", RoCE v2" : ", RoCE v1" : "";
        String text =
                v2 ? entry.gid().toString() : entry.gid().toHex().replaceAll("(.{4})(?=.)", "$1:");
        out.printf("\t\t\tGID[%3d]:\t\t%s%s%n", entry.index(), text, type);
    }
}
