package io.github.verbs4j.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What the Java heap is asked for. */
public final class Allocations {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WINDOW = 2000;

    /** What the measurement itself may allocate. */
    private static final long NOISE = 512;

    /** How long the compiler may take: it shares the only processor with what it is to compile. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private Allocations() {}

    /**
     * Runs something in windows until one allocates nothing: the first ones still run interpreted.
     */
    public static void assertNone(Runnable round) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long least = Long.MAX_VALUE;
        while (least > NOISE && System.nanoTime() - deadline < 0) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < WINDOW; i++) {
                round.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least <= NOISE, least + " bytes in " + WINDOW + " rounds");
    }
}
