package io.github.verbs4j.bench.overhead;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.PollVerbs;
import io.github.verbs4j.ffi.PostVerbs;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
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

/** The loops over verbs-ffi: C written in Java. Bounds are checked, nothing else is. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class FfiLoops {

    private static final long WR = ibv_send_wr.sizeof();
    private static final long RECV_WR = ibv_recv_wr.sizeof();
    private static final long WC = ibv_wc.sizeof();
    private static final long WR_ID = ibv_send_wr.wr_id$offset();
    private static final long WC_WR_ID = ibv_wc.wr_id$offset();
    private static final long WC_STATUS = ibv_wc.status$offset();

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private NoopDevice device;
    private MemorySegment qp;
    private MemorySegment emptyCq;
    private MemorySegment fullCq;
    private MemorySegment send;
    private MemorySegment recv;
    private MemorySegment badWr;
    private MemorySegment wc;

    /** Opens the device and builds the requests. */
    @Setup
    public void setUp() {
        device = new NoopDevice();
        qp = sized(device.qp.handle(), ibv_qp.sizeof());
        emptyCq = sized(device.emptyCq.handle(), ibv_cq.sizeof());
        fullCq = sized(device.fullCq.handle(), ibv_cq.sizeof());
        Arena arena = Arena.global();
        send = arena.allocate(ibv_send_wr.layout(), batch);
        recv = arena.allocate(ibv_recv_wr.layout(), batch);
        badWr = arena.allocate(ADDRESS);
        wc = arena.allocate(ibv_wc.layout(), batch);
        MemorySegment sge = arena.allocate(ibv_sge.layout());
        for (int i = 0; i < batch; i++) {
            MemorySegment wr = send.asSlice(i * WR, WR);
            ibv_send_wr.next(
                    wr, i + 1 < batch ? send.asSlice((i + 1) * WR, WR) : MemorySegment.NULL);
            ibv_send_wr.sg_list(wr, sge);
            ibv_send_wr.num_sge(wr, 1);
            ibv_send_wr.opcode(wr, WrOpcode.RDMA_WRITE.value());
            ibv_send_wr.send_flags(wr, SendFlags.SIGNALED);
            MemorySegment receive = recv.asSlice(i * RECV_WR, RECV_WR);
            ibv_recv_wr.next(
                    receive,
                    i + 1 < batch ? recv.asSlice((i + 1) * RECV_WR, RECV_WR) : MemorySegment.NULL);
            ibv_recv_wr.sg_list(receive, sge);
            ibv_recv_wr.num_sge(receive, 1);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment sized(MemorySegment pointer, long size) {
        return pointer.reinterpret(size);
    }

    /** Closes the device. */
    @TearDown
    public void tearDown() {
        device.close();
    }

    /** {@return 0} */
    @Benchmark
    public int postSend() {
        int failed = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            failed |= PostVerbs.ibv_post_send(qp, send, badWr);
        }
        return failed;
    }

    /** {@return 0} */
    @Benchmark
    public int postRecv() {
        int failed = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            failed |= PostVerbs.ibv_post_recv(qp, recv, badWr);
        }
        return failed;
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
        long sum = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            for (int k = 0; k < batch; k++) {
                send.set(JAVA_LONG, k * WR + WR_ID, i + k);
            }
            if (PostVerbs.ibv_post_send(qp, send, badWr) != 0) {
                return -1;
            }
            sum += poll(fullCq);
        }
        return sum;
    }

    private long poll(MemorySegment cq) {
        long sum = 0;
        int n = PollVerbs.ibv_poll_cq(cq, batch, wc);
        for (int k = 0; k < n; k++) {
            boolean success = wc.get(JAVA_INT, k * WC + WC_STATUS) == 0;
            sum += success ? wc.get(JAVA_LONG, k * WC + WC_WR_ID) : 1_000_000;
        }
        return sum;
    }
}
