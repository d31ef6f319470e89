package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the table of the results has no room for: bytes per second, and the tails of latencies. */
final class Details {

    private static final List<String> PERCENTS = List.of("50", "90", "99", "99.9", "100");

    private final Run run;

    Details(Run run) {
        this.run = run;
    }

    /** {@return a row for each rate of messages of some size; the first is the head} */
    List<List<String>> bandwidth() {
        List<Result> rates =
                run.results().stream()
                        .filter(r -> r.isRate() && r.params().containsKey("size"))
                        .toList();
        Set<String> sides = sides(rates);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("bandwidth"));
        head.addAll(sides);
        rows.add(head);
        for (Result result : rates) {
            List<String> row = new ArrayList<>(List.of(result.title()));
            sides.forEach(side -> row.add(Units.bandwidth(result.bytesPerSecond(side))));
            rows.add(row);
        }
        return rows;
    }

    /** {@return a row for each latency that was sampled; the first is the head} */
    List<List<String>> percentiles() {
        List<Result> sampled =
                run.results().stream()
                        .filter(
                                r ->
                                        r.measurements().values().stream()
                                                .anyMatch(m -> !m.percentiles().isEmpty()))
                        .toList();
        Set<String> sides = sides(sampled);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("percentiles"));
        for (String percent : PERCENTS) {
            sides.forEach(side -> head.add(side + " " + percent + " %"));
        }
        rows.add(head);
        for (Result result : sampled) {
            rows.add(row(result, sides));
        }
        return rows;
    }

    private static List<String> row(Result result, Set<String> sides) {
        List<String> row = new ArrayList<>(List.of(result.title()));
        for (String percent : PERCENTS) {
            for (String side : sides) {
                Measurement measured = result.measurements().get(side);
                Double value = measured == null ? null : measured.percentiles().get(percent);
                row.add(value == null ? "" : Units.value(value, result.unit()));
            }
        }
        return row;
    }

    private static Set<String> sides(List<Result> results) {
        Set<String> sides = new LinkedHashSet<>();
        results.forEach(r -> sides.addAll(r.measurements().keySet()));
        return sides;
    }
}
