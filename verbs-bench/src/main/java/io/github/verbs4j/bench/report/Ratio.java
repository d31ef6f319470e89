package io.github.verbs4j.bench.report;

import java.util.Locale;

/**
 * A ratio of medians with its 95 % confidence interval; see {@link Statistics#ratio}.
 *
 * @param value the ratio
 * @param low lower end
 * @param high upper end
 */
public record Ratio(double value, double low, double high) {

    /** {@return how wide the interval is, as a part of the ratio} */
    double width() {
        return (high - low) / value;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f [%.2f, %.2f]", value, low, high);
    }
}
