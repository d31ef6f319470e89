package io.github.verbs4j.bench.run;

import static java.util.Comparator.comparingDouble;

import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Carries out benchmarks one by one. One that fails does not keep the others from being run. */
final class Runs {

    /** Characters of a reason in the list of those that failed. */
    private static final int BRIEF = 120;

    private final Plan plan;
    private final Progress progress;
    private final Map<String, String> machine;
    private final Path json;
    private final Map<PlannedBenchmark, Result> results = new LinkedHashMap<>();

    /** The lines by the reason: a peer that is gone is the reason of all that come after. */
    private final Map<String, List<String>> failed = new LinkedHashMap<>();

    private final List<String> leftOut = new ArrayList<>();

    Runs(Plan plan, Progress progress, Map<String, String> machine, Path json) {
        this.plan = plan;
        this.progress = progress;
        this.machine = machine;
        this.json = json;
    }

    /** {@return whether none failed} */
    boolean measure(List<PlannedBenchmark> planned) throws IOException, InterruptedException {
        for (PlannedBenchmark benchmark : planned) {
            if (benchmark.leftOut().isPresent()) {
                leftOut.add(benchmark.title() + " (" + benchmark.leftOut().get() + ")");
                machine.put("left out", String.join(", ", leftOut));
                save();
            } else {
                measure(benchmark);
            }
        }
        again(planned);
        leftOut.forEach(line -> System.out.println("left out: " + line));
        return failed.isEmpty();
    }

    /** After each: an interrupted run has its results so far. */
    void save() throws IOException {
        new Run(machine, List.copyOf(results.values())).write(json);
    }

    private void measure(PlannedBenchmark benchmark) throws IOException, InterruptedException {
        int rounds = plan.effort(benchmark.kind()).rounds();
        double guess = benchmark.seconds(rounds);
        progress.next();
        try {
            Result result = measure(benchmark, rounds);
            results.put(benchmark, result);
            save();
            progress.measured("", result, guess);
        } catch (IOException | RuntimeException e) {
            failed("", benchmark, e, guess);
        }
    }

    private void failed(String again, PlannedBenchmark benchmark, Exception e, double guess)
            throws IOException {
        String line = again + benchmark.title();
        String reason = String.valueOf(e.getMessage());
        failed.computeIfAbsent(brief(reason), any -> new ArrayList<>()).add(line);
        machine.put("failed", failedLines());
        save();
        progress.failed(line, reason, guess);
    }

    /**
     * Where few forks are run, one that was disturbed spoils a line. Where that began or ended
     * meanwhile, a wide bracket tells it, whatever the ratio: the widest get one more round.
     */
    private void again(List<PlannedBenchmark> planned) throws IOException, InterruptedException {
        Map<PlannedBenchmark, Double> doubts = new LinkedHashMap<>();
        for (PlannedBenchmark benchmark : plan.repeatable(planned)) {
            if (results.containsKey(benchmark)) {
                doubts.put(benchmark, results.get(benchmark).doubt());
            }
        }
        List<PlannedBenchmark> doubtful =
                doubts.keySet().stream()
                        .sorted(comparingDouble(benchmark -> -doubts.get(benchmark)))
                        .limit(plan.effort("device").again())
                        .toList();
        for (PlannedBenchmark benchmark : doubtful) {
            double guess = benchmark.roundSeconds();
            try {
                Result more = benchmark.result();
                for (Side side : benchmark.sides().reversed()) {
                    add(more, side);
                }
                Result result = results.get(benchmark);
                more.measurements().forEach((side, fork) -> add(result, side, fork));
                save();
                progress.measured("again ", result, guess);
            } catch (IOException | RuntimeException e) {
                failed("again ", benchmark, e, guess);
            }
        }
    }

    /** The table names them, and with it the end of the run. */
    private String failedLines() {
        return failed.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    /** The whole stands where it happened. */
    private static String brief(String reason) {
        String line = reason.lines().findFirst().orElse("");
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF - 1) + "…";
    }

    /**
     * In turn, so that a machine that slows down slows all sides; every other round backwards. An
     * odd number of rounds ends with one more fork of the first side, C.
     */
    static Result measure(PlannedBenchmark benchmark, int rounds)
            throws IOException, InterruptedException {
        Result result = benchmark.result();
        for (int round = 0; round < rounds; round++) {
            List<Side> order = round % 2 == 0 ? benchmark.sides() : benchmark.sides().reversed();
            for (Side side : order) {
                add(result, side);
            }
        }
        if (rounds % 2 == 1) {
            add(result, benchmark.sides().getFirst());
        }
        return result;
    }

    private static void add(Result result, Side side) throws IOException, InterruptedException {
        add(result, side.name(), side.fork());
    }

    private static void add(Result result, String side, Measurement fork) {
        result.measurements().merge(side, fork, Measurement::and);
    }
}
