package io.github.verbs4j.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
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

    private Charts() {}

    /** {@return every plot that the run has data for} */
    static List<IChart> of(Run run) {
        List<IChart> charts = new ArrayList<>();
        List<Result> overhead = of(run, "overhead");
        if (!overhead.isEmpty()) {
            charts.add(
                    bars(
                            "Time on the way to a provider that does nothing",
                            "ns",
                            overhead,
                            Charts::median));
        }
        List<Result> device = of(run, "device");
        addCurves(charts, "Latency over size (median)", "µs", device, "latency", r -> 1e-3);
        addCurves(charts, "Bandwidth over size", "MB/s", device, "throughput", r -> 1e-6 * size(r));
        List<Result> compared =
                device.stream().filter(r -> r.measurements().containsKey(Result.C)).toList();
        if (!compared.isEmpty()) {
            charts.add(
                    bars(
                            "Cost compared with C (1 is equal, above is slower)",
                            "ratio",
                            compared,
                            Charts::ratio));
        }
        List<Result> allocating = new ArrayList<>(overhead);
        allocating.addAll(device);
        if (!allocating.isEmpty()) {
            charts.add(bars("Allocation", "bytes per operation", allocating, Charts::allocation));
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

    private static double median(Result result, String implementation) {
        Measurement measured = result.measurements().get(implementation);
        return measured == null ? Double.NaN : measured.median();
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
        chart.getStyler().setYAxisMin(0.0);
        Set<String> implementations = new LinkedHashSet<>();
        results.forEach(r -> implementations.addAll(r.measurements().keySet()));
        List<String> titles = results.stream().map(Result::title).toList();
        for (String implementation : implementations) {
            List<Double> values = new ArrayList<>();
            boolean any = false;
            for (Result result : results) {
                double number = value.of(result, implementation);
                any |= !Double.isNaN(number);
                values.add(Double.isNaN(number) ? 0 : number);
            }
            if (any) {
                chart.addSeries(implementation, titles, values);
            }
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
            Map<String, String> rest = new LinkedHashMap<>(result.params());
            rest.remove("size");
            result.measurements()
                    .forEach(
                            (implementation, measured) ->
                                    curves.computeIfAbsent(
                                                    String.join(" ", rest.values())
                                                            + " "
                                                            + implementation,
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
