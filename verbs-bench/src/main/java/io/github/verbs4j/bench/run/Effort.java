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

    static Effort of(String name) {
        return switch (name) {
            case "smoke" -> new Effort(false, 1, 1, 2, 20);
            case "quick" -> new Effort(false, 2, 4, 8, 150);
            case "full" -> new Effort(true, 5, 5, 10, 1000);
            default -> throw new IllegalArgumentException("quick or full, not \"" + name + "\"");
        };
    }
}
