package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One benchmark of the plan.
 *
 * @param kind {@code overhead}, {@code device}, {@code set-up} or {@code start}
 * @param name what is measured
 * @param params its parameters
 * @param unit {@code ns} or {@code op/s}
 * @param sides who carries it out; each round goes through all of them
 * @param leftOut why this machine cannot carry it out, if it cannot
 */
record PlannedBenchmark(
        String kind,
        String name,
        Map<String, String> params,
        String unit,
        List<Side> sides,
        Optional<String> leftOut) {

    PlannedBenchmark(
            String kind, String name, Map<String, String> params, String unit, List<Side> sides) {
        this(kind, name, params, unit, sides, Optional.empty());
    }

    /** {@return the result, nothing measured yet} */
    Result result() {
        return new Result(kind, name, params, unit, new LinkedHashMap<>());
    }

    /** {@return its line} */
    String title() {
        return kind + " " + result().title();
    }

    /** A space after the last word too, so that a filter can tell {@code batch=1} from 16. */
    boolean matches(String filter) {
        String line = title() + " ";
        return line.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
    }

    /** {@return what a round takes, about} */
    double roundSeconds() {
        return sides.stream().mapToDouble(Side::seconds).sum();
    }

    /** What it takes, about: C takes part once more when the rounds are odd. */
    double seconds(int rounds) {
        double all = rounds * roundSeconds();
        return sides.isEmpty() || rounds % 2 == 0 ? all : all + sides.getFirst().seconds();
    }
}
