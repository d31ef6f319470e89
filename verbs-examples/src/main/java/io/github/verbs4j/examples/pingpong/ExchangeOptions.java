package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import picocli.CommandLine.Option;

/** How many messages a ping-pong tool exchanges, and whether it looks at them. */
final class ExchangeOptions implements Checked {

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "500",
            description = "Keep up to N receives posted (default: ${DEFAULT-VALUE}).")
    int rxDepth;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Exchange N messages each way (default: ${DEFAULT-VALUE}).")
    int iters;

    @Option(
            names = {"-c", "--chk"},
            description = "Check the received data; both sides need it.")
    boolean check;

    @Override
    public void check() {
        Arguments.range(1, Integer.MAX_VALUE - 1L, "--rx-depth", rxDepth);
        Arguments.range(1, Integer.MAX_VALUE, "--iters", iters);
    }
}
