package io.github.verbs4j.examples.lessons;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.Table;
import io.github.verbs4j.types.AccessFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Three ways to bring a message from one program's memory to the other's, by size. */
@Command(
        name = "zcopy",
        description = {
            "Copy messages through buffers, or let the device take them where they are: measure"
                    + " both.",
            "",
            "bcopy copies into a registered buffer, SENDs, and copies out. zcopy-read tells the"
                + " receiver where the message is, who READs it and says done. zcopy-write is told"
                + " where to, WRITEs, and says done. Zero copy costs messages to and fro, copying"
                + " costs time for each byte: small messages are copied, large ones are not. The"
                + " last column is what registering that much memory takes, for programs that"
                + " cannot keep it registered."
        })
public final class Zcopy implements Callable<Integer>, Checked {

    @Mixin private LessonOptions options;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "4194304",
            description =
                    "Go from 64 bytes up to BYTES, at most 1 GiB (default: ${DEFAULT-VALUE}).")
    private long maxSize;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "15",
            description =
                    "Transfer each size N times; the fastest counts (default: ${DEFAULT-VALUE}).")
    private int iters;

    @Override
    public void check() {
        Arguments.range(64, 1 << 30, "--size", maxSize);
        Arguments.range(1, 1_000_000, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                Transfers transfers = new Transfers(pd, options.gid(context), maxSize)) {
            System.out.println("Time of a transfer in us, both programs' work included:");
            System.out.println();
            measure(pd, transfers);
        }
        System.out.println("Every byte of every transfer verified.");
        return 0;
    }

    private void measure(ProtectionDomain pd, Transfers transfers) throws Exception {
        Table table =
                new Table(System.out)
                        .right("bytes", 10)
                        .right("bcopy", 9)
                        .right("zcopy-read", 10)
                        .right("zcopy-write", 11)
                        .right("register", 9);
        List<Long> sizes = new ArrayList<>();
        for (long size = 64; size <= maxSize; size *= 4) {
            sizes.add(size);
        }
        Progress progress = new Progress("transfers", 3L * iters * sizes.size());
        for (int i = 0; i < 30; i++) {
            // Until the compiler has seen it all, the first sizes would look slower than they are.
            transfers.bcopy(64);
            transfers.zcopyRead(64);
            transfers.zcopyWrite(64);
        }
        table.header();
        long crossover = -1;
        for (long size : sizes) {
            double[] micros = best(transfers, size, progress);
            double register = register(pd, size);
            table.row(size, text(micros[0]), text(micros[1]), text(micros[2]), text(register));
            boolean zeroCopyWins = Math.min(micros[1], micros[2]) < micros[0];
            crossover = !zeroCopyWins ? -1 : crossover < 0 ? size : crossover;
        }
        System.out.println();
        System.out.println(
                crossover < 0
                        ? "Copying is faster up to the largest size measured."
                        : "Zero copy is faster from %d bytes on.".formatted(crossover));
    }

    private static String text(double micros) {
        return "%.1f".formatted(micros);
    }

    /** The ways take turns, so that what else this machine does meets all of them. */
    private double[] best(Transfers transfers, long size, Progress progress) throws Exception {
        Transfers.Way[] ways = {transfers::bcopy, transfers::zcopyRead, transfers::zcopyWrite};
        double[] best = new double[ways.length];
        Arrays.fill(best, Double.MAX_VALUE);
        for (int i = 0; i < iters; i++) {
            for (int way = 0; way < ways.length; way++) {
                best[way] = Math.min(best[way], transfers.timed(ways[way], size) / 1e3);
                progress.step();
            }
        }
        return best;
    }

    private double register(ProtectionDomain pd, long size) {
        try (MemoryRegion memory = pd.allocateMr(size, AccessFlag.LOCAL_WRITE)) {
            // Registered once already, so its pages are there and only the registration is timed.
            long best = Long.MAX_VALUE;
            for (int i = 0; i < iters; i++) {
                long start = System.nanoTime();
                pd.regMr(memory.segment(), AccessFlag.LOCAL_WRITE).close();
                best = Math.min(best, System.nanoTime() - start);
            }
            return best / 1e3;
        }
    }
}
