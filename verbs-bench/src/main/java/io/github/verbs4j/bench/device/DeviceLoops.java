package io.github.verbs4j.bench.device;

import java.util.concurrent.TimeUnit;
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

    private static final int LOOKED_AT = 2000;
    private static final long LONGEST_LOOK = TimeUnit.MILLISECONDS.toNanos(100);

    private Requester requester;

    /** Connects, and repeats what will be measured until it is compiled. */
    @Setup
    public void setUp() {
        requester =
                new Requester(
                        DeviceChoice.fromProperties(),
                        new Workload(
                                operation, size, depth, batch, signalEvery, sges, inline, way));
        // What is compiled by the number of its calls is called once for a batch.
        WarmUp.run(() -> requester.run(count), Math.max(1, count / batch));
    }

    /** Disconnects. */
    @TearDown
    public void tearDown() {
        requester.close();
    }

    /**
     * Looks at some thousand operations after each iteration, outside its time; fewer of those that
     * take long.
     *
     * @param allocation looks at what they allocate
     */
    @TearDown(Level.Iteration)
    public void look(Allocation allocation) {
        allocation.count(this::runSome);
    }

    private int runSome() {
        long start = System.nanoTime();
        int done = 0;
        while (done < LOOKED_AT && System.nanoTime() - start < LONGEST_LOOK) {
            requester.run(count);
            done += count;
        }
        return done;
    }

    /** From the post of one request to its completion. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public void latency() {
        requester.run(1);
    }

    /** Requests per second, with many in flight. */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public void throughput() {
        requester.run(count);
    }
}
