package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.CqInitAttrEx;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.SendBatch;
import io.github.verbs4j.WcArrayEx;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendOp;
import java.util.Set;
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

/** The loop over ibv_wr_* and ibv_start_poll, which are several calls for each request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class ExtendedLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private NoopDevice device;
    private MemoryRegion mr;
    private RemoteBuffer remote;
    private CompletionQueueEx cq;
    private SendBatch sends;
    private WcArrayEx wc;

    /** Opens the device. */
    @Setup
    public void setUp() {
        device = new NoopDevice();
        mr = device.mr;
        remote = mr.remote();
        // The device fills a poll with one less than the queue was created for.
        cq = device.context.createCqEx(new CqInitAttrEx(batch + 1).wcFlags(Set.of()));
        QueuePairEx qp =
                device.connected(
                        device.pd.createQpEx(
                                new QpInitAttrEx(QpType.RC, cq)
                                        .maxSendWr(batch)
                                        .sendOps(SendOp.RDMA_WRITE)));
        sends = qp.sendBatch(batch);
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
