package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.report.HtmlReport;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import io.github.verbs4j.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What scripts/bench calls: runs one kind of benchmark, or reports on a run. */
public final class Main {

    private Main() {}

    /**
     * {@code run KIND EFFORT NATIVE-FOLDER JSON FILTER}: measures; {@code report HTML JSON…}:
     * prints the table and writes the page and the table beside it.
     *
     * @param args as above
     * @throws IOException when a side fails or a file cannot be written
     * @throws InterruptedException when the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args[0]) {
            case "run" ->
                    run(
                            args[1],
                            Effort.of(args[2], args[1]),
                            Path.of(args[3]),
                            Path.of(args[4]),
                            args.length > 5 ? args[5] : "");
            case "report" ->
                    report(Path.of(args[1]), Arrays.stream(args).skip(2).map(Path::of).toList());
            default -> throw new IllegalArgumentException("run or report, not " + args[0]);
        }
    }

    private static void run(String kind, Effort effort, Path natives, Path json, String filter)
            throws IOException, InterruptedException {
        DeviceChoice choice = DeviceChoice.fromProperties();
        Plan plan = new Plan(effort, choice, natives.toAbsolutePath());
        List<PlannedBenchmark> planned =
                switch (kind) {
                    case "overhead" -> plan.overhead();
                    case "device" -> plan.device();
                    case "set-up" -> plan.setUp();
                    default -> throw new IllegalArgumentException("no benchmarks of kind " + kind);
                };
        planned = planned.stream().filter(benchmark -> benchmark.matches(filter)).toList();
        if (planned.isEmpty()) {
            return;
        }
        Map<String, String> machine = Machine.describe();
        if (!kind.equals("overhead")) {
            machine.put("device", Machine.device(choice));
        }
        Progress progress = new Progress(System.out, planned.size());
        List<Result> results = new ArrayList<>();
        for (PlannedBenchmark benchmark : planned) {
            Result result = measure(benchmark, effort.rounds());
            progress.measured(result);
            results.add(result);
            // After each: an interrupted run has its results so far.
            new Run(machine, results).write(json);
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

    private static void report(Path html, List<Path> parts) throws IOException {
        Run run = Run.read(parts.stream().filter(Files::exists).toList());
        String table = new Table(run).toMarkdown();
        System.out.print(table);
        Files.writeString(html.resolveSibling("table.md"), table);
        HtmlReport.write(run, html);
    }
}
