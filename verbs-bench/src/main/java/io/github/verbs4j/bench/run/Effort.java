package io.github.verbs4j.bench.run;

/**
 * How long to measure.
 *
 * @param full whether the long list of benchmarks is run
 * @param rounds forks of each side
 * @param warmups iterations of a fork before those that count
 * @param iterations iterations that count
 * @param millis the length of an iteration
 */
record Effort(boolean full, int rounds, int warmups, int iterations, int millis) {

    /**
     * An effort by name. A JVM takes seconds to start in a guest, so quick makes do with one fork
     * over a device.
     */
    static Effort of(String name, String kind) {
        boolean forksAreCheap = kind.equals("overhead");
        return switch (name) {
            case "smoke" -> new Effort(false, 1, 1, 2, 20);
            case "quick" ->
                    forksAreCheap
                            ? new Effort(false, 2, 5, 10, 60)
                            : new Effort(false, 1, 2, 8, 150);
            case "full" -> new Effort(true, 5, 5, 10, 1000);
            default -> throw new IllegalArgumentException("quick or full, not \"" + name + "\"");
        };
    }
}
