package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.Connections;
import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.Operation;
import io.github.verbs4j.bench.device.WarmUp;
import io.github.verbs4j.bench.device.Way;
import io.github.verbs4j.bench.device.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which benchmarks there are. */
final class Plan {

    private static final String[] BATCHES = {"1", "4", "16", "64"};
    private static final int[] QUICK_SIZES = {8, 4 << 10, 64 << 10};
    private static final int[] FULL_SIZES = {8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
    private static final int[] QUICK_DEPTHS = {16};
    private static final int[] FULL_DEPTHS = {2, 8, 32, 128};
    private static final int LARGE = 64 << 10;
    private static final long HUGE = 64 << 20;

    private final Effort effort;
    private final DeviceChoice choice;
    private final Path nativeFolder;
    private final List<String> jvmOptions;

    Plan(Effort effort, DeviceChoice choice, Path nativeFolder) {
        this.effort = effort;
        this.choice = choice;
        this.nativeFolder = nativeFolder;
        this.jvmOptions = new ArrayList<>(choice.jvmOptions());
        jvmOptions.add("--enable-native-access=ALL-UNNAMED");
        jvmOptions.add("--sun-misc-unsafe-memory-access=allow");
        jvmOptions.add("-Dverbs4j.bench.native=" + nativeFolder);
        jvmOptions.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }

    /** {@return the ways to the provider, side by side} */
    List<PlannedBenchmark> overhead() {
        List<PlannedBenchmark> plan = new ArrayList<>();
        for (String method : List.of("postSend", "postRecv", "pollEmpty")) {
            plan.add(overhead(method, "1"));
        }
        for (String method : List.of("pollFull", "postPoll")) {
            for (String batch : BATCHES) {
                plan.add(overhead(method, batch));
            }
        }
        return plan;
    }

    private PlannedBenchmark overhead(String method, String batch) {
        Map<String, String> params = Map.of("batch", batch);
        List<Side> sides = new ArrayList<>();
        for (var side :
                Map.of("C", "CLoops", "typed", "TypedLoops", "ffi", "FfiLoops", "JNI", "JniLoops")
                        .entrySet()
                        .stream()
                        .sorted(Map.Entry.comparingByKey())
                        .toList()) {
            sides.add(
                    new JmhSide(
                            side.getKey(),
                            side.getValue() + "." + method,
                            params,
                            0,
                            effort,
                            forkOptions("overhead")));
        }
        return new PlannedBenchmark("overhead", method, params, "ns", sides);
    }

    /**
     * The options of a fork that warms up: the code is measured, not the start, so classes come
     * from an archive, which the first fork makes.
     */
    private List<String> forkOptions(String kind) {
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-XX:+AutoCreateSharedArchive");
        options.add("-XX:SharedArchiveFile=" + nativeFolder.resolve(kind + ".jsa"));
        options.add("-Xlog:cds=off,cds+dynamic=off");
        if (kind.equals("device")) {
            options.addAll(WarmUp.JVM_OPTIONS);
        }
        return options;
    }

    /** {@return latency and throughput over the device} */
    List<PlannedBenchmark> device() {
        List<PlannedBenchmark> plan = new ArrayList<>();
        int[] sizes = effort.full() ? FULL_SIZES : QUICK_SIZES;
        for (Operation operation : Operation.values()) {
            for (int size : operation.isAtomic() ? new int[] {8} : sizes) {
                if (effort.full() || size == 8 || operation != Operation.WRITE_WITH_IMM) {
                    plan.add(latency(Workload.single(operation, size)));
                }
            }
        }
        for (Operation operation : Operation.values()) {
            for (int size : operation.isAtomic() ? new int[] {8} : sizes) {
                if (effort.full() || size == 8 || operation == Operation.WRITE) {
                    for (int depth : effort.full() ? FULL_DEPTHS : QUICK_DEPTHS) {
                        plan.add(
                                throughput(
                                        Workload.single(operation, size).inFlight(depth, 1, 1), 1));
                    }
                }
            }
        }
        variants(plan);
        return plan;
    }

    /** The ways to post and poll, on small WRITEs. */
    private void variants(List<PlannedBenchmark> plan) {
        Workload small = Workload.single(Operation.WRITE, 8).inFlight(16, 1, 1);
        plan.add(throughput(small.inFlight(16, 16, 1), 1));
        plan.add(throughput(small.inFlight(16, 16, 16), 1));
        plan.add(throughput(small.inFlight(16, 16, 1).by(Way.EXTENDED), 1));
        plan.add(latency(Workload.single(Operation.WRITE, 8).by(Way.EXTENDED)));
        plan.add(latency(Workload.single(Operation.WRITE, 8).by(Way.EVENTS)));
        plan.add(latency(new Workload(Operation.WRITE, 8, 1, 1, 1, 1, true, Way.CLASSIC)));
        plan.add(latency(new Workload(Operation.WRITE, 4 << 10, 1, 1, 1, 4, false, Way.CLASSIC)));
        plan.add(throughput(small, 2));
        if (effort.full()) {
            plan.add(throughput(small, 4));
            plan.add(throughput(small.inFlight(128, 64, 64), 1));
            plan.add(throughput(small.inFlight(128, 64, 64).by(Way.EXTENDED), 1));
        }
    }

    private PlannedBenchmark latency(Workload load) {
        return device("latency", load, 1, 1, "ns");
    }

    private PlannedBenchmark throughput(Workload load, int threads) {
        int rounds = load.size() >= LARGE ? 2 : 16;
        return device("throughput", load, load.depth() * rounds, threads, "op/s");
    }

    private PlannedBenchmark device(
            String mode, Workload load, int count, int threads, String unit) {
        Map<String, String> params = params(load, threads);
        Map<String, String> passed = new LinkedHashMap<>(params);
        passed.put("count", Integer.toString(count));
        return new PlannedBenchmark(
                "device",
                mode,
                params,
                unit,
                List.of(
                        new TwinSide(nativeFolder.resolve("twin"), choice, effort, mode, passed),
                        new JmhSide(
                                "Java",
                                "DeviceLoops." + mode,
                                passed,
                                count,
                                effort,
                                forkOptions("device"))));
    }

    /** What differs from the defaults, which both sides share. */
    private static Map<String, String> params(Workload load, int threads) {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("operation", load.operation().name());
        params.put("size", Integer.toString(load.size()));
        putUnlessDefault(params, "depth", load.depth());
        putUnlessDefault(params, "batch", load.batch());
        putUnlessDefault(params, "signalEvery", load.signalEvery());
        putUnlessDefault(params, "sges", load.sges());
        putUnlessDefault(params, "threads", threads);
        if (load.inline()) {
            params.put("inline", "true");
        }
        if (load.way() != Way.CLASSIC) {
            params.put("way", load.way().name());
        }
        return params;
    }

    private static void putUnlessDefault(Map<String, String> params, String key, int value) {
        if (value != 1) {
            params.put(key, Integer.toString(value));
        }
    }

    /** {@return what is done once} */
    List<PlannedBenchmark> setUp() {
        List<PlannedBenchmark> plan = new ArrayList<>();
        plan.add(setUp("open", Map.of()));
        plan.add(setUp("connect", Map.of()));
        Connections.ownAddress(choice).ifPresent(address -> plan.add(connections(address)));
        for (int shift :
                effort.full() ? new int[] {12, 16, 20, 24, 28, 30} : new int[] {12, 20, 26}) {
            plan.add(setUp("register", Map.of("size", Long.toString(1L << shift))));
        }
        if (HugePages.areFree(HUGE)) {
            plan.add(setUp("register", Map.of("size", Long.toString(HUGE), "huge", "true")));
        }
        plan.add(
                new PlannedBenchmark(
                        "start",
                        "to first completion",
                        Map.of(),
                        "ns",
                        StartSide.all(nativeFolder, choice, effort, jvmOptions)));
        return plan;
    }

    /** Connections over librdmacm per second. */
    private PlannedBenchmark connections(String address) {
        Map<String, String> params = Map.of("address", address);
        return new PlannedBenchmark(
                "set-up",
                "connections",
                Map.of(),
                "op/s",
                List.of(
                        new TwinSide(nativeFolder.resolve("cm_twin"), effort, params),
                        new JmhSide(
                                "Java", "Connections.connections", params, 0, effort, jvmOptions)));
    }

    private PlannedBenchmark setUp(String mode, Map<String, String> params) {
        return new PlannedBenchmark(
                "set-up",
                mode,
                params,
                "ns",
                List.of(
                        new TwinSide(nativeFolder.resolve("twin"), choice, effort, mode, params),
                        new JmhSide("Java", "SetUps." + mode, params, 0, effort, jvmOptions)));
    }
}
