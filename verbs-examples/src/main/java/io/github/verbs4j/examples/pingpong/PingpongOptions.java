package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.DeviceOptions;
import io.github.verbs4j.examples.wire.Rendezvous;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that all C ping-pong tools have, with their letters and defaults. */
final class PingpongOptions implements Checked {

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "Connect to the server on HOST; without it, be the server.")
    String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "Meet the peer on TCP port PORT (default: ${DEFAULT-VALUE}).")
    int port;

    @Mixin DeviceOptions device;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description = "Service level, 0 to 15 (default: ${DEFAULT-VALUE}).")
    int sl;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until a completion is reported (default: poll).")
    boolean events;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description =
                    "Use this entry of the port's GID table (default: none on InfiniBand, RoCE v2"
                            + " on IPv4 on Ethernet).")
    Integer gidIndex;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "Give up on the peer when nothing happens for so long (default:"
                            + " ${DEFAULT-VALUE}); a server waits for its client for ever.")
    int patience;

    /** Refuses values that no device can honour. */
    @Override
    public void check() {
        Arguments.range(1, 65535, "--port", port);
        Arguments.range(0, 15, "--sl", sl);
        Arguments.range(1, 86_400, "--patience", patience);
        Arguments.gidIndex(gidIndex);
    }

    boolean isClient() {
        return host != null;
    }

    Rendezvous rendezvous() {
        return Rendezvous.with(host, port, patience());
    }

    Duration patience() {
        return Duration.ofSeconds(patience);
    }
}
