package io.github.verbs4j.bench.overhead;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The loops in C, the baseline: a native method runs the rounds. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class CLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private NoopDevice device;
    private long empty;
    private long full;

    /** Opens the device. */
    @Setup
    public void setUp() {
        JniVerbs.load();
        device = new NoopDevice();
        long qp = device.qp.handle().address();
        empty = create(qp, device.emptyCq.handle().address(), batch);
        full = create(qp, device.fullCq.handle().address(), batch);
    }

    /** Closes it. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** {@return 0} */
    @Benchmark
    public int postSend() {
        return postSend(full, NoopDevice.ROUNDS);
    }

    /** {@return 0} */
    @Benchmark
    public int postRecv() {
        return postRecv(full, NoopDevice.ROUNDS);
    }

    /** {@return 0} */
    @Benchmark
    public long pollEmpty() {
        return poll(empty, NoopDevice.ROUNDS);
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long pollFull() {
        return poll(full, NoopDevice.ROUNDS);
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long postPoll() {
        return postPoll(full, NoopDevice.ROUNDS);
    }

    private static native long create(long qp, long cq, int batch);

    private static native int postSend(long plain, int rounds);

    private static native int postRecv(long plain, int rounds);

    private static native long poll(long plain, int rounds);

    private static native long postPoll(long plain, int rounds);
}
