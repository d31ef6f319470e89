package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what the C twin prints: {@code iteration INDEX VALUE} and {@code percentile P VALUE}. */
final class TwinOutput {

    private TwinOutput() {}

    static Measurement parse(List<String> lines) {
        List<Double> samples = new ArrayList<>();
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words.length != 3) {
                throw new IllegalArgumentException("not a line of the C twin: " + line);
            }
            double value = Double.parseDouble(words[2]);
            switch (words[0]) {
                case "iteration" -> samples.add(value);
                case "percentile" -> percentiles.put(words[1], value);
                default -> throw new IllegalArgumentException("not a line of the C twin: " + line);
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("the C twin measured nothing");
        }
        return new Measurement(
                samples.stream().mapToDouble(Double::doubleValue).toArray(),
                percentiles,
                Double.NaN);
    }
}
