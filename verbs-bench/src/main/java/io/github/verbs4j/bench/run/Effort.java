package io.github.verbs4j.bench.run;

/**
 * How long to measure.
 *
 * @param full whether the long list of benchmarks is run
 * @param rounds forks of each side
 * @param warmups iterations of a fork before those that count
 * @param iterations iterations that count
 * @param millis the length of an iteration
 * @param startSeconds what a fork of Java takes besides, about; a guess for the progress shown
 * @param again how many benchmarks, those with the widest brackets, get one more round at the end
 */
record Effort(
        boolean full,
        int rounds,
        int warmups,
        int iterations,
        int millis,
        double startSeconds,
        int again) {

    /** Enough for a loop of which nothing is compiled but the way to it. */
    private static final int C_WARMUPS = 5;

    private Effort(
            boolean full,
            int rounds,
            int warmups,
            int iterations,
            int millis,
            double startSeconds) {
        this(full, rounds, warmups, iterations, millis, startSeconds, 0);
    }

    /**
     * An effort by name. A JVM takes seconds to start in a guest, so quick makes do with one fork
     * over a device. Forks over a device warm up by themselves as long as it takes, before these
     * iterations.
     *
     * @param name {@code quick} or {@code full}; {@code smoke} and {@code rehearsal} are the same,
     *     but so short that they say only that everything works
     * @param kind {@code overhead}, {@code device}, {@code set-up} or {@code start}
     */
    static Effort of(String name, String kind) {
        double start = kind.equals("overhead") ? 1 : kind.equals("device") ? 3 : 2.5;
        return switch (name) {
            case "smoke" -> new Effort(false, 1, 1, 2, 20, start);
            case "rehearsal" -> new Effort(true, 1, 1, 2, 20, start);
            case "quick" ->
                    switch (kind) {
                        case "overhead" -> new Effort(false, 3, 20, 6, 50, start);
                        case "device" -> new Effort(false, 1, 2, 8, 150, start, 3);
                        case "set-up" -> new Effort(false, 1, 10, 15, 100, start);
                        default -> new Effort(false, 1, 6, 8, 150, start);
                    };
            case "full" ->
                    switch (kind) {
                        case "overhead" -> new Effort(true, 5, 5, 10, 500, start);
                        case "device" -> new Effort(true, 3, 2, 6, 1000, start, 30);
                        case "set-up" -> new Effort(true, 3, 10, 15, 500, start);
                        default -> new Effort(true, 3, 6, 10, 1000, start);
                    };
            default -> throw new IllegalArgumentException("quick or full, not \"" + name + "\"");
        };
    }

    /** {@return the same for a side of C inside a JVM} */
    Effort inC() {
        int fewer = Math.min(warmups, C_WARMUPS);
        return new Effort(full, rounds, fewer, iterations, millis, startSeconds, again);
    }

    /** {@return what the iterations of a fork take} */
    double seconds() {
        return (warmups + iterations) * millis / 1e3;
    }
}
