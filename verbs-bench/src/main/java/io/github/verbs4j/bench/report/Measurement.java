package io.github.verbs4j.bench.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one implementation did in one benchmark.
 *
 * @param samples one value per iteration of every fork, in the unit of the {@link Result}
 * @param forks how many of the samples are each fork's, in their order; results kept by versions
 *     that did not tell count as one fork
 * @param percentiles latency percentiles by name ({@code 50}, {@code 99.9}); empty if not sampled
 * @param bytesPerOp what an operation allocated on the Java heap; NaN if nobody looked
 */
public record Measurement(
        double[] samples, int[] forks, Map<String, Double> percentiles, double bytesPerOp) {

    /** Checks that every sample belongs to a fork. */
    public Measurement {
        forks = forks == null ? new int[] {samples.length} : forks;
        if (Arrays.stream(forks).sum() != samples.length) {
            throw new IllegalArgumentException(
                    samples.length + " samples are not those of forks " + Arrays.toString(forks));
        }
    }

    /**
     * What one fork did.
     *
     * @param samples one value per iteration
     * @param percentiles as above
     * @param bytesPerOp as above
     */
    public Measurement(double[] samples, Map<String, Double> percentiles, double bytesPerOp) {
        this(samples, new int[] {samples.length}, percentiles, bytesPerOp);
    }

    /** {@return the samples of each fork} */
    double[][] byFork() {
        double[][] byFork = new double[forks.length][];
        int from = 0;
        for (int i = 0; i < forks.length; i++) {
            byFork[i] = Arrays.copyOfRange(samples, from, from + forks[i]);
            from += forks[i];
        }
        return byFork;
    }

    /** {@return the typical value} */
    public double median() {
        return Statistics.median(byFork());
    }

    /**
     * The typical value for people.
     *
     * @param unit the unit of the result
     * @return the median with its unit
     */
    public String text(String unit) {
        return Units.value(median(), unit);
    }

    /**
     * Adds another fork. Percentiles cannot be added up: each becomes the mean of the forks', but
     * for the least and the largest of all.
     *
     * @param more the other fork
     * @return both
     */
    public Measurement and(Measurement more) {
        double[] both = Arrays.copyOf(samples, samples.length + more.samples.length);
        System.arraycopy(more.samples, 0, both, samples.length, more.samples.length);
        int[] bothForks = Arrays.copyOf(forks, forks.length + more.forks.length);
        System.arraycopy(more.forks, 0, bothForks, forks.length, more.forks.length);
        Map<String, Double> bothPercentiles = new LinkedHashMap<>(percentiles);
        more.percentiles.forEach(
                (percent, value) ->
                        bothPercentiles.merge(
                                percent,
                                value,
                                (mine, other) ->
                                        switch (percent) {
                                            case "0" -> Math.min(mine, other);
                                            case "100" -> Math.max(mine, other);
                                            default -> mean(mine, other, more.forks.length);
                                        }));
        return new Measurement(
                both, bothForks, bothPercentiles, Math.max(bytesPerOp, more.bytesPerOp));
    }

    private double mean(double mine, double other, int otherForks) {
        return (mine * forks.length + other * otherForks) / (forks.length + otherForks);
    }
}
