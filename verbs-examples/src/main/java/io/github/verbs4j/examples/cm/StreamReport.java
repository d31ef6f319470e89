package io.github.verbs4j.examples.cm;

/** The lines that {@code rstream} prints. */
final class StreamReport {

    private StreamReport() {}

    static void header() {
        System.out.printf(
                "%-10s%-8s%-8s%-8s%-8s%8s %10s%13s%n",
                "name", "bytes", "xfers", "iters", "total", "time", "Gb/sec", "usec/xfer");
    }

    static void print(StreamSizes.Test test, long nanos) {
        long transfers = 2L * test.iterations() * test.count();
        long bytes = transfers * test.size();
        System.out.printf(
                "%-10s%-8s%-8s%-8s%-8s%8.2fs%10.2f%11.2f%n",
                test.name(),
                size(test.size()),
                count(test.count()),
                count(test.iterations()),
                size(bytes),
                nanos / 1e9,
                bytes * 8.0 / nanos,
                nanos / 1e3 / transfers);
    }

    /** {@return a size with its magnitude, rounded down, and one decimal place below ten} */
    static String size(long bytes) {
        int magnitude = bytes >= 1 << 30 ? 3 : bytes >= 1 << 20 ? 2 : bytes >= 1 << 10 ? 1 : 0;
        long unit = 1L << 10 * magnitude;
        long tenths = bytes % unit * 10 / unit;
        return bytes / unit
                + (bytes / unit < 10 && tenths > 0 ? "." + tenths : "")
                + new String[] {"", "k", "m", "g"}[magnitude];
    }

    /** {@return a count with its magnitude, rounded down} */
    static String count(long count) {
        if (count >= 1_000_000_000) {
            return count / 1_000_000_000 + "b";
        }
        if (count >= 1_000_000) {
            return count / 1_000_000 + "m";
        }
        return count >= 1000 ? count / 1000 + "k" : String.valueOf(count);
    }
}
