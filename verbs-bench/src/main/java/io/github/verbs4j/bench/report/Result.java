package io.github.verbs4j.bench.report;

import java.util.Map;

/**
 * One benchmark: what it was, and what each implementation did.
 *
 * @param kind {@code overhead}, {@code device}, {@code set-up} or {@code start}
 * @param name what is measured
 * @param params its parameters, in the order to print
 * @param unit {@code ns} or {@code op/s}
 * @param measurements by implementation; {@code C} is what others are compared with
 */
public record Result(
        String kind,
        String name,
        Map<String, String> params,
        String unit,
        Map<String, Measurement> measurements) {

    /** The baseline. */
    public static final String C = "C";

    /** {@return whether more is better} */
    public boolean isRate() {
        return unit.endsWith("/s");
    }

    /**
     * How much an implementation costs compared with C: above 1 it is slower, whatever the unit.
     *
     * @param implementation which
     * @return the ratio with its confidence interval
     */
    public Ratio cost(String implementation) {
        double[][] java = measurements.get(implementation).byFork();
        double[][] c = measurements.get(C).byFork();
        return isRate() ? Statistics.ratio(c, java) : Statistics.ratio(java, c);
    }

    /**
     * How unsure the costs are.
     *
     * @return the width of the widest interval as a part of its ratio; 0 if there is none
     */
    public double doubt() {
        return measurements.containsKey(C)
                ? measurements.keySet().stream()
                        .filter(side -> !side.equals(C))
                        .mapToDouble(side -> cost(side).width())
                        .max()
                        .orElse(0)
                : 0;
    }

    /** {@return name and parameters in one line} */
    public String title() {
        return titleWithout("");
    }

    /** The line without one of the parameters. */
    String titleWithout(String parameter) {
        StringBuilder text = new StringBuilder(name);
        params.forEach(
                (key, value) -> {
                    if (!key.equals(parameter)) {
                        text.append(' ').append(label(key, value));
                    }
                });
        return text.toString();
    }

    /** {@return bytes that a rate of messages moves; NaN when it is none} */
    double bytesPerSecond(String implementation) {
        Measurement measured = measurements.get(implementation);
        return measured == null || !isRate() || !params.containsKey("size")
                ? Double.NaN
                : measured.median() * Long.parseLong(params.get("size"));
    }

    private static String label(String key, String value) {
        return switch (key) {
            case "operation" -> value;
            case "size" -> Units.bytes(Long.parseLong(value));
            default -> key + "=" + value;
        };
    }
}
