package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.Operation;
import io.github.verbs4j.bench.device.Way;
import io.github.verbs4j.bench.device.Workload;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which workloads are measured over a device, and how. */
final class DeviceLines {

    private static final int[] QUICK_SIZES = {8, 4 << 10, 64 << 10};
    private static final int[] FULL_SIZES = {8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
    private static final Set<Operation> QUICK_LATENCIES =
            EnumSet.of(Operation.SEND, Operation.WRITE, Operation.READ);
    private static final Set<Operation> QUICK_THROUGHPUTS = EnumSet.of(Operation.WRITE);
    private static final int[] QUICK_DEPTHS = {16};
    private static final int[] FULL_DEPTHS = {2, 8, 32, 128};

    private final boolean full;

    /** In order; a line that two of the lists below have stands once. */
    private final Set<Line> lines = new LinkedHashSet<>();

    private DeviceLines(boolean full) {
        this.full = full;
    }

    /**
     * One line of the table.
     *
     * @param mode {@code latency} or {@code throughput}
     * @param load what is done
     * @param threads how many do it, each with a queue pair of its own
     */
    record Line(String mode, Workload load, int threads) {}

    /** {@return the lines of quick, or those of full} */
    static List<Line> of(boolean full) {
        DeviceLines all = new DeviceLines(full);
        all.sizesAndDepths();
        all.smallWrites();
        if (full) {
            for (Operation operation : Operation.values()) {
                all.variants(operation);
            }
        }
        return List.copyOf(all.lines);
    }

    private void latency(Workload load) {
        lines.add(new Line("latency", load, 1));
    }

    private void throughput(Workload load, int threads) {
        lines.add(new Line("throughput", load, threads));
    }

    private void sizesAndDepths() {
        for (Operation operation : Operation.values()) {
            for (int size : sizes(operation, QUICK_LATENCIES)) {
                latency(Workload.single(operation, size));
            }
        }
        for (Operation operation : Operation.values()) {
            for (int size : sizes(operation, QUICK_THROUGHPUTS)) {
                for (int depth : full ? FULL_DEPTHS : QUICK_DEPTHS) {
                    throughput(Workload.single(operation, size).inFlight(depth, 1, 1), 1);
                }
            }
        }
    }

    private int[] sizes(Operation operation, Set<Operation> inAllSizes) {
        if (operation.isAtomic() || !full && !inAllSizes.contains(operation)) {
            return new int[] {8};
        }
        return full ? FULL_SIZES : QUICK_SIZES;
    }

    /** The ways to post and poll that differ most. */
    private void smallWrites() {
        Workload one = Workload.single(Operation.WRITE, 8);
        Workload many = one.inFlight(16, 1, 1);
        throughput(many.inFlight(16, 16, 1), 1);
        throughput(many.inFlight(16, 16, 16), 1);
        throughput(many.inFlight(16, 16, 1).by(Way.EXTENDED), 1);
        latency(one.by(Way.EXTENDED));
        latency(one.by(Way.EVENTS));
        latency(inline(Operation.WRITE, 8, Way.CLASSIC));
        latency(spread(Operation.WRITE, 4, Way.CLASSIC));
        throughput(many, 2);
        if (full) {
            throughput(many, 4);
            throughput(many.inFlight(128, 64, 64), 1);
            throughput(many.inFlight(128, 64, 64).by(Way.EXTENDED), 1);
        }
    }

    /** Each way, batch, element count and so on by itself. */
    private void variants(Operation operation) {
        Workload one = Workload.single(operation, 8);
        Workload many = one.inFlight(16, 1, 1);
        throughput(one, 1);
        throughput(many, 1);
        for (int every : new int[] {4, 16}) {
            throughput(many.inFlight(16, 1, every), 1);
        }
        for (int batch : new int[] {4, 16}) {
            throughput(many.inFlight(16, batch, 1), 1);
        }
        for (Way way : List.of(Way.EXTENDED, Way.EVENTS)) {
            latency(one.by(way));
            throughput(many.by(way), 1);
        }
        throughput(many.inFlight(16, 16, 1).by(Way.EXTENDED), 1);
        for (int threads : new int[] {2, 4}) {
            throughput(many, threads);
        }
        if (!operation.isAtomic()) {
            throughput(spread(operation, 1, Way.CLASSIC).inFlight(16, 1, 1), 1);
            for (int sges : new int[] {2, 4}) {
                Workload spread = spread(operation, sges, Way.CLASSIC);
                latency(spread);
                throughput(spread.inFlight(16, 1, 1), 1);
            }
            latency(spread(operation, 4, Way.EXTENDED));
        }
        if (operation.mayBeInline()) {
            for (int size : new int[] {8, 64}) {
                for (Way way : List.of(Way.CLASSIC, Way.EXTENDED)) {
                    Workload inline = inline(operation, size, way);
                    latency(inline);
                    throughput(inline.inFlight(16, 1, 1), 1);
                }
            }
        }
    }

    private static Workload spread(Operation operation, int sges, Way way) {
        return new Workload(operation, 4 << 10, 1, 1, 1, sges, false, way);
    }

    private static Workload inline(Operation operation, int size, Way way) {
        return new Workload(operation, size, 1, 1, 1, 1, true, way);
    }
}
