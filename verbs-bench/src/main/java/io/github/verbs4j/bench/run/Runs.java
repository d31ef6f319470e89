package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Carries out benchmarks one by one. One that fails does not keep the others from being run. */
final class Runs {

    private final Plan plan;
    private final Progress progress;
    private final Map<String, String> machine;
    private final Path json;
    private final List<Result> results = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
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
            } else {
                measure(benchmark);
            }
            // After each: an interrupted run has its results so far.
            new Run(machine, results).write(json);
        }
        leftOut.forEach(line -> System.out.println("left out: " + line));
        failed.forEach(line -> System.err.println("failed: " + line));
        return failed.isEmpty();
    }

    private void measure(PlannedBenchmark benchmark) throws InterruptedException {
        int rounds = plan.effort(benchmark.kind()).rounds();
        double guess = benchmark.seconds(rounds);
        try {
            Result result = measure(benchmark, rounds);
            results.add(result);
            progress.measured(result, guess);
        } catch (IOException | RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            failed.add(benchmark.title() + ": " + reason);
            machine.put("failed", String.join(", ", failed));
            progress.failed(benchmark, reason, guess);
        }
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
        result.measurements().merge(side.name(), side.fork(), Measurement::and);
    }
}
