package io.github.verbs4j.bench.report;

import java.util.Arrays;
import java.util.Random;

/** Medians, and how sure they are. */
public final class Statistics {

    private static final int RESAMPLES = 2000;
    private static final long SEED = 42;

    private Statistics() {}

    /**
     * The median.
     *
     * @param values one or more
     * @return the middle one, or the mean of the two in the middle
     */
    public static double median(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The median of the forks' medians: a fork that was disturbed for as long as it ran moves it no
     * further than to its neighbour, of three forks or more.
     *
     * @param forks samples by fork
     * @return the typical value
     */
    public static double median(double[][] forks) {
        return median(Arrays.stream(forks).mapToDouble(Statistics::median).toArray());
    }

    /**
     * The ratio of two such medians. Its interval comes from drawing both samples anew with
     * replacement (bootstrap), which assumes no distribution; the draws are the same in every run.
     * Iterations of a fork resemble each other more than those of different forks, so forks are
     * drawn first, and then iterations of each fork that was drawn. Of a single fork only
     * iterations are drawn: then how forks differ is not in the interval.
     *
     * @param above samples of the numerator by fork
     * @param below samples of the denominator by fork
     * @return the ratio
     */
    public static Ratio ratio(double[][] above, double[][] below) {
        Random random = new Random(SEED);
        double[] ratios = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            ratios[i] = median(draw(above, random)) / median(draw(below, random));
        }
        Arrays.sort(ratios);
        return new Ratio(
                median(above) / median(below),
                ratios[(int) (RESAMPLES * 0.025)],
                ratios[(int) (RESAMPLES * 0.975)]);
    }

    private static double[][] draw(double[][] forks, Random random) {
        double[][] drawn = new double[forks.length][];
        for (int i = 0; i < drawn.length; i++) {
            // Nothing is drawn from one fork, which leaves the draws those of its iterations alone.
            drawn[i] = draw(forks[forks.length == 1 ? 0 : random.nextInt(forks.length)], random);
        }
        return drawn;
    }

    private static double[] draw(double[] samples, Random random) {
        double[] drawn = new double[samples.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = samples[random.nextInt(samples.length)];
        }
        return drawn;
    }
}
