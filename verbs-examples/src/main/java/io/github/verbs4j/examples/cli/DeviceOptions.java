package io.github.verbs4j.examples.cli;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.types.GidEntry;
import picocli.CommandLine.Option;

/** Chooses a device and its port, as the C tools do. */
public final class DeviceOptions implements Checked {

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = "Use the RDMA device DEV (default: the first).")
    private String name;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Use port PORT of the device (default: ${DEFAULT-VALUE}).")
    private int port;

    @Override
    public void check() {
        Arguments.range(1, 255, "--ib-port", port);
    }

    /** {@return the device that was named, else the first} */
    public Device device() {
        return name == null ? Device.first() : Device.named(name);
    }

    /** {@return that device, opened} */
    public Context open() {
        return device().open();
    }

    /** {@return the port number} */
    public int port() {
        return port;
    }

    /** {@return the GID by which peers most likely reach the port, or the one of an index} */
    public GidEntry gid(Context context, Integer index) {
        return index == null ? context.defaultGid(port) : context.queryGid(port, index);
    }
}
