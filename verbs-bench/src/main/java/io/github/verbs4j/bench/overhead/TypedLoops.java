package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.WcArray;
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

/** The loops as a user of the typed API writes them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class TypedLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private NoopDevice device;
    private QueuePair qp;
    private CompletionQueue emptyCq;
    private CompletionQueue fullCq;
    private SendWr send;
    private SendWrArray sends;
    private RecvWr recv;
    private RecvWrArray recvs;
    private WcArray wc;

    /** Opens the device and builds the requests. */
    @Setup
    public void setUp() {
        device = new NoopDevice();
        qp = device.qp;
        emptyCq = device.emptyCq;
        fullCq = device.fullCq;
        send = new SendWr(1).write(device.mr, 0, 8, device.mr.remote(), 0);
        sends = new SendWrArray(batch, 1);
        for (int i = 0; i < batch; i++) {
            sends.get(i).write(device.mr, 0, 8, device.mr.remote(), 0);
        }
        recv = new RecvWr(1).sge(device.mr, 0, 8);
        recvs = new RecvWrArray(batch, 1);
        for (int i = 0; i < batch; i++) {
            recvs.get(i).sge(device.mr, 0, 8);
        }
        wc = new WcArray(batch);
    }

    /** Closes the device. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** Posts a batch a round. */
    @Benchmark
    public void postSend() {
        if (batch == 1) {
            for (int i = 0; i < NoopDevice.ROUNDS; i++) {
                qp.postSend(send);
            }
        } else {
            for (int i = 0; i < NoopDevice.ROUNDS; i++) {
                qp.postSend(sends);
            }
        }
    }

    /** Posts a batch a round. */
    @Benchmark
    public void postRecv() {
        if (batch == 1) {
            for (int i = 0; i < NoopDevice.ROUNDS; i++) {
                qp.postRecv(recv);
            }
        } else {
            for (int i = 0; i < NoopDevice.ROUNDS; i++) {
                qp.postRecv(recvs);
            }
        }
    }

    /** {@return 0} */
    @Benchmark
    public long pollEmpty() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            sum += poll(emptyCq);
        }
        return sum;
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long pollFull() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            sum += poll(fullCq);
        }
        return sum;
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long postPoll() {
        return batch == 1 ? one() : many();
    }

    private long one() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            qp.postSend(send.wrId(i));
            sum += poll(fullCq);
        }
        return sum;
    }

    private long many() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            for (int k = 0; k < batch; k++) {
                sends.get(k).wrId(i + k);
            }
            qp.postSend(sends);
            sum += poll(fullCq);
        }
        return sum;
    }

    private long poll(CompletionQueue cq) {
        long sum = 0;
        int n = cq.poll(wc);
        for (int k = 0; k < n; k++) {
            sum += wc.isSuccess(k) ? wc.wrId(k) : 1_000_000;
        }
        return sum;
    }
}
