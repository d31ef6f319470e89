package io.github.verbs4j.examples.cli;

import picocli.CommandLine.Option;

/** What every example understands. */
public final class CommonOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text.")
    private boolean help;

    @Option(names = "--trace", description = "Show where a failure comes from.")
    void trace(boolean on) {
        System.setProperty(Failures.TRACE, String.valueOf(on));
    }
}
