package io.github.verbs4j.examples.cm;

import io.github.verbs4j.Context;
import io.github.verbs4j.cm.CmDevices;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.LinkLayer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What {@code udaddy} and {@code mckey} have in common. */
final class DatagramOptions implements Checked {

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "The local address, which chooses the device.")
    String local;

    @Option(
            names = "-c",
            paramLabel = "N",
            defaultValue = "1",
            description = "Do it with N queue pairs (default: ${DEFAULT-VALUE}).")
    int connections;

    @Option(
            names = "-C",
            paramLabel = "N",
            defaultValue = "10",
            description = "Send N messages with each (default: ${DEFAULT-VALUE}).")
    int messages;

    @Option(
            names = "-S",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Size of a message, at most the MTU (default: ${DEFAULT-VALUE}).")
    int size;

    @Option(
            names = "-p",
            paramLabel = "SPACE",
            defaultValue = "0x111",
            converter = Space.class,
            description =
                    "The port space as a number: 0x111 for UDP (default), 0x2 for IPOIB, which"
                            + " needs InfiniBand.")
    PortSpace portSpace;

    @Mixin Patience patience;

    @Override
    public void check() {
        Arguments.range(1, 1000, "-c", connections);
        Arguments.range(0, 16_000, "-C", messages);
        Arguments.range(0, 1 << 30, "-S", size);
        if (size == 0) {
            messages = 0;
        }
    }

    /** Refuses what only another kind of network can do. */
    void checkNetwork() {
        if (portSpace == PortSpace.IPOIB
                && CmDevices.list().stream().noneMatch(DatagramOptions::isInfiniBand)) {
            throw new ExampleException(
                    "port space IPOIB needs an InfiniBand device, there is none here");
        }
    }

    private static boolean isInfiniBand(Context context) {
        return context.queryPort(1).linkLayer() == LinkLayer.INFINIBAND;
    }

    /** The port spaces of datagrams, by the numbers of C. */
    static final class Space implements ITypeConverter<PortSpace> {
        @Override
        public PortSpace convert(String text) {
            int number = new CNumber().convert(text);
            if (number != PortSpace.UDP.value() && number != PortSpace.IPOIB.value()) {
                throw new TypeConversionException("'" + text + "' is neither 0x111 nor 0x2");
            }
            return PortSpace.of(number);
        }
    }
}
