package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {

    @TempDir Path folder;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private record Fixed(String name, IOException failure) implements Side {
        @Override
        public double seconds() {
            return 1;
        }

        @Override
        public Measurement fork() throws IOException {
            if (failure != null) {
                throw failure;
            }
            return new Measurement(new double[] {1}, Map.of(), 0);
        }
    }

    /** One iteration per fork, of these values one after the other. */
    private record Drifting(String name, Iterator<Double> values) implements Side {
        Drifting(String name, Double... values) {
            this(name, List.of(values).iterator());
        }

        @Override
        public double seconds() {
            return 1;
        }

        @Override
        public Measurement fork() throws IOException {
            if (!values.hasNext()) {
                throw new IOException("enough");
            }
            double value = values.next();
            return new Measurement(new double[] {value, value + 1}, Map.of(), 0);
        }
    }

    private static PlannedBenchmark drifting(String name, double first) {
        return new PlannedBenchmark(
                "device",
                name,
                Map.of(),
                "ns",
                List.of(
                        new Drifting("C", 10., 10., 10., 10.),
                        new Drifting("Java", first, 10., 10.)));
    }

    @Test
    void theWidestBracketsGetOneMoreRound() throws Exception {
        List<PlannedBenchmark> planned = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            planned.add(drifting("line" + i, i)); // a bracket as wide as an iteration against i
        }
        assertTrue(measure(planned));
        for (Result result : written().results()) {
            boolean wide = "line1 line2 line3".contains(result.name());
            assertEquals(wide ? 2 : 1, result.measurements().get("Java").forks().length);
            assertEquals(wide ? 3 : 2, result.measurements().get("C").forks().length);
        }
        assertTrue(output.toString().contains("[9/9, 0 s left] again device line3: C 10"));
    }

    @Test
    void aBenchmarkThatFailsWhenItIsRunAgainKeepsWhatItHad() throws Exception {
        List<Side> sides = List.of(new Drifting("C", 1., 1.), new Drifting("Java", 4., 9.));
        PlannedBenchmark benchmark = new PlannedBenchmark("device", "one", Map.of(), "ns", sides);
        assertFalse(measure(List.of(benchmark)));
        assertEquals(4.5, written().results().getFirst().measurements().get("Java").median());
        assertEquals("again device one: enough", written().machine().get("failed"));
        assertTrue(output.toString().contains(" left] again device one FAILED"));
    }

    private static PlannedBenchmark benchmark(String name, IOException failure) {
        return new PlannedBenchmark(
                "device", name, Map.of(), "ns", List.of(new Fixed("C", failure)));
    }

    private boolean measure(List<PlannedBenchmark> planned) throws Exception {
        Plan plan =
                new Plan(
                        "quick",
                        new DeviceChoice(Optional.empty(), 1, -1, Optional.empty()),
                        Optional.of(""),
                        load -> Optional.empty(),
                        folder);
        Progress progress = new Progress(new PrintStream(output), 0, planned.size(), 10);
        return new Runs(plan, progress, new LinkedHashMap<>(), folder.resolve("x.json"))
                .measure(planned);
    }

    private Run written() throws IOException {
        return Run.read(List.of(folder.resolve("x.json")));
    }

    @Test
    void aBenchmarkThatFailsDoesNotKeepTheOthersFromBeingRun() throws Exception {
        boolean passed =
                measure(
                        List.of(
                                benchmark("one", null),
                                benchmark("two", new IOException("no room")),
                                benchmark("three", null)));
        assertFalse(passed);
        assertEquals(
                List.of("one", "three"), written().results().stream().map(Result::name).toList());
        assertEquals("device two: no room", written().machine().get("failed"));
        assertTrue(output.toString().contains("device two FAILED: no room"));
    }

    @Test
    void theListOfThoseThatFailedNamesAReasonOnceAndInBrief() throws Exception {
        IOException gone = new IOException("no server");
        IOException talkative = new IOException("x".repeat(200) + "\nmore");
        assertFalse(
                measure(
                        List.of(
                                benchmark("one", gone),
                                benchmark("two", talkative),
                                benchmark("three", gone))));
        assertEquals(
                "device one, device three: no server; device two: " + "x".repeat(119) + "…",
                written().machine().get("failed"));
        assertTrue(output.toString().contains("x".repeat(200)));
    }

    @Test
    void theReasonOfATwinIsWhatItSaid(@TempDir Path programs) throws Exception {
        Path twin = programs.resolve("twin");
        Files.writeString(twin, "#!/bin/sh\necho 'twin: no server at host:1' >&2\nexit 1\n");
        assertTrue(twin.toFile().setExecutable(true));
        TwinSide side = new TwinSide(twin, Effort.of("smoke", "device"), Map.of("size", "8"));
        IOException e = assertThrows(IOException.class, side::fork);
        assertEquals("twin: no server at host:1", e.getMessage());
    }

    @Test
    void whatAMachineCannotCarryOutIsLeftOutAndIsNoFailure() throws Exception {
        PlannedBenchmark large =
                new PlannedBenchmark(
                        "set-up", "register", Map.of(), "ns", List.of(), Optional.of("too large"));
        assertTrue(measure(List.of(large, benchmark("one", null))));
        assertEquals("set-up register (too large)", written().machine().get("left out"));
        assertEquals(1, written().results().size());
    }
}
