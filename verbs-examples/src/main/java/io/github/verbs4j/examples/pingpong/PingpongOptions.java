package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.DeviceOptions;
import io.github.verbs4j.examples.wire.Rendezvous;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.Mtu;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ibv_rc_pingpong} and its relatives, with their letters and defaults. */
final class PingpongOptions {

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
            names = {"-c", "--chk"},
            description = "Check the received data; both sides need it.")
    boolean check;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "Give the peer up when nothing happens for so long (default:"
                            + " ${DEFAULT-VALUE}).")
    int patience;

    /** Refuses values that no device can honour. */
    void check() {
        Arguments.range(1, 65535, "--port", port);
        Arguments.range(1, 0xffffffffL, "--size", size);
        Arguments.oneOf("--mtu", mtu, 256, 512, 1024, 2048, 4096);
        Arguments.range(1, Integer.MAX_VALUE - 1L, "--rx-depth", rxDepth);
        Arguments.range(1, Integer.MAX_VALUE, "--iters", iters);
        Arguments.range(0, 15, "--sl", sl);
        Arguments.range(1, 86_400, "--patience", patience);
    }

    boolean isClient() {
        return host != null;
    }

    GidEntry gid(Context context) {
        return device.gid(context, gidIndex);
    }

    Mtu pathMtu() {
        return Mtu.ofBytes(mtu);
    }

    Rendezvous rendezvous() {
        return Rendezvous.with(host, port, patience());
    }

    Duration patience() {
        return Duration.ofSeconds(patience);
    }
}
