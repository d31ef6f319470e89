package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.WarmUp;
import io.github.verbs4j.bench.device.Way;
import io.github.verbs4j.bench.device.Workload;
import io.github.verbs4j.bench.report.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which benchmarks there are. */
final class Plan {

    /** The parts of a run, in their order. */
    static final List<String> PARTS = List.of("device", "overhead");

    private static final List<String> FULL_BATCHES = List.of("1", "4", "16", "64");
    private static final int LARGE = 64 << 10;
    private static final long HUGE = 64 << 20;

    private final String effort;
    private final boolean full;
    private final DeviceChoice choice;
    private final Optional<String> address;
    private final Function<Workload, Optional<String>> lack;
    private final Path nativeFolder;
    private final List<String> jvmOptions;

    /**
     * A plan.
     *
     * @param effort {@code smoke}, {@code quick} or {@code full}
     * @param choice where
     * @param address the device's own address; any where the device is not at hand
     * @param lack why the device cannot carry out a workload, if it cannot
     * @param nativeFolder the C side
     */
    Plan(
            String effort,
            DeviceChoice choice,
            Optional<String> address,
            Function<Workload, Optional<String>> lack,
            Path nativeFolder) {
        this.address = address;
        this.lack = lack;
        this.effort = effort;
        this.full = effort("device").full();
        this.choice = choice;
        this.nativeFolder = nativeFolder;
        this.jvmOptions = new ArrayList<>(choice.jvmOptions());
        jvmOptions.add("--enable-native-access=ALL-UNNAMED");
        jvmOptions.add("--sun-misc-unsafe-memory-access=allow");
        jvmOptions.add("-Dverbs4j.bench.native=" + nativeFolder);
        jvmOptions.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }

    /** {@return how long benchmarks of a kind are measured} */
    Effort effort(String kind) {
        return Effort.of(effort, kind);
    }

    /** {@return the benchmarks of a part whose line contains the filter} */
    List<PlannedBenchmark> part(String part, String filter) {
        List<PlannedBenchmark> all = new ArrayList<>();
        switch (part) {
            case "overhead" -> all.addAll(overhead());
            case "device" -> {
                all.addAll(device());
                all.addAll(setUp());
            }
            default -> throw new IllegalArgumentException("no part " + part);
        }
        all.removeIf(benchmark -> !benchmark.matches(filter));
        return all;
    }

    /** {@return what they take, about} */
    double seconds(List<PlannedBenchmark> benchmarks) {
        return benchmarks.stream().mapToDouble(b -> b.seconds(effort(b.kind()).rounds())).sum()
                + repeatable(benchmarks).stream()
                        .limit(effort("device").again())
                        .mapToDouble(PlannedBenchmark::roundSeconds)
                        .sum();
    }

    /** {@return those of a kind that measures some again} */
    List<PlannedBenchmark> repeatable(List<PlannedBenchmark> benchmarks) {
        return benchmarks.stream()
                .filter(b -> effort(b.kind()).again() > 0 && b.leftOut().isEmpty())
                .toList();
    }

    /** {@return the ways to the provider, side by side} */
    List<PlannedBenchmark> overhead() {
        List<PlannedBenchmark> plan = new ArrayList<>();
        for (String method : List.of("postSend", "postRecv")) {
            for (String batch : full ? FULL_BATCHES : List.of("1")) {
                plan.add(overhead(method, batch));
            }
        }
        plan.add(overhead("pollEmpty", "1"));
        for (String batch : full ? FULL_BATCHES : List.of("1", "16")) {
            plan.add(overhead("pollFull", batch));
        }
        for (String batch : full ? FULL_BATCHES : List.of("1", "16", "64")) {
            plan.add(overhead("postPoll", batch));
        }
        for (String batch : full ? FULL_BATCHES : List.of("16")) {
            plan.add(
                    overhead(
                            "extended postPoll",
                            batch,
                            "ExtendedCLoops.postPoll",
                            "",
                            "ExtendedFfiLoops.postPoll",
                            "ExtendedLoops.postPoll"));
        }
        return plan;
    }

    private PlannedBenchmark overhead(String method, String batch) {
        return overhead(
                method,
                batch,
                "CLoops." + method,
                "JniLoops." + method,
                "FfiLoops." + method,
                "TypedLoops." + method);
    }

