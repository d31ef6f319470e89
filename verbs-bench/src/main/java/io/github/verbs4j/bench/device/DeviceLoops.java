package io.github.verbs4j.bench.device;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The Java side of the device benchmarks. */
@State(Scope.Thread)
public class DeviceLoops {

    /** What is posted. */
    @Param("WRITE")
    public Operation operation;

    /** Bytes of each message. */
    @Param("8")
    public int size;

    /** Requests in flight. */
    @Param("1")
    public int depth;

    /** Requests per post. */
    @Param("1")
    public int batch;

    /** Every how many requests one is signaled. */
    @Param("1")
    public int signalEvery;

    /** Elements per request. */
    @Param("1")
    public int sges;

    /** Whether the data is copied into the request. */
    @Param("false")
    public boolean inline;

    /** By which functions. */
    @Param("CLASSIC")
    public Way way;

    /** Requests per call; JMH is told the same number. */
    @Param("1")
    public int count;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** JMH would make {@link Allocation} another object of this class, with another connection. */
    private static final ThreadLocal<DeviceLoops> MEASURED = new ThreadLocal<>();

    private Requester requester;

    /** Connects, and repeats what will be measured until it is compiled. */
    @Setup
    public void setUp() {
        requester =
                new Requester(
                        DeviceChoice.fromProperties(),
                        new Workload(
                                operation, size, depth, batch, signalEvery, sges, inline, way));
        MEASURED.set(this);
        // What is compiled by the number of its calls is called once for a batch.
        WarmUp.run(() -> requester.run(count), Math.max(1, count / batch));
    }

    /** Disconnects. */
    @TearDown
    public void tearDown() {
        requester.close();
    }

    /**
     * What an operation allocates, by itself: JMH's profiler sees JMH's own bookkeeping too, which
     * counts at some ten thousand operations a second.
     */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Allocation {

        /** Bytes that this thread allocated meanwhile. */
        public long allocatedBytes;

        /** Operations that were looked at. */
        public long allocatingOps;

        /** Looks at some operations after each iteration, outside its time. */
        @TearDown(Level.Iteration)
        public void look() {
            DeviceLoops loops = MEASURED.get();
            int ops = 4 * loops.depth;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            loops.requester.run(ops);
            allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - before;
            allocatingOps += ops;
        }
    }

    /**
     * From the post of one request to its completion.
     *
     * @param allocation looks at what they allocate
     */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public void latency(Allocation allocation) {
        requester.run(1);
    }

    /**
     * Requests per second, with many in flight.
     *
     * @param allocation looks at what they allocate
     */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void throughput(Allocation allocation) {
        requester.run(count);
    }
}
