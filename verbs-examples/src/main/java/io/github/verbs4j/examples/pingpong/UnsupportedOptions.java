package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.examples.cli.Arguments;
import picocli.CommandLine.Option;

/** The options of {@code ibv_rc_pingpong} that need what Soft-RoCE lacks: refused by name. */
final class UnsupportedOptions {

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
            names = {"-j", "--dm"},
            hidden = true)
    void deviceMemory(boolean on) {
        refuse("-j (device memory)");
    }

    static void refuse(String what) {
        throw Arguments.wrong("option %s is not supported", what);
    }
}
