package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.examples.cm.StreamSizes.Goal;
import io.github.verbs4j.examples.cm.StreamSizes.Series;
import io.github.verbs4j.examples.cm.StreamSizes.Test;
import java.util.List;
import picocli.CommandLine;

/** Both sides must choose the same tests, so these are those of {@code rstream}. */
class StreamSizesTest {

    private static List<Series> series(String... options) {
        return CommandLine.populateCommand(new StreamSizes(), options).series();
    }

    @org.junit.jupiter.api.Test
    void byDefaultFourSizesAreTriedForLatencyAndThenForBandwidth() {
        assertEquals(
                List.of(
                        new Series(
                                Goal.LATENCY,
                                List.of(
                                        new Test("64_lat", 64, 1, 100_000),
                                        new Test("4k_lat", 4096, 1, 10_000),
                                        new Test("64k_lat", 1 << 16, 1, 1000),
                                        new Test("1m_lat", 1 << 20, 1, 100))),
                        new Series(
                                Goal.BANDWIDTH,
                                List.of(
                                        new Test("64_bw", 64, 100_000, 1),
                                        new Test("4k_bw", 4096, 10_000, 1),
                                        new Test("64k_bw", 1 << 16, 1000, 1),
                                        new Test("1m_bw", 1 << 20, 100, 1)))),
                series());
    }

    @org.junit.jupiter.api.Test
    void allSizesAreThePowersOfTwoAndWhatIsBetween() {
        List<Test> tests = series("-S", "all").getFirst().tests();
        assertEquals(33, tests.size());
        assertEquals(List.of(64, 128, 192, 256), tests.stream().map(Test::size).limit(4).toList());
        assertEquals(6 << 20, tests.getLast().size());
        assertEquals("6m_lat", tests.getLast().name());
    }

    @org.junit.jupiter.api.Test
    void anyOfTheThreeNumbersMakesATestOfOnesOwn() {
        assertEquals(
                List.of(new Series(Goal.MIXED, List.of(new Test("custom", 1000, 7, 1)))),
                series("-C", "7"));
        assertEquals(
                List.of(new Series(Goal.MIXED, List.of(new Test("custom", 5, 1000, 1)))),
                series("-S", "5"));
        assertEquals(
                List.of(new Series(Goal.MIXED, List.of(new Test("custom", 1000, 1000, 3)))),
                series("-I", "3", "-S", "all"));
    }
}
