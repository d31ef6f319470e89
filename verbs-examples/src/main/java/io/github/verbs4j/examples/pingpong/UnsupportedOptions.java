package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.examples.cli.ExampleException;
import picocli.CommandLine.Option;

/** The options of the C tools that need what Soft-RoCE lacks: refused by name, not misread. */
final class UnsupportedOptions {

    @Option(
            names = {"-o", "--odp"},
            hidden = true)
    void odp(boolean on) {
        refuse("-o (on-demand paging)");
    }

    @Option(
            names = {"-O", "--iodp"},
            hidden = true)
    void implicitOdp(boolean on) {
        refuse("-O (implicit on-demand paging)");
    }

    @Option(
            names = {"-P", "--prefetch"},
            hidden = true)
    void prefetch(boolean on) {
        refuse("-P (prefetching under on-demand paging)");
    }

    @Option(
            names = {"-t", "--ts"},
            hidden = true)
    void timestamps(boolean on) {
        refuse("-t (completion timestamps)");
    }

    @Option(
            names = {"-j", "--dm"},
            hidden = true)
    void deviceMemory(boolean on) {
        refuse("-j (device memory)");
    }

    @Option(
            names = {"-N", "--new_send"},
            hidden = true)
    void newSend(boolean on) {
        refuse("-N (posting by ibv_wr_*)");
    }

    private static void refuse(String what) {
        throw new ExampleException("option %s is not supported", what);
    }
}
