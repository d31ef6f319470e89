package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;

class TableTest {

    private static Measurement of(double bytes, double... samples) {
        return new Measurement(samples, Map.of(), bytes);
    }

    private static Result result(String kind, String unit, double c, double java) {
        Map<String, Measurement> sides = new LinkedHashMap<>();
        sides.put("C", of(Double.NaN, c, c));
        sides.put("Java", of(0.001, java, java));
        return new Result(kind, "latency", Map.of("size", "4096"), unit, sides);
    }

    private static Run run(Result... results) {
        return new Run(Map.of("date", "today"), List.of(results));
    }

    @Test
    void aRowHasBothValuesTheirRatioAndTheAllocation() {
        List<List<String>> rows = new Table(run(result("device", "ns", 2000, 2100))).rows("device");
        assertEquals(List.of("device", "C", "Java", "Java / C [95 %]", "B/op"), rows.getFirst());
        assertEquals(
                List.of("latency 4 KiB", "2.0 µs", "2.1 µs", "1.05 [1.05, 1.05]", "0.0"),
                rows.get(1));
    }

    @Test
    void aboveOneMeansSlowerForRatesToo() {
        assertEquals(2, result("device", "op/s", 1000, 500).cost("Java").value());
    }

    @Test
    void aSideThatDidNotTakePartHasEmptyCells() {
        Result alone = new Result("device", "x", Map.of(), "ns", Map.of("C", of(Double.NaN, 1)));
        List<List<String>> rows =
                new Table(run(result("device", "ns", 1, 1), alone)).rows("device");
        assertEquals(List.of("x", "1.0 ns", "", "", ""), rows.get(2));
    }

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        assertEquals(
                """
                | a    |   b |
                |------|----:|
                | long | 123 |
                """,
                Table.format(List.of(List.of("a", "b"), List.of("long", "123"))));
    }

    @Test
    void partsOfARunAreJoinedAndSurviveTheirFile(@TempDir Path folder) throws IOException {
        Result host = result("overhead", "ns", 1, 2);
        Result guest = result("device", "ns", 3, 4);
        new Run(Map.of("system", "host"), List.of(host)).write(folder.resolve("a.json"));
        new Run(Map.of("system", "guest"), List.of(guest)).write(folder.resolve("b.json"));

        Run both = Run.read(List.of(folder.resolve("a.json"), folder.resolve("b.json")));

        assertEquals(Map.of("system", "host; then guest"), both.machine());
        assertEquals(2, both.results().size());
        assertEquals(2, both.results().get(0).cost("Java").value());
        assertTrue(Double.isNaN(both.results().get(1).measurements().get("C").bytesPerOp()));
    }

    @Test
    void thePageIsSelfContained(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("report.html");
        HtmlReport.write(run(result("device", "ns", 3, 4)), "== ib_write_lat <8>", page);
        String html = Files.readString(page);
        assertTrue(html.contains("data:image/png;base64,"));
        assertTrue(html.contains("<td>latency 4 KiB</td>"));
        assertTrue(html.contains("<pre>== ib_write_lat &lt;8&gt;</pre>"));
        assertFalse(html.contains("http"), "links to something outside");
    }

    @Test
    void thePageHasBytesPerSecondAndPercentiles(@TempDir Path folder) throws IOException {
        Measurement sampled = new Measurement(new double[] {3}, Map.of("99.9", 7500.0), 0);
        Result latency =
                new Result("device", "latency", Map.of("size", "8"), "ns", Map.of("C", sampled));
        Path page = folder.resolve("report.html");
        HtmlReport.write(run(result("device", "op/s", 1000, 500), latency), "", page);
        String html = Files.readString(page);
        assertTrue(html.contains("<td>4.1 MB/s</td><td>2.0 MB/s</td>"), html);
        assertTrue(html.contains("<th>C 99.9 %</th>"), html);
        assertTrue(html.contains("<td>7.5 µs</td>"), html);
    }

    @Test
    void whatWasNotMeasuredHasNoTableOnThePage(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("report.html");
        HtmlReport.write(run(result("device", "ns", 3, 4)), "", page);
        String html = Files.readString(page);
        assertFalse(html.contains("bandwidth</th>") || html.contains("percentiles</th>"), html);
    }

    @Test
    void manyResultsAreSpreadOverSeveralChartsSoThatEachHasItsName() {
        Result[] many = new Result[50];
        for (int i = 0; i < many.length; i++) {
            many[i] =
                    new Result(
                            "overhead",
                            "x",
                            Map.of("batch", Integer.toString(i + 1)),
                            "ns",
                            Map.of("C", of(0, i + 1)));
        }
        List<double[]> bars =
                Charts.of(run(many)).stream()
                        .map(chart -> ((CategoryChart) chart).getSeries("C").getYData())
                        .toList();
        assertEquals(
                List.of(24, 24, 2), bars.stream().limit(3).map(values -> values.length).toList());
        assertArrayEquals(new double[] {1, 1}, bars.get(2), "each batch costs 1 ns per request");
    }

    @Test
    void aCurveNamesItsParametersExceptTheSize() {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("operation", "WRITE");
        params.put("size", "8");
        params.put("depth", "16");
        Result result = new Result("device", "throughput", params, "op/s", Map.of());
        assertEquals("throughput WRITE depth=16", result.titleWithout("size"));
    }

    @Test
    void textIsEscaped() {
        assertEquals("a &lt;b&gt; &amp; c", HtmlReport.escape("a <b> & c"));
    }

    @Test
    void forksAddUpAndPercentilesAreTheirMeans() {
        Measurement one =
                new Measurement(new double[] {1}, Map.of("0", 1.0, "99", 5.0, "100", 9.0), 0);
        Measurement two =
                new Measurement(new double[] {3}, Map.of("0", 2.0, "99", 7.0, "100", 8.0), 16);
        Measurement both = one.and(two);
        assertEquals(2, both.median());
        assertEquals(Map.of("0", 1.0, "99", 6.0, "100", 9.0), both.percentiles());
        assertEquals(
                5,
                both.and(one.and(new Measurement(new double[] {2}, Map.of("99", 3.0), 0)))
                        .percentiles()
                        .get("99"));
        assertEquals(16, both.bytesPerOp());
    }

    @Test
    void forksAreKeptApartAndSurviveTheirFile(@TempDir Path folder) throws IOException {
        Measurement both = of(0, 1, 2).and(of(0, 3));
        Result result = new Result("device", "x", Map.of(), "ns", Map.of("C", both));
        run(result).write(folder.resolve("a.json"));
        Measurement read =
                Run.read(List.of(folder.resolve("a.json")))
                        .results()
                        .getFirst()
                        .measurements()
                        .get("C");
        assertArrayEquals(new double[][] {{1, 2}, {3}}, read.byFork());
    }

    @Test
    void aFileThatDoesNotTellForksCountsAsOne(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("old.json");
        Files.writeString(
                file,
                """
                {"machine": {}, "results": [{"kind": "device", "name": "x", "params": {},
                "unit": "ns", "measurements": {"C": {"samples": [1.0, 2.0], "percentiles": {},
                "bytesPerOp": NaN}}}]}
                """);
        Result read = Run.read(List.of(file)).results().getFirst();
        assertArrayEquals(new int[] {2}, read.measurements().get("C").forks());
    }

    @Test
    void samplesOfNoForkAreRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Measurement(new double[] {1, 2}, new int[] {1}, Map.of(), 0));
    }

    @Test
    void whereASideRanInOneForkItIsSaidBelowTheTable() {
        Map<String, Measurement> sides = new LinkedHashMap<>();
        sides.put("C", of(0, 1).and(of(0, 1)));
        sides.put("Java", of(0, 1));
        Table one = new Table(run(new Result("device", "x", Map.of(), "ns", sides)));
        assertTrue(
                one.toMarkdown()
                        .endsWith(
                                "\nThe brackets rest on one fork of Java:"
                                        + " how forks differ is not in them.\n"));

        Map<String, Measurement> again = new LinkedHashMap<>(sides);
        again.put("Java", of(0, 1).and(of(0, 1)));
        Result repeated = new Result("device", "y", Map.of(), "ns", again);
        assertEquals(Optional.empty(), new Table(run(repeated)).caveat("device"));
        Table both = new Table(run(new Result("device", "x", Map.of(), "ns", sides), repeated));
        assertEquals(
                "The brackets rest on one fork of Java (but for y, measured again):"
                        + " how forks differ is not in them.",
                both.caveat("device").orElseThrow());
    }

    @Test
    void numbersHaveTheUnitThatPeopleRead() {
        assertEquals("12.3 ns", Units.value(12.34, "ns"));
        assertEquals("1.5 ms", Units.value(1.5e6, "ns"));
        assertEquals("250.0 kop/s", Units.value(250_000, "op/s"));
        assertEquals("64 KiB", Units.bytes(65536));
        assertEquals("1 GiB", Units.bytes(1 << 30));
        assertEquals("1000 B", Units.bytes(1000));
    }
}
