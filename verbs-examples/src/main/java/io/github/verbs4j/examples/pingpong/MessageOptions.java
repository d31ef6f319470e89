package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.types.Mtu;
import picocli.CommandLine.Option;

/** The messages of a connected transport: long ones go in packets of the path MTU. */
final class MessageOptions implements Checked {

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Size of a message (default: ${DEFAULT-VALUE}).")
    long size;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    int mtu;

    @Override
    public void check() {
        Arguments.range(1, 0xffffffffL, "--size", size);
        Arguments.oneOf("--mtu", mtu, 256, 512, 1024, 2048, 4096);
    }

    Mtu pathMtu() {
        return Mtu.ofBytes(mtu);
    }
}
