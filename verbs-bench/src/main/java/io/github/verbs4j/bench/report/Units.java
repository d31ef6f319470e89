package io.github.verbs4j.bench.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {

    private Units() {}

    static String bytes(long n) {
        if (n >= 1 << 30 && n % (1 << 30) == 0) {
            return (n >> 30) + " GiB";
        }
        if (n >= 1 << 20 && n % (1 << 20) == 0) {
            return (n >> 20) + " MiB";
        }
        return n >= 1 << 10 && n % (1 << 10) == 0 ? (n >> 10) + " KiB" : n + " B";
    }

    static String value(double value, String unit) {
        if (unit.equals("ns")) {
            return value < 1e3
                    ? format("%.1f ns", value)
                    : value < 1e6 ? format("%.1f µs", value / 1e3) : format("%.1f ms", value / 1e6);
        }
        return value < 1e4
                ? format("%.0f " + unit, value)
                : value < 1e7
                        ? format("%.1f k" + unit, value / 1e3)
                        : format("%.1f M" + unit, value / 1e6);
    }

    static String bandwidth(double bytesPerSecond) {
        return Double.isNaN(bytesPerSecond) ? "" : format("%.1f MB/s", bytesPerSecond / 1e6);
    }

    static String allocation(double bytesPerOp) {
        return Double.isNaN(bytesPerOp) ? "" : format("%.1f", Math.max(0, bytesPerOp));
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
