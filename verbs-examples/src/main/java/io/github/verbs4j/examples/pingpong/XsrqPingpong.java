package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.XrcDomain;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.wire.XrcRendezvous;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Bounces messages over extended reliable connections, by which a message names the shared receive
 * queue that it is for. Twin of {@code ibv_xsrq_pingpong}.
 */
@Command(
        name = "xsrq-pingpong",
        description = {
            "Bounce messages between a server and clients over XRC (as ibv_xsrq_pingpong).",
            "",
            "Start it without HOST on one side, then with the server's HOST on the other. The C"
                    + " tool may be either side. The device must have XRC, which Soft-RoCE lacks."
        })
public final class XsrqPingpong implements Callable<Integer>, Checked {

    /** Clients of one host share a domain by this file, as those of the C tool do. */
    private static final Path DOMAIN = Path.of("/tmp/xrc_domain");

    @Mixin private PingpongOptions options;
    @Mixin private MessageOptions message;
    @Mixin private OnDemandPaging odp;

    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "1",
            description = "As server, wait for N clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = {"-n", "--num_tests"},
            paramLabel = "N",
            defaultValue = "5",
            description = "Exchange N messages with each client (default: ${DEFAULT-VALUE}).")
    private int tests;

    @Override
    public void check() {
        Arguments.range(1, 1024, "--clients", clients);
        Arguments.range(1, 1_000_000, "--num_tests", tests);
    }

    @Override
    public Integer call() throws Exception {
        int peers = options.isClient() ? 1 : clients;
        try (Context context = options.device.open();
                ProtectionDomain pd = context.allocPd();
                XrcDomain domain = openDomain(context);
                XrcRendezvous rendezvous =
                        new XrcRendezvous(options.host, options.port, peers, options.patience());
                XrcLoop loop = new XrcLoop(pd, domain, options, message, peers, tests)) {
            loop.meet(rendezvous);
            loop.run(!options.isClient());
            rendezvous.end();
        }
        System.out.println("success");
        return 0;
    }

    private static XrcDomain openDomain(Context context) throws IOException {
        try {
            Files.createFile(DOMAIN);
        } catch (FileAlreadyExistsException e) {
            // Another client's, or of a run before.
        }
        try {
            return context.openXrcd(DOMAIN, XrcDomain.O_CREAT);
        } catch (UnsupportedVerbException e) {
            throw new ExampleException(
                    "%s has no XRC: %s", context.device().name(), e.getMessage());
        }
    }
}
