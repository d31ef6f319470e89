package io.github.verbs4j.bench.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run and its results, kept as JSON.
 *
 * @param machine where and when it ran: key and value, in the order to print
 * @param results the results, in the order in which they were measured
 */
public record Run(Map<String, String> machine, List<Result> results) {

    // NaN stands for «nobody looked».
    private static final Gson GSON =
            new GsonBuilder().serializeSpecialFloatingPointValues().setPrettyPrinting().create();

    /**
     * Writes the run.
     *
     * @param file where
     * @throws IOException when it cannot be written
     */
    public void write(Path file) throws IOException {
        WholeFile.write(file, GSON.toJson(this));
    }

    /**
     * Reads the parts of a run that were measured one after the other and joins them.
     *
     * @param files where
     * @return the run
     * @throws IOException when one cannot be read
     * @throws IllegalArgumentException names the one that holds no results
     */
    public static Run read(List<Path> files) throws IOException {
        Map<String, String> machine = new LinkedHashMap<>();
        List<Result> results = new ArrayList<>();
        for (Path file : files) {
            Run part = parse(file);
            part.machine.forEach((key, value) -> join(machine, key, value));
            results.addAll(part.results);
        }
        return new Run(machine, results);
    }

    private static Run parse(Path file) throws IOException {
        String text = Files.readString(file);
        Run part = null;
        try {
            part = GSON.fromJson(text, Run.class);
        } catch (RuntimeException e) {
            // Neither JSON nor records that their own checks let pass.
        }
        if (part == null || !part.isWhole()) {
            throw new IllegalArgumentException(file + " does not hold the results of a run");
        }
        return part;
    }

    /**
     * Gson leaves null what the text lacks. A run whose benchmarks all failed says so of itself.
     */
    private boolean isWhole() {
        return machine != null
                && results != null
                && !(machine.isEmpty() && results.isEmpty())
                && results.stream().allMatch(Run::isWhole);
    }

    private static boolean isWhole(Result result) {
        return result != null
                && result.kind() != null
                && result.name() != null
                && result.params() != null
                && result.unit() != null
                && result.measurements() != null
                && result.measurements().values().stream().allMatch(Run::isWhole);
    }

    private static boolean isWhole(Measurement measured) {
        return measured != null && measured.samples().length > 0 && measured.percentiles() != null;
    }

    /** A guest differs from its host: both are said. */
    private static void join(Map<String, String> machine, String key, String value) {
        machine.merge(key, value, (old, more) -> old.contains(more) ? old : old + "; then " + more);
    }
}
