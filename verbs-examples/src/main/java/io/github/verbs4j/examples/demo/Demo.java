package io.github.verbs4j.examples.demo;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.DeviceOptions;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Table;
import io.github.verbs4j.examples.demo.Operations.Operation;
import io.github.verbs4j.examples.lessons.Progress;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.TransportType;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Connects two queue pairs of this process and moves data between them by every operation that a
 * reliable connection has, verifying every byte.
 */
@Command(
        name = "demo",
        description = {
            "All seven RDMA operations between two queue pairs of this process, every byte"
                    + " verified.",
            "",
            "Each operation is carried out several times; the time is the median from posting the"
                    + " request to its completion."
        })
public final class Demo implements Callable<Integer>, Checked {

    @Mixin private DeviceOptions device;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = "Use this entry of the port's GID table (default: RoCE v2 on IPv4).")
    private Integer gidIndex;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Size of the data, 8 or more (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "25",
            description = "Carry each operation out N times (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Override
    public void check() {
        Arguments.range(Long.BYTES, 1 << 30, "--size", size);
        Arguments.atLeast(1, "--iters", iterations);
        Arguments.gidIndex(gidIndex);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = device.open();
                ProtectionDomain pd = context.allocPd()) {
            GidEntry gid = device.gid(context, gidIndex);
            printHeader(context, gid);
            try (Side a = new Side("the asking side", pd, size);
                    Side b = new Side("the target", pd, size)) {
                a.connect(gid, b);
                b.connect(gid, a);
                carryOut(new Operations(a, b, size).all());
            }
        }
        return 0;
    }

    private static void printHeader(Context context, GidEntry gid) {
        if (context.device().transportType() != TransportType.IB) {
            throw new ExampleException(
                    "%s is no InfiniBand or RoCE device; the demo needs one (-d chooses it)",
                    context.device().name());
        }
        PortAttr port = context.queryPort(gid.port());
        System.out.printf("device  %s, port %d%n", context.device().name(), gid.port());
        System.out.printf("GID     %s (index %d, %s)%n", gid.gid(), gid.index(), gid.type());
        System.out.printf("MTU     %d bytes%n%n", port.activeMtu().bytes());
    }

    private void carryOut(List<Operation> operations) throws Exception {
        Table table =
                new Table(System.out)
                        .left("operation", 19)
                        .right("bytes", 7)
                        .right("median us", 9)
                        .left("verified", 48);
        // Until the compiler has seen it all, the first operations would look slower than they are.
        for (Operation operation : operations) {
            medianNanos(operation);
        }
        table.header();
        for (Operation operation : operations) {
            String time = "%.1f".formatted(medianNanos(operation) / 1e3);
            table.row(operation.name(), operation.bytes(), time, "yes: " + operation.verified());
        }
        System.out.printf("%nAll %d operations verified.%n", operations.size());
    }

    private double medianNanos(Operation operation) throws Exception {
        long[] nanos = new long[iterations];
        Progress progress = new Progress(operation.name(), iterations);
        for (int i = 0; i < iterations; i++) {
            nanos[i] = operation.run().nanos();
            progress.step();
        }
        Arrays.sort(nanos);
        return (nanos[iterations / 2] + nanos[(iterations - 1) / 2]) / 2.0;
    }
}
