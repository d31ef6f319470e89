package io.github.verbs4j.examples.device;

import io.github.verbs4j.Device;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists the devices of this machine. Twin of {@code ibv_devices}: the same text. */
@Command(name = "devices", description = "List the RDMA devices of this machine (as ibv_devices).")
public final class Devices implements Runnable {

    @Override
    public void run() {
        List<Device> devices = Device.list();
        System.out.printf("    %-16s\t   node GUID%n", "device");
        System.out.printf("    %-16s\t----------------%n", "------");
        for (Device device : devices) {
            System.out.printf("    %-16s\t%s%n", device.name(), device.guid().toHex());
        }
        if (devices.isEmpty()) {
            System.err.println(whyNone());
        }
    }

    private static String whyNone() {
        try {
            return Device.first().name() + " has just appeared";
        } catch (VerbsException e) {
            return e.getMessage();
        }
    }
}
