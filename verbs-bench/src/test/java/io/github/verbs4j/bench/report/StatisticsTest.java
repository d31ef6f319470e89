package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void theMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertEquals(3, Statistics.median(new double[] {9, 1, 3}));
        assertEquals(2.5, Statistics.median(new double[] {4, 2, 1, 3}));
        assertEquals(7, Statistics.median(new double[] {7}));
    }

    @Test
    void nothingHasNoMedian() {
        assertThrows(IllegalArgumentException.class, () -> Statistics.median(new double[0]));
    }

    @Test
    void theMedianLeavesItsArgumentAsItIs() {
        double[] values = {3, 1, 2};
        Statistics.median(values);
        assertEquals(3, values[0]);
    }

    @Test
    void theRatioOfConstantsIsCertain() {
        assertEquals(
                new Ratio(2, 2, 2),
                Statistics.ratio(new double[] {4, 4, 4}, new double[] {2, 2, 2}));
    }

    @Test
    void theIntervalHoldsTheRatioAndGrowsWithTheSpread() {
        Ratio calm = Statistics.ratio(new double[] {10, 11, 12}, new double[] {10, 10, 10});
        Ratio wild = Statistics.ratio(new double[] {2, 11, 60}, new double[] {10, 10, 10});
        assertTrue(calm.low() <= calm.value() && calm.value() <= calm.high());
        assertTrue(wild.high() - wild.low() > calm.high() - calm.low());
    }

    @Test
    void theIntervalIsTheSameEachTime() {
        double[] a = {10, 14, 12, 11};
        double[] b = {9, 10, 8, 13};
        assertEquals(Statistics.ratio(a, b), Statistics.ratio(a, b));
    }
}
