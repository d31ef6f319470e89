package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendBatch;
import io.github.verbs4j.WcArrayEx;
import io.github.verbs4j.types.RemoteBuffer;
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

/** The loop over ibv_wr_* and ibv_start_poll as a user of the typed API writes it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class ExtendedLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private ExtendedNoopDevice device;
    private MemoryRegion mr;
    private RemoteBuffer remote;
    private CompletionQueueEx cq;
    private SendBatch sends;
    private WcArrayEx wc;

    /** Opens the device. */
    @Setup
    public void setUp() {
        device = new ExtendedNoopDevice(batch);
        mr = device.mr;
        remote = mr.remote();
        cq = device.cq;
        sends = device.qp.sendBatch(batch);
        wc = new WcArrayEx(batch);
    }

    /** Closes the device. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long postPoll() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            for (int k = 0; k < batch; k++) {
                sends.wrId(i + k).rdmaWrite(remote, 0).setSge(mr, 0, 8);
            }
            sends.complete();
            int n = cq.poll(wc);
            for (int k = 0; k < n; k++) {
                sum += wc.isSuccess(k) ? wc.wrId(k) : 1_000_000;
            }
        }
        return sum;
    }
}
