package io.github.verbs4j.examples.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceAttrEx;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints what a device is and can do. Twin of {@code ibv_devinfo}: the same text. */
@Command(
        name = "devinfo",
        description = "Print the attributes of RDMA devices and their ports (as ibv_devinfo).")
public final class DevInfo implements Runnable, Checked {

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = "Use the RDMA device DEV (default: all devices).")
    private String name;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "Use port PORT of the device (default: all ports).")
    private Integer port;

    @Option(
            names = {"-l", "--list"},
            description = "Print only the names of the devices.")
    private boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print all attributes.")
    private boolean verbose;

    private final PrintStream out = System.out;

    @Override
    public void check() {
        if (port != null) {
            Arguments.range(1, 255, "--ib-port", port);
        }
    }

    @Override
    public void run() {
        if (list) {
            printNames(Device.list());
            return;
        }
        List<Device> devices = Device.list();
        if (name != null || devices.isEmpty()) {
            // Without a device, the exception says why there is none.
            devices = List.of(name == null ? Device.first() : Device.named(name));
        }
        devices.forEach(this::print);
    }

    private void printNames(List<Device> devices) {
        out.printf("%d HCA%s found:%n", devices.size(), devices.size() == 1 ? "" : "s");
        devices.forEach(device -> out.printf("\t%s%n", device.name()));
        out.println();
    }

    private void print(Device device) {
        try (Context context = device.open()) {
            DeviceAttrEx attr = context.queryDeviceEx();
            int ports = attr.origAttr().physPortCnt();
            if (port != null && port > ports) {
                throw new ExampleException(
                        "%s has no port %d; it has %d", device.name(), port, ports);
            }
            printIdentity(device, attr.origAttr());
            if (verbose) {
                DeviceLimits.print(out, attr.origAttr());
                DeviceFeatures.print(out, attr);
                out.printf("\tnum_comp_vectors:\t\t%d%n", context.numCompVectors());
            }
            for (int each = 1; each <= ports; each++) {
                if (port == null || port == each) {
                    PortInfo.print(out, context, each, verbose);
                }
            }
        }
    }

    private void printIdentity(Device device, DeviceAttr attr) {
        out.printf("hca_id:\t%s%n", device.name());
        out.printf(
                "\ttransport:\t\t\t%s (%d)%n",
                Names.of(device.transportType()), device.transportType().value());
        if (!attr.fwVer().isEmpty()) {
            out.printf("\tfw_ver:\t\t\t\t%s%n", attr.fwVer());
        }
        out.printf("\tnode_guid:\t\t\t%s%n", attr.nodeGuid());
        out.printf("\tsys_image_guid:\t\t\t%s%n", attr.sysImageGuid());
        out.printf("\tvendor_id:\t\t\t0x%04x%n", attr.vendorId());
        out.printf("\tvendor_part_id:\t\t\t%d%n", attr.vendorPartId());
        out.printf("\thw_ver:\t\t\t\t0x%X%n", attr.hwVer());
        String board = boardId(device.sysfsPath().resolve("board_id"));
        if (!board.isEmpty()) {
            out.printf("\tboard_id:\t\t\t%s%n", board);
        }
        out.printf("\tphys_port_cnt:\t\t\t%d%n", attr.physPortCnt());
    }

    private static String boardId(Path file) {
        try {
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            return ""; // Software devices have no board.
        }
    }
}
