package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.AddrInfo;
import io.github.verbs4j.cm.AddrInfo.Hints;
import io.github.verbs4j.cm.RServerSocket;
import io.github.verbs4j.cm.RSocket;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures a stream of bytes over RDMA. Twin of {@code rstream}, which may be the peer in either
 * role.
 */
@Command(
        name = "rstream",
        description = {
            "Measure a stream over rsockets, sockets over RDMA (as rstream).",
            "",
            "Start it without -s on one side, then with -s and the server's address on the other,"
                + " with the same -I, -C, -S and -T verify. Each iteration, the client sends -C"
                + " transfers of -S bytes and takes as many back. Without these options it tries"
                + " several sizes, first the latency of single transfers, then the bandwidth of"
                + " many; each takes seconds on Soft-RoCE. The C tool may be either side.",
            "",
            "A program of sockets becomes one of rsockets almost without change. What it writes is"
                    + " copied, though: queue pairs can do without that."
        })
public final class Rstream implements Callable<Integer> {

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Connect to the server at ADDR; without it, be the server.")
    private String server;

    @Option(
            names = "-b",
            paramLabel = "ADDR",
            description = "The local address (server default: all devices).")
    private String local;

    @Mixin private ServerPort port;

    @Mixin private AddressFormat format;
    @Mixin private StreamSizes sizes;
    @Mixin private StreamOptions options;
    @Mixin private Patience patience;

    private StreamData data;

    @Override
    public Integer call() throws Exception {
        data = new StreamData(sizes.largest(), options.has(StreamOptions.Manner.VERIFY));
        if (server == null) {
            serve();
        } else {
            connect();
        }
        return 0;
    }

    private void serve() throws Exception {
        try (RServerSocket listener = RServerSocket.bind(toListen())) {
            StreamReport.header();
            for (StreamSizes.Series series : sizes.series()) {
                // Before the accepting: the sockets that it makes have these options from the
                // start.
                options.apply(listener, series.goal());
                try (RSocket socket = listener.accept(patience.get())) {
                    options.apply(socket);
                    run(series, socket);
                }
            }
        }
    }

    private void connect() throws Exception {
        InetSocketAddress there = there();
        StreamReport.header();
        for (StreamSizes.Series series : sizes.series()) {
            try (RSocket socket = RSocket.create(there.getAddress() instanceof Inet6Address)) {
                options.apply(socket, series.goal());
                if (local != null) {
                    socket.bind(format.of(local, 0));
                }
                connect(socket, there);
                run(series, socket);
            }
        }
    }

    private void connect(RSocket socket, InetSocketAddress there) throws Exception {
        try {
            socket.connect(there, patience.get());
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                throw new ExampleException("the server at %s has no rsockets: no rstream", there);
            }
            throw e;
        }
    }

    private InetSocketAddress there() {
        return options.has(StreamOptions.Manner.RESOLVE)
                ? resolve(server, new Hints()).dstAddr()
                : format.of(server, port.get());
    }

    private InetSocketAddress toListen() {
        return options.has(StreamOptions.Manner.RESOLVE)
                ? resolve(local, new Hints().passive()).srcAddr()
                : format.toListen(local, port.get());
    }

    private AddrInfo resolve(String host, Hints hints) {
        return AddrInfo.getaddrinfo(host, String.valueOf(port.get()), hints).getFirst();
    }

    // @start region=stream
    private void run(StreamSizes.Series series, RSocket socket) throws Exception {
        StreamLink link = new StreamLink(socket, data, options, patience.get());
        boolean first = server != null;
        for (StreamSizes.Test test : series.tests()) {
            link.exchange(first, 16, 1); // So that both start at the same time.
            long start = System.nanoTime();
            for (int i = 0; i < test.iterations(); i++) {
                link.exchange(first, test.size(), test.count());
            }
            StreamReport.print(test, System.nanoTime() - start);
        }
    }
    // @end
}
