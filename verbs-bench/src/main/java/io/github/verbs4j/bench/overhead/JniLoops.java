package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

/** The loops over JNI, with structures in direct buffers. Nothing is checked. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NoopDevice.ROUNDS)
public class JniLoops {

    private static final int WR = (int) ibv_send_wr.sizeof();
    private static final int RECV_WR = (int) ibv_recv_wr.sizeof();
    private static final int WC = (int) ibv_wc.sizeof();
    private static final int WR_ID = (int) ibv_send_wr.wr_id$offset();
    private static final int WC_WR_ID = (int) ibv_wc.wr_id$offset();
    private static final int WC_STATUS = (int) ibv_wc.status$offset();

    /** Requests per post, completions per poll. */
    @Param({"1", "4", "16", "64"})
    public int batch;

    private NoopDevice device;
    private long qp;
    private long emptyCq;
    private long fullCq;
    private ByteBuffer sends;
    private long send;
    private long recv;
    private long badWr;
    private ByteBuffer wcs;
    private long wc;

    /** Opens the device and builds the requests. */
    @Setup
    public void setUp() {
        JniVerbs.load();
        device = new NoopDevice();
        qp = device.qp.handle().address();
        emptyCq = device.emptyCq.handle().address();
        fullCq = device.fullCq.handle().address();
        sends = buffer(batch * WR);
        send = JniVerbs.address(sends);
        ByteBuffer recvs = buffer(batch * RECV_WR);
        recv = JniVerbs.address(recvs);
        badWr = JniVerbs.address(buffer(Long.BYTES));
        wcs = buffer(batch * WC);
        wc = JniVerbs.address(wcs);
        long sge = JniVerbs.address(buffer((int) ibv_sge.sizeof()));
        for (int i = 0; i < batch; i++) {
            long next = i + 1 < batch ? send + (i + 1L) * WR : 0;
            sends.putLong(i * WR + (int) ibv_send_wr.next$offset(), next);
            sends.putLong(i * WR + (int) ibv_send_wr.sg_list$offset(), sge);
            sends.putInt(i * WR + (int) ibv_send_wr.num_sge$offset(), 1);
            sends.putInt(i * WR + (int) ibv_send_wr.opcode$offset(), WrOpcode.RDMA_WRITE.value());
            sends.putInt(i * WR + (int) ibv_send_wr.send_flags$offset(), SendFlags.SIGNALED);
            long nextRecv = i + 1 < batch ? recv + (i + 1L) * RECV_WR : 0;
            recvs.putLong(i * RECV_WR + (int) ibv_recv_wr.next$offset(), nextRecv);
            recvs.putLong(i * RECV_WR + (int) ibv_recv_wr.sg_list$offset(), sge);
            recvs.putInt(i * RECV_WR + (int) ibv_recv_wr.num_sge$offset(), 1);
        }
    }

    /** Kept for good: the device is benchmark-long too. */
    private static ByteBuffer buffer(int size) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        KEPT.add(buffer);
        return buffer;
    }

    private static final java.util.List<ByteBuffer> KEPT = new java.util.ArrayList<>();

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
            failed |= JniVerbs.postSend(qp, send, badWr);
        }
        return failed;
    }

    /** {@return 0} */
    @Benchmark
    public int postRecv() {
        int failed = 0;
        for (int i = 0; i < NoopDevice.ROUNDS; i++) {
            failed |= JniVerbs.postRecv(qp, recv, badWr);
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
                sends.putLong(k * WR + WR_ID, i + k);
            }
            if (JniVerbs.postSend(qp, send, badWr) != 0) {
                return -1;
            }
            sum += poll(fullCq);
        }
        return sum;
    }

    private long poll(long cq) {
        long sum = 0;
        int n = JniVerbs.pollCq(cq, batch, wc);
        for (int k = 0; k < n; k++) {
            boolean success = wcs.getInt(k * WC + WC_STATUS) == 0;
            sum += success ? wcs.getLong(k * WC + WC_WR_ID) : 1_000_000;
        }
        return sum;
    }
}
