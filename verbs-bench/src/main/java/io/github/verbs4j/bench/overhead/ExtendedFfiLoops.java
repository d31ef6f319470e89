package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.PollVerbs;
import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.WorkRequestSetters;
import io.github.verbs4j.ffi.WorkRequestVerbs;
import io.github.verbs4j.ffi.ibv_cq_ex;
import io.github.verbs4j.ffi.ibv_poll_cq_attr;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

/** The loop over ibv_wr_* and ibv_start_poll of verbs-ffi, several calls for each request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class ExtendedFfiLoops {

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private ExtendedNoopDevice device;
    private MemorySegment qp;
    private MemorySegment cq;
    private MemorySegment noAttr;
    private long address;
    private int key;

    /** Opens the device. */
    @Setup
    public void setUp() {
        device = new ExtendedNoopDevice(batch);
        qp = sized(QueuePairVerbs.ibv_qp_to_qp_ex(device.qp.handle()), ibv_qp_ex.sizeof());
        cq = sized(device.cq.handle(), ibv_cq_ex.sizeof());
        noAttr = ibv_poll_cq_attr.allocate(Arena.global());
        address = device.mr.iova();
        key = device.mr.lkey();
    }

    /** A mutex in front of some fields is larger on other processors: hence twice the size. */
    @SuppressWarnings("restricted")
    private static MemorySegment sized(MemorySegment pointer, long size) {
        return pointer.reinterpret(2 * size);
    }

    /** Closes it. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** {@return the sum of what was read} */
    @Benchmark
    public long postPoll() {
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            WorkRequestVerbs.ibv_wr_start(qp);
            for (int k = 0; k < batch; k++) {
                Abi.qp_ex_wr_id(qp, i + k);
                Abi.qp_ex_wr_flags(qp, SendFlags.SIGNALED);
                WorkRequestVerbs.ibv_wr_rdma_write(qp, key, address);
                WorkRequestSetters.ibv_wr_set_sge(qp, key, address, 8);
            }
            if (WorkRequestVerbs.ibv_wr_complete(qp) != 0) {
                return -1;
            }
            sum += poll();
        }
        return sum;
    }

    private long poll() {
        long sum = 0;
        int n = 0;
        if (PollVerbs.ibv_start_poll(cq, noAttr) != 0) {
            return 0;
        }
        do {
            boolean success = Abi.cq_ex_status(cq) == 0;
            sum += success ? Abi.cq_ex_wr_id(cq) : 1_000_000;
            n++;
        } while (n < batch && PollVerbs.ibv_next_poll(cq) == 0);
        PollVerbs.ibv_end_poll(cq);
        return sum;
    }
}
