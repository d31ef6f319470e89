package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.Operation;
import io.github.verbs4j.bench.device.Workload;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {

    private static Plan plan(String effort) {
        return plan(effort, Optional.of("192.0.2.1"), load -> Optional.empty());
    }

    private static Plan plan(
            String effort, Optional<String> address, Function<Workload, Optional<String>> lack) {
        DeviceChoice choice = new DeviceChoice(Optional.empty(), 1, -1, Optional.empty());
        return new Plan(effort, choice, address, lack, Path.of("native"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "full"})
    void everyOperationHasItsLatencyAndThroughputInJavaAndC(String effort) {
        List<PlannedBenchmark> device = plan(effort).device();
        for (Operation operation : Operation.values()) {
            for (String name : List.of("latency", "throughput")) {
                assertTrue(
                        device.stream()
                                .anyMatch(
                                        b ->
                                                b.name().equals(name)
                                                        && b.params()
                                                                .get("operation")
                                                                .equals(operation.name())),
                        name + " of " + operation);
            }
        }
        for (PlannedBenchmark benchmark : device) {
            assertEquals(List.of("C", "Java"), benchmark.sides().stream().map(Side::name).toList());
        }
    }

    private static boolean has(List<PlannedBenchmark> plan, String title) {
        return plan.stream().anyMatch(b -> b.result().title().equals(title));
    }

    @ParameterizedTest
    @ValueSource(strings = {"postSend", "postRecv", "pollFull", "postPoll", "extended postPoll"})
    void fullPostsAndPollsInBatches(String name) {
        for (int batch : new int[] {1, 4, 16, 64}) {
            assertTrue(has(plan("full").overhead(), name + " batch=" + batch), "batch " + batch);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fullHasEachDimensionForEachOperationThatItAppliesTo(Operation operation) {
        List<PlannedBenchmark> full = plan("full").device();
        List<String> lines = new ArrayList<>();
        String small = operation + " 8 B";
        for (int depth : new int[] {2, 8, 32, 128}) {
            lines.add("throughput " + small + " depth=" + depth);
        }
        lines.add("throughput " + small);
        lines.add("throughput " + small + " depth=16 batch=16");
        lines.add("throughput " + small + " depth=16 signalEvery=16");
        lines.add("throughput " + small + " depth=16 threads=4");
        lines.add("throughput " + small + " depth=16 batch=16 way=EXTENDED");
        lines.add("latency " + small + " way=EXTENDED");
        lines.add("latency " + small + " way=EVENTS");
        if (!operation.isAtomic()) {
            lines.add("latency " + operation + " 1 MiB");
            lines.add("latency " + operation + " 4 KiB sges=4");
        }
        if (operation.mayBeInline()) {
            lines.add("latency " + small + " inline=true");
        }
        lines.forEach(line -> assertTrue(has(full, line), line));
    }

    @Test
    void noBenchmarkIsPlannedTwice() {
        List<String> titles =
                plan("full").device().stream()
                        .map(b -> b.result().title())
                        .map(String::valueOf)
                        .toList();
        assertEquals(titles.stream().distinct().toList(), titles);
    }

    @Test
    void overheadIsMeasuredInFourWaysAndInThreeByTheFunctionsThatJniLibrariesLeaveOut() {
        for (PlannedBenchmark benchmark : plan("quick").overhead()) {
            assertEquals(
                    benchmark.name().startsWith("extended")
                            ? List.of("C", "ffi", "typed")
                            : List.of("C", "JNI", "ffi", "typed"),
                    benchmark.sides().stream().map(Side::name).toList());
        }
    }

    @Test
    void quickHasThreeSizesOfOneOperation() {
        assertEquals(
                3,
                plan("quick").part("device", "latency WRITE ").stream()
                        .filter(benchmark -> benchmark.params().size() == 2)
                        .count());
    }

    @Test
    void aFilterPicksFromAllKindsOfAPart() {
        assertEquals(List.of(), plan("quick").part("overhead", "to first completion"));
        assertEquals(1, plan("quick").part("device", "to first completion").size());
    }

    @Test
    void withoutAnAddressTheConnectionsAreLeftOutWithAReason() {
        Plan plan = plan("quick", Optional.empty(), load -> Optional.empty());
        assertTrue(plan.part("device", "connections").getFirst().leftOut().isPresent());
        assertEquals(0, plan.seconds(plan.part("device", "connections")));
    }

    @Test
    void whatTheDeviceLacksIsLeftOutWithTheReason() {
        Plan plan =
                plan(
                        "quick",
                        Optional.of("192.0.2.1"),
                        load -> load.inline() ? Optional.of("no inline data") : Optional.empty());
        for (PlannedBenchmark benchmark : plan.device()) {
            boolean inline = benchmark.params().containsKey("inline");
            assertEquals(
                    inline ? Optional.of("no inline data") : Optional.empty(), benchmark.leftOut());
            assertEquals(inline ? 0 : 2, benchmark.sides().size());
        }
        assertEquals(1, plan.part("device", "inline").size());
    }

    @Test
    void withoutFreeHugePagesTheirRegistrationIsLeftOutWithAReason() {
        PlannedBenchmark huge = plan("quick").part("device", "register 64 MiB huge").getFirst();
        assertEquals(!Memory.hugePagesAreFree(64 << 20), huge.leftOut().isPresent());
    }

    @Test
    void theFilterLooksAtTheWholeLine() {
        PlannedBenchmark benchmark =
                new PlannedBenchmark("device", "latency", Map.of("size", "4096"), "ns", List.of());
        assertTrue(benchmark.matches("device lat"));
        assertTrue(benchmark.matches("4 kib"));
        assertTrue(benchmark.matches(""));
        assertEquals(false, benchmark.matches("throughput"));
    }

    @Test
    void aSpaceAtTheEndOfAFilterEndsTheWord() {
        assertEquals(
                List.of("overhead postPoll batch=1", "overhead postPoll batch=16"),
                titles("overhead postPoll batch=1"));
        assertEquals(List.of("overhead postPoll batch=1"), titles("overhead postPoll batch=1 "));
    }

    private static List<String> titles(String filter) {
        return plan("quick").part("overhead", filter).stream()
                .map(PlannedBenchmark::title)
                .toList();
    }

    @Test
    void sidesTakeTurnsAndTheOrderTurnsRound() throws Exception {
        List<String> order = new ArrayList<>();
        List<Side> sides = List.of(new Counting("C", order), new Counting("Java", order));
        PlannedBenchmark benchmark = new PlannedBenchmark("k", "n", Map.of(), "ns", sides);

        Result result = Runs.measure(benchmark, 3);

        assertEquals(List.of("C", "Java", "Java", "C", "C", "Java", "C"), order);
        assertArrayEquals(new double[] {2, 3, 6}, result.measurements().get("Java").samples());
    }

    @Test
    void theGuessForTheRestIsAboutAsWrongAsThatForWhatIsDone() {
        assertEquals(Duration.ofSeconds(15), Progress.remaining(Duration.ofSeconds(120), 40, 10));
        assertEquals(Duration.ofSeconds(10), Progress.remaining(Duration.ofSeconds(40), 40, 10));
        assertEquals(Duration.ZERO, Progress.remaining(Duration.ofSeconds(10), 2, 0));
        assertEquals("2 min 5 s", Progress.text(Duration.ofSeconds(125)));
        assertEquals("5 s", Progress.text(Duration.ofSeconds(5)));
    }

    @Test
    void anUnknownEffortIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Effort.of("slow", "device"));
    }

    private record Counting(String name, List<String> order) implements Side {
        @Override
        public double seconds() {
            return 1;
        }

        @Override
        public Measurement fork() {
            order.add(name);
            return new Measurement(new double[] {order.size()}, Map.of(), 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/benchmarks.md"})
    void theStartOfAShortLivedProgramIsMeasuredWithTheOptionsThatThePagesName(String page)
            throws IOException {
        String text = Files.readString(Path.of("..").resolve(page));
        String options = String.join(" ", StartSide.SHORT_LIVED);
        assertTrue(text.contains(" -XX:AOTCacheOutput=app.aot -cp "), page);
        assertTrue(text.contains(" -XX:AOTCache=app.aot " + options + " -cp "), page);
        assertTrue(
                plan("quick").setUp().getLast().sides().getLast().name().contains("short-lived"));
    }
}
