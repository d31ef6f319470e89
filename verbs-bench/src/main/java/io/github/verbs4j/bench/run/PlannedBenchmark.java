package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One benchmark of the plan.
 *
 * @param kind {@code overhead}, {@code device}, {@code set-up} or {@code start}
 * @param name what is measured
 * @param params its parameters
 * @param unit {@code ns} or {@code op/s}
 * @param sides who carries it out; each round goes through all of them
 */
record PlannedBenchmark(
        String kind, String name, Map<String, String> params, String unit, List<Side> sides) {

    /** {@return the result, nothing measured yet} */
    Result result() {
        return new Result(kind, name, params, unit, new LinkedHashMap<>());
    }

    boolean matches(String filter) {
        String title = kind + " " + result().title();
        return title.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
    }
}
