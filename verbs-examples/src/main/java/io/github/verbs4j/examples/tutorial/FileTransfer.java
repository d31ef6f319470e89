package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Failures;
import io.github.verbs4j.examples.cm.Address;
import io.github.verbs4j.examples.cm.Patience;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Copies files by RDMA WRITE with immediate data. Speaks the protocol of the tutorial's third
 * program, whose client or server may be the peer.
 */
@Command(
        name = "file-transfer",
        description = {
            "Copy files by RDMA WRITE with immediate data (tutorial, part 3).",
            "",
            "Start it without HOST on one side: it stores what comes in a folder. Then name the"
                    + " server's HOST and files on the other. The server lends its buffer to a"
                    + " client, which writes the name there and then the file, piece by piece; the"
                    + " immediate value tells how much, and the server answers READY for more.",
            "",
            "A file appears under its name when it is complete, on the disk, and its SHA-256 is"
                    + " what the client computed. Nothing is overwritten: a name that is taken, or"
                    + " that is more than a plain name, is refused. A client that fails does not"
                    + " disturb the others. Until a file is complete it is called"
                    + " .file-transfer-….part; what a killed server left under such names, the"
                    + " next one in that folder removes."
        })
public final class FileTransfer implements Callable<Integer>, Checked {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST",
            description = "Send files to the server on HOST; without it, be the server.")
    private String host;

    @Parameters(index = "1..*", paramLabel = "FILE", description = "The files to send.")
    private List<Path> files = List.of();

    @Option(
            names = "-p",
            paramLabel = "PORT",
            defaultValue = "12345",
            description = "The server's port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "Server: listen on this address (default: all devices).")
    private String address;

    @Option(
            names = "-o",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Server: store files in FOLDER (default: here).")
    private Path folder;

    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "0",
            description = "Server: end when N files are stored; 0 never ends (default: 0).")
    private int count;

    @Option(
            names = "--progress",
            negatable = true,
            description = "Client: show a bar (default: on a terminal).")
    private Boolean progress;

    @Mixin private Patience patience;

    @Override
    public void check() {
        Arguments.range(1, 65535, "-p", port);
        Arguments.atLeast(0, "-n", count);
        if (host != null && files.isEmpty()) {
            throw Arguments.wrong("which files?");
        }
    }

    @Override
    public Integer call() throws Exception {
        if (host == null) {
            serve();
        } else {
            send();
        }
        return 0;
    }

    // ---- client

    private void send() throws Exception {
        InetSocketAddress server = Address.of(host, port);
        int failed = 0;
        for (Path file : files) {
            try {
                send(file, server);
            } catch (Exception e) {
                if (files.size() == 1) {
                    throw e;
                }
                failed++;
                System.err.println("file-transfer: " + describe(file, e));
            }
        }
        if (failed > 0) {
            throw new ExampleException("%d of %d files were not sent", failed, files.size());
        }
    }

    private void send(Path file, InetSocketAddress server) throws Exception {
        boolean bar = progress != null ? progress : onTerminal();
        Progress shown = new Progress(String.valueOf(file.getFileName()), bar);
        String line;
        try {
            line = new FileSender(file, patience.get(), shown).send(server);
        } finally {
            shown.end();
        }
        System.out.println(line);
    }

    /** The line of a failure, which names the file once, whatever is in its name. */
    private static String describe(Path file, Exception e) {
        String line = Failures.describe(e);
        String named = line.contains(file.toString()) ? line : file + ": " + line;
        return named.replaceAll("\\p{Cntrl}", "?");
    }

    private static boolean onTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    // ---- server

    private void serve() throws Exception {
        if (!Files.isDirectory(folder)) {
            throw new ExampleException("%s is no folder", folder);
        }
        int removed = Leftovers.remove(folder);
        if (removed > 0) {
            System.out.printf("incomplete files of a killed server, removed: %d%n", removed);
        }
        CountDownLatch left = new CountDownLatch(count);
        try (RdmaListener listener = RdmaListener.bind(Address.toListen(address, port))) {
            System.out.println("waiting for connections. interrupt (^C) to exit.");
            AcceptLoop loop =
                    new AcceptLoop(
                            () -> listener.next(patience.get()),
                            request -> serve(request, left),
                            Duration.ofSeconds(1),
                            System.err);
            Thread accepting = Thread.ofPlatform().daemon().start(loop::run);
            if (count == 0) {
                accepting.join();
            } else {
                while (!left.await(1, TimeUnit.SECONDS) && accepting.isAlive()) {
                    // Files come when they come.
                }
            }
        }
        if (count == 0 || left.getCount() > 0) {
            throw new ExampleException("the listener has ended");
        }
    }

    /** In a thread of its own: a client that is slow or stuck does not keep the others waiting. */
    private void serve(RdmaListener.Request request, CountDownLatch left) {
        Thread.ofPlatform().daemon().start(() -> receive(request, left));
    }

    private void receive(RdmaListener.Request request, CountDownLatch left) {
        String peer = request.peerAddress().getAddress().getHostAddress();
        try {
            System.out.println(FileReceiver.receive(request, folder, patience.get()));
            left.countDown();
        } catch (Exception e) {
            System.err.println("file-transfer: " + peer + ": " + Failures.describe(e));
        }
    }
}
