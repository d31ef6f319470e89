package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
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
    void aForkThatWasDisturbedMovesTheMedianNoFurtherThanItsNeighbour() {
        assertEquals(4, Statistics.median(new double[][] {{9, 9, 9}, {3, 3, 3}, {5, 4, 3}}));
        assertEquals(3, Statistics.median(new double[][] {{1, 2, 9}, {4}}));
        assertEquals(
                2, Statistics.ratio(new double[][] {{40}, {4, 4}, {4}}, oneFork(2, 2, 2)).value());
    }

    private static double[][] oneFork(double... samples) {
        return new double[][] {samples};
    }

    @Test
    void theRatioOfConstantsIsCertain() {
        assertEquals(new Ratio(2, 2, 2), Statistics.ratio(oneFork(4, 4, 4), oneFork(2, 2, 2)));
        assertEquals(
                new Ratio(2, 2, 2),
                Statistics.ratio(new double[][] {{4, 4}, {4}}, new double[][] {{2}, {2, 2}}));
    }

    @Test
    void theIntervalHoldsTheRatioAndGrowsWithTheSpread() {
        Ratio calm = Statistics.ratio(oneFork(10, 11, 12), oneFork(10, 10, 10));
        Ratio wild = Statistics.ratio(oneFork(2, 11, 60), oneFork(10, 10, 10));
        assertTrue(calm.low() <= calm.value() && calm.value() <= calm.high());
        assertTrue(wild.high() - wild.low() > calm.high() - calm.low());
    }

    @Test
    void theIntervalIsTheSameEachTime() {
        double[][] a = {{10, 14}, {12, 11}};
        double[][] b = {{9, 10, 8, 13}};
        assertEquals(Statistics.ratio(a, b), Statistics.ratio(a, b));
    }

    /** The value that all iterations of one run together gave before forks were told apart. */
    @Test
    void ofASingleForkItIsThePlainBootstrapOfItsIterations() {
        assertEquals(
                plainBootstrap(new double[] {10, 14, 12, 11}, new double[] {9, 10, 8, 13}),
                Statistics.ratio(oneFork(10, 14, 12, 11), oneFork(9, 10, 8, 13)));
    }

    private static Ratio plainBootstrap(double[] above, double[] below) {
        Random random = new Random(42);
        double[] ratios = new double[2000];
        for (int i = 0; i < ratios.length; i++) {
            double[] a = new double[above.length];
            double[] b = new double[below.length];
            Arrays.setAll(a, k -> above[random.nextInt(above.length)]);
            Arrays.setAll(b, k -> below[random.nextInt(below.length)]);
            ratios[i] = Statistics.median(a) / Statistics.median(b);
        }
        Arrays.sort(ratios);
        return new Ratio(
                Statistics.median(above) / Statistics.median(below), ratios[50], ratios[1950]);
    }

    /**
     * Three forks that are certain of different values: a draw takes the first alone, or the last
     * alone, in one case of 27 each, more than the 2.5 % that the interval leaves out at each end.
     */
    @Test
    void forksThatDifferMakeTheIntervalAsWideAsTheyAreApart() {
        double[][] forks = {{10, 10, 10, 10}, {20, 20, 20, 20}, {30, 30, 30, 30}};
        assertEquals(new Ratio(2, 1, 3), Statistics.ratio(forks, oneFork(10, 10, 10, 10)));
    }

    @Test
    void theSameIterationsAreSurerOfThemselvesWhenEveryForkHasAllOfThem() {
        double[][] apart = new double[3][15];
        double[][] mixed = new double[3][15];
        for (int i = 0; i < 45; i++) {
            apart[i / 15][i % 15] = 10 + 2 * (i / 15);
            mixed[i / 15][i % 15] = 10 + 2 * (i % 3);
        }
        Ratio cautious = Statistics.ratio(apart, oneFork(10, 10));
        Ratio sure = Statistics.ratio(mixed, oneFork(10, 10));
        assertEquals(cautious.value(), sure.value());
        assertEquals(new Ratio(1.2, 1, 1.4), cautious);
        assertTrue(sure.high() - sure.low() < 0.3);
    }
}
