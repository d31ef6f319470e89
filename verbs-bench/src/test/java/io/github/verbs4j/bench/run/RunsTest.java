package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
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
    void whatAMachineCannotCarryOutIsLeftOutAndIsNoFailure() throws Exception {
        PlannedBenchmark large =
                new PlannedBenchmark(
                        "set-up", "register", Map.of(), "ns", List.of(), Optional.of("too large"));
        assertTrue(measure(List.of(large, benchmark("one", null))));
        assertEquals("set-up register (too large)", written().machine().get("left out"));
        assertEquals(1, written().results().size());
    }
}
