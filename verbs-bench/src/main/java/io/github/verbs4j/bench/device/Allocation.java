package io.github.verbs4j.bench.device;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What operations allocate, by themselves: JMH's profiler sees JMH's own bookkeeping too, which
 * counts at some ten thousand operations a second, and what goes before and after a single shot.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Allocation {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Bytes that this thread allocated meanwhile. */
    public long allocatedBytes;

    /** Operations that were looked at. */
    public long allocatingOps;

    /** For JMH. */
    public Allocation() {}

    /**
     * Looks at operations of this thread.
     *
     * @param operations what to look at; tells how many there were
     */
    void count(IntSupplier operations) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int count = operations.getAsInt();
        allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - before;
        allocatingOps += count;
    }
}
