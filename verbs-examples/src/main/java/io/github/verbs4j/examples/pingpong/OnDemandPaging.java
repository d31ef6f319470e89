package io.github.verbs4j.examples.pingpong;

import picocli.CommandLine.Option;

/** The option that {@code ibv_rc_pingpong} shares with the tools of shared receive queues. */
final class OnDemandPaging {

    @Option(
            names = {"-o", "--odp"},
            hidden = true)
    void odp(boolean on) {
        UnsupportedOptions.refuse("-o (on-demand paging)");
    }
}
