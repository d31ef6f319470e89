package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.ffi.QueuePairVerbs;
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

/** The loop over ibv_wr_* and ibv_start_poll in C, the baseline. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class ExtendedCLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private ExtendedNoopDevice device;
    private long qp;
    private long cq;
    private long address;

    /** Opens the device. */
    @Setup
    public void setUp() {
        JniVerbs.load();
        device = new ExtendedNoopDevice(batch);
        qp = QueuePairVerbs.ibv_qp_to_qp_ex(device.qp.handle()).address();
        cq = device.cq.handle().address();
        address = device.mr.iova();
    }

    /** Closes it. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long postPoll() {
        return postPoll(qp, cq, address, batch, NoopDevice.ROUNDS);
    }

    private static native long postPoll(long qpEx, long cqEx, long address, int batch, int rounds);
}
