package io.github.verbs4j.examples.cm;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import picocli.CommandLine.Option;

/** The port of a server, with the default of most C tools. */
final class ServerPort implements Checked {

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "7471",
            description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Override
    public void check() {
        Arguments.range(1, 65535, "-p", port);
    }

    int get() {
        return port;
    }
}
