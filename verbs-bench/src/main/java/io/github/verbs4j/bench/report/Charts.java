package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.Styler;

/** The plots of a run. */
final class Charts {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 460;

    /** As many bars stand side by side with a name each. */
    private static final int RESULTS = 24;

    /** Pixels between names; XChart leaves names out rather than go below. */
    private static final int NAME_SPACING = 20;

    private Charts() {}

    /** {@return every plot that the run has data for} */
    static List<IChart> of(Run run) {
        List<IChart> charts = new ArrayList<>();
        List<Result> overhead = of(run, "overhead");
        if (!overhead.isEmpty()) {
            addBars(
                    charts,
                    "Time per request on the way to a provider that does nothing",
                    "ns",
                    overhead,
                    Charts::medianPerRequest);
        }
        List<Result> device = of(run, "device");
        addCurves(charts, "Latency over size (median)", "µs", device, "latency", r -> 1e-3);
        addCurves(charts, "Bandwidth over size", "MB/s", device, "throughput", r -> 1e-6 * size(r));
        List<Result> compared =
                device.stream().filter(r -> r.measurements().containsKey(Result.C)).toList();
        if (!compared.isEmpty()) {
            addBars(
                    charts,
                    "Cost compared with C (1 is equal, above is slower)",
                    "ratio",
                    compared,
                    Charts::ratio);
        }
        List<Result> allocating = new ArrayList<>(overhead);
        allocating.addAll(device);
        if (!allocating.isEmpty()) {
            addBars(charts, "Allocation", "bytes per operation", allocating, Charts::allocation);
        }
        return charts;
    }

    private static List<Result> of(Run run, String kind) {
        return run.results().stream().filter(r -> r.kind().equals(kind)).toList();
    }

    /** A value of a result and an implementation; NaN where there is none. */
    private interface Value {
        double of(Result result, String implementation);
    }

    private static double medianPerRequest(Result result, String implementation) {
        Measurement measured = result.measurements().get(implementation);
        int batch = Integer.parseInt(result.params().getOrDefault("batch", "1"));
        return measured == null ? Double.NaN : measured.median() / batch;
    }

    private static double ratio(Result result, String implementation) {
        return implementation.equals(Result.C) || !result.measurements().containsKey(implementation)
                ? Double.NaN
                : result.cost(implementation).value();
    }

    private static double allocation(Result result, String implementation) {
        Measurement measured = result.measurements().get(implementation);
        return measured == null ? Double.NaN : measured.bytesPerOp();
    }

    private static long size(Result result) {
        return Long.parseLong(result.params().getOrDefault("size", "0"));
    }

    /** In several charts when there are too many for one. */
    private static void addBars(
            List<IChart> charts, String title, String unit, List<Result> results, Value value) {
        int parts = (results.size() + RESULTS - 1) / RESULTS;
        for (int part = 0; part < parts; part++) {
            int from = part * RESULTS;
            List<Result> some = results.subList(from, Math.min(from + RESULTS, results.size()));
            String which = parts == 1 ? "" : ", %d of %d".formatted(part + 1, parts);
            charts.add(bars(title + which, unit, some, value));
        }
    }

    private static CategoryChart bars(
            String title, String unit, List<Result> results, Value value) {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT + 160)
                        .title(title)
                        .yAxisTitle(unit)
                        .theme(Styler.ChartTheme.XChart)
                        .build();
        chart.getStyler().setXAxisLabelRotation(60);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setXAxisTickMarkSpacingHint(NAME_SPACING);
        chart.getStyler().setYAxisMin(0.0);
        Set<String> implementations = new LinkedHashSet<>();
        results.forEach(r -> implementations.addAll(r.measurements().keySet()));
        List<String> titles = results.stream().map(Result::title).toList();
        double highest = 0;
        for (String implementation : implementations) {
            List<Double> values = new ArrayList<>();
            boolean any = false;
            for (Result result : results) {
                double number = value.of(result, implementation);
                any |= !Double.isNaN(number);
                values.add(Double.isNaN(number) ? 0 : number);
                highest = Math.max(highest, values.getLast());
            }
            if (any) {
                chart.addSeries(implementation, titles, values);
            }
        }
        if (highest == 0) {
            chart.getStyler().setYAxisMax(1.0); // Nothing, on an axis that begins at the bottom.
        }
        return chart;
    }

    /** One curve per operation and implementation, over the sizes of plain benchmarks. */
    private static void addCurves(
            List<IChart> charts,
            String title,
            String unit,
            List<Result> device,
            String name,
            ToDoubleFunction<Result> scale) {
        Map<String, TreeMap<Long, Double>> curves = new LinkedHashMap<>();
        for (Result result : device) {
            if (!result.name().equals(name)) {
                continue;
            }
            String curve = result.titleWithout("size").substring(name.length()).trim();
            result.measurements()
                    .forEach(
                            (implementation, measured) ->
                                    curves.computeIfAbsent(
                                                    curve + " " + implementation,
                                                    key -> new TreeMap<>())
                                            .put(
                                                    size(result),
                                                    measured.median()
                                                            * scale.applyAsDouble(result)));
        }
        curves.values().removeIf(points -> points.size() < 2);
        if (curves.isEmpty()) {
            return;
        }
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(title)
                        .xAxisTitle("message size in bytes")
                        .yAxisTitle(unit)
                        .theme(Styler.ChartTheme.XChart)
                        .build();
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        DoubleSummaryStatistics range =
                curves.values().stream()
                        .flatMap(points -> points.values().stream())
                        .collect(Collectors.summarizingDouble(Double::doubleValue));
        // Whole decades: only they are named.
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(range.getMin()))));
        chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(range.getMax()))));
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        curves.forEach(
                (curve, points) ->
                        chart.addSeries(
                                curve,
                                new ArrayList<>(points.keySet()),
                                new ArrayList<>(points.values())));
        charts.add(chart);
    }
}
