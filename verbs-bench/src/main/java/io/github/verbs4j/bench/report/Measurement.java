package io.github.verbs4j.bench.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one implementation did in one benchmark.
 *
 * @param samples one value per iteration of every fork, in the unit of the {@link Result}
 * @param percentiles latency percentiles by name ({@code 50}, {@code 99.9}); empty if not sampled
 * @param bytesPerOp what an operation allocated on the Java heap; NaN if nobody looked
 */
public record Measurement(double[] samples, Map<String, Double> percentiles, double bytesPerOp) {

    /** {@return the typical value} */
    public double median() {
        return Statistics.median(samples);
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
     * Adds another fork. Percentiles cannot be added up: each becomes the larger one, so that no
     * outlier gets lost.
     *
     * @param more the other fork
     * @return both
     */
    public Measurement and(Measurement more) {
        double[] both = Arrays.copyOf(samples, samples.length + more.samples.length);
        System.arraycopy(more.samples, 0, both, samples.length, more.samples.length);
        Map<String, Double> worst = new LinkedHashMap<>(percentiles);
        more.percentiles.forEach((percent, value) -> worst.merge(percent, value, Math::max));
        return new Measurement(both, worst, Math.max(bytesPerOp, more.bytesPerOp));
    }
}