    private PlannedBenchmark overhead(
            String name, String batch, String c, String jni, String ffi, String typed) {
        Map<String, String> params = Map.of("batch", batch);
        Map<String, String> methods = new LinkedHashMap<>();
        methods.put(Result.C, c);
        methods.put("JNI", jni);
        methods.put("ffi", ffi);
        methods.put("typed", typed);
        methods.values().removeIf(String::isEmpty);
        List<Side> sides = new ArrayList<>();
        methods.forEach(
                (side, method) ->
                        sides.add(
                                new JmhSide(
                                        side,
                                        method,
                                        params,
                                        0,
                                        side.equals(Result.C)
                                                ? effort("overhead").inC()
                                                : effort("overhead"),
                                        forkOptions("overhead"),
                                        log())));
        return new PlannedBenchmark("overhead", name, params, "ns", sides);
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

    private Path log() {
        return nativeFolder.resolve("fork.log");
    }

    /** {@return latency and throughput over the device} */
    List<PlannedBenchmark> device() {
        return DeviceLines.of(full).stream().map(this::device).toList();
    }

    private PlannedBenchmark device(DeviceLines.Line line) {
        Workload load = line.load();
        boolean one = line.mode().equals("latency");
        int rounds = load.size() >= LARGE ? 2 : 16;
        int count = one ? 1 : load.depth() * rounds;
        Map<String, String> params = params(load, line.threads());
        String unit = one ? "ns" : "op/s";
        Optional<String> lacking = lack.apply(load);
        if (lacking.isPresent()) {
            return leftOut("device", line.mode(), params, unit, lacking.get());
        }
        Map<String, String> passed = new LinkedHashMap<>(params);
        passed.put("count", Integer.toString(count));
        return new PlannedBenchmark(
                "device",
                line.mode(),
                params,
                unit,
                List.of(
                        new TwinSide(
                                nativeFolder.resolve("twin"),
                                choice,
                                effort("device"),
                                line.mode(),
                                passed),
                        new JmhSide(
                                "Java",
                                "DeviceLoops." + line.mode(),
                                passed,
                                count,
                                effort("device"),
                                forkOptions("device"),
                                log())));
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
        if (choice.peer().isEmpty()) {
            plan.add(connections());
        }
        for (int shift : full ? new int[] {12, 16, 20, 24, 28, 30} : new int[] {12, 20, 26}) {
            plan.add(register(1L << shift));
        }
        plan.add(registerHuge());
        plan.add(
                new PlannedBenchmark(
                        "start",
                        "to first completion",
                        Map.of(),
                        "ns",
                        StartSide.all(nativeFolder, choice, effort("start"), jvmOptions)));
        return plan;
    }

    private PlannedBenchmark register(long size) {
        Map<String, String> params = Map.of("size", Long.toString(size));
        return Memory.lackFor(size)
                .map(lack -> leftOut("set-up", "register", params, "ns", lack))
                .orElseGet(() -> setUp("register", params));
    }

    private PlannedBenchmark registerHuge() {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("size", Long.toString(HUGE));
        params.put("huge", "true");
        return Memory.hugePagesAreFree(HUGE)
                ? setUp("register", params)
                : leftOut("set-up", "register", params, "ns", "too few huge pages are free");
    }

    private static PlannedBenchmark leftOut(
            String kind, String name, Map<String, String> params, String unit, String why) {
        return new PlannedBenchmark(kind, name, params, unit, List.of(), Optional.of(why));
    }

    /** Connections over librdmacm per second. */
    private PlannedBenchmark connections() {
        if (address.isEmpty()) {
            return leftOut(
                    "set-up",
                    "connections",
                    Map.of(),
                    "op/s",
                    "the device's GID is no IPv4 address");
        }
        Map<String, String> params = Map.of("address", address.get());
        return new PlannedBenchmark(
                "set-up",
                "connections",
                Map.of(),
                "op/s",
                List.of(
                        new TwinSide(nativeFolder.resolve("cm_twin"), effort("set-up"), params),
                        new JmhSide(
                                "Java",
                                "Connections.connections",
                                params,
                                0,
                                effort("set-up"),
                                jvmOptions,
                                log())));
    }

    private PlannedBenchmark setUp(String mode, Map<String, String> params) {
        return new PlannedBenchmark(
                "set-up",
                mode,
                params,
                "ns",
                List.of(
                        new TwinSide(
                                nativeFolder.resolve("twin"),
                                choice,
                                effort("set-up"),
                                mode,
                                params),
                        new JmhSide(
                                "Java",
                                "SetUps." + mode,
                                params,
                                0,
                                effort("set-up"),
                                jvmOptions,
                                log())));
    }
}
