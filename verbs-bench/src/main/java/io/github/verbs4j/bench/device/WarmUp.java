package io.github.verbs4j.bench.device;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * Repeats an operation until the JVM has compiled it for good: no fixed time will do, because a
 * device in software takes seconds for as many operations as a card takes milliseconds for, and a
 * guest compiles slowly.
 *
 * <p>The end is a stretch in which nothing was compiled, long enough in time, for compilations that
 * have begun, and in operations, for those that are still to be asked for.
 */
public final class WarmUp {

    /** Twice the calls after which a fork optimizes a method (Tier4InvocationThreshold). */
    static final int QUIET_OPERATIONS = 2000;

    private static final Duration QUIET = Duration.ofMillis(300);
    private static final Duration CEILING = Duration.ofSeconds(10);
    private static final CompilationMXBean JIT = ManagementFactory.getCompilationMXBean();

    /**
     * What the JVM of a fork is told. Compilations take place in the foreground, so that none is
     * still under way when the measurement begins. Methods are optimized after a fifth of the usual
     * number of calls: the code is the same, only sooner there.
     */
    public static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xbatch",
                    "-XX:Tier4InvocationThreshold=1000",
                    "-XX:Tier4MinInvocationThreshold=120",
                    "-XX:Tier4CompileThreshold=3000");

    private WarmUp() {}

    /**
     * Returns when the operation is warm, or after ten seconds.
     *
     * @param operation what to repeat
     * @param count how many operations a call of it is, a batch counting as one
     */
    static void run(Runnable operation, int count) {
        long start = System.nanoTime();
        long quietSince = start;
        long quietOperations = 0;
        long compiling = JIT.getTotalCompilationTime();
        while (true) {
            operation.run();
            quietOperations += count;
            long now = System.nanoTime();
            if (now - start > CEILING.toNanos()) {
                return;
            }
            long compiled = JIT.getTotalCompilationTime();
            if (compiled != compiling) {
                compiling = compiled;
                quietSince = now;
                quietOperations = 0;
            } else if (quietOperations >= QUIET_OPERATIONS && now - quietSince > QUIET.toNanos()) {
                return;
            }
        }
    }
}
