package io.github.verbs4j.examples.lessons;

import io.github.verbs4j.Context;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.DeviceOptions;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.TransportType;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every lesson. */
public final class LessonOptions implements Checked {

    @Mixin private DeviceOptions device;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = "Use this entry of the port's GID table (default: RoCE v2 on IPv4).")
    private Integer gidIndex;

    @Override
    public void check() {
        Arguments.gidIndex(gidIndex);
    }

    /** {@return the device, opened; it connects queue pairs without a connection manager} */
    public Context open() {
        if (device.device().transportType() != TransportType.IB) {
            throw new ExampleException(
                    "%s is no InfiniBand or RoCE device; this needs one (-d chooses it)",
                    device.device().name());
        }
        return device.open();
    }

    /** {@return the GID that the peers use} */
    public GidEntry gid(Context context) {
        return device.gid(context, gidIndex);
    }
}
