package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.Connections;
import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.Lack;
import io.github.verbs4j.bench.device.Workload;
import io.github.verbs4j.bench.report.HtmlReport;
import io.github.verbs4j.bench.report.Run;
import io.github.verbs4j.bench.report.Table;
import io.github.verbs4j.bench.report.WholeFile;
import io.github.verbs4j.types.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What scripts/bench calls: runs one part of the benchmarks, or reports on a run. */
public final class Main {

    private static final int SOME_FAILED = 1;
    private static final int BAD_INPUT = 2;

    /** For a plan that is made only to be looked at. */
    private static final Optional<String> ANYWHERE = Optional.of("");

    private static final Function<Workload, Optional<String>> NOTHING = load -> Optional.empty();

    private Main() {}

    /**
     * Ends with status 1 when a benchmark failed or the page cannot be written, with 2 and one line
     * on stderr when what was asked for cannot be done.
     *
     * <ul>
     *   <li>{@code parts EFFORT FILTER}: prints which parts have benchmarks whose line contains the
     *       filter, {@code device} and {@code overhead}
     *   <li>{@code run PART EFFORT NATIVE-FOLDER JSON FILTER}: measures
     *   <li>{@code report HTML JSON…}: prints the table, writes the page, and the table beside it
     * </ul>
     *
     * @param args as above
     * @throws IOException when a file cannot be written
     * @throws InterruptedException when the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int status = 0;
        // Whoever ends this process by a signal means its forks and twins too.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () ->
                                        ProcessHandle.current()
                                                .descendants()
                                                .forEach(ProcessHandle::destroy)));
        try {
            switch (args[0]) {
                case "parts" -> parts(args[1], args[2]);
                case "run" ->
                        status = run(args[1], args[2], Path.of(args[3]), Path.of(args[4]), args[5]);
                case "report" -> status = report(Path.of(args[1]), paths(args, 2));
                default ->
                        throw new IllegalArgumentException("parts, run or report, not " + args[0]);
            }
        } catch (IllegalArgumentException | VerbsException e) {
            System.err.println("bench: " + e.getMessage());
            status = BAD_INPUT;
        }
        // Whatever JMH has left running.
        System.exit(status);
    }

    private static List<Path> paths(String[] args, int from) {
        return Arrays.stream(args).skip(from).map(Path::of).toList();
    }

    private static void parts(String effort, String filter) {
        Plan plan = new Plan(effort, DeviceChoice.fromProperties(), ANYWHERE, NOTHING, Path.of(""));
        List<String> parts =
                Plan.PARTS.stream().filter(part -> !plan.part(part, filter).isEmpty()).toList();
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(
                    "no benchmark's line contains \"" + filter + "\"; see docs/benchmarks.md");
        }
        System.out.println(String.join(" ", parts));
    }

    private static int run(String part, String effort, Path natives, Path json, String filter)
            throws IOException, InterruptedException {
        DeviceChoice choice = DeviceChoice.fromProperties();
        boolean overDevice = part.equals("device");
        Map<String, String> machine = new LinkedHashMap<>();
        String name = effort + (filter.isEmpty() ? "" : ", lines with \"" + filter + "\"");
        machine.put("run", name + ", unfinished");
        machine.putAll(Machine.describe());
        if (overDevice) {
            choice.check();
            machine.put("device", Machine.device(choice));
            // The other part has a stand-in for it.
            machine.put("rdma-core", Machine.rdmaCore());
        }
        Optional<String> address = overDevice ? Connections.ownAddress(choice) : ANYWHERE;
        Function<Workload, Optional<String>> lack =
                overDevice ? load -> Lack.of(choice, load) : NOTHING;
        Plan plan = new Plan(effort, choice, address, lack, natives.toAbsolutePath());
        List<PlannedBenchmark> planned = plan.part(part, filter);
        // The device comes first, as its options may be wrong.
        List<PlannedBenchmark> other = plan.part(overDevice ? "overhead" : "device", filter);
        Progress progress =
                new Progress(
                        System.out,
                        overDevice ? 0 : other.size(),
                        planned.size() + (overDevice ? other.size() : 0),
                        plan.seconds(planned) + (overDevice ? plan.seconds(other) : 0));
        if (overDevice || other.isEmpty()) {
            progress.begin(json.getParent());
        }
        Runs runs = new Runs(plan, progress, machine, json);
        boolean passed = runs.measure(planned);
        machine.put("run", name);
        runs.save();
        return passed ? 0 : SOME_FAILED;
    }

    static int report(Path html, List<Path> parts) throws IOException {
        List<Path> found = parts.stream().filter(Files::exists).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("there is neither " + join(" nor ", parts));
        }
        Run run = Run.read(found);
        String table = new Table(run).toMarkdown();
        System.out.print(table);
        Path witness = html.resolveSibling("perftest.txt");
        String witnessed = Files.exists(witness) ? Files.readString(witness) : "";
        try {
            WholeFile.write(html.resolveSibling("table.md"), table);
            HtmlReport.write(run, witnessed, html);
        } catch (IOException e) {
            System.err.println("bench: the page cannot be written: " + e.getMessage());
            return SOME_FAILED;
        }
        return 0;
    }

    private static String join(String between, List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(between));
    }
}
