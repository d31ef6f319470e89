package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.bench.report.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TwinOutputTest {

    @Test
    void iterationsAreSamplesAndPercentilesKeepTheirNames() {
        Measurement measured =
                TwinOutput.parse(
                        List.of(
                                "iteration 0 31000",
                                "iteration 1 33000.5",
                                "percentile 99.9 70000"));
        assertArrayEquals(new double[] {31000, 33000.5}, measured.samples());
        assertEquals(70000, measured.percentiles().get("99.9"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"iteration 1", "iteration 1 x", "percentiles 1 2", ""})
    void whatTheTwinDoesNotPrintIsRefused(String line) {
        assertThrows(
                IllegalArgumentException.class,
                () -> TwinOutput.parse(List.of("iteration 0 1", line)));
    }

    @Test
    void aTwinThatMeasuredNothingIsRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> TwinOutput.parse(List.of("percentile 50 1")));
    }

    @Test
    void percentilesHaveTheNamesOfTheTwin() {
        assertEquals("50", JmhSide.trimmed(50));
        assertEquals("99.99", JmhSide.trimmed(99.99));
    }
}
