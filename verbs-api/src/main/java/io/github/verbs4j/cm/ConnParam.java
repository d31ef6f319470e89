package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.rdma_conn_param;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * What the two sides of a connection agree on: C's {@code struct rdma_conn_param}. Fluent and
 * mutable, for one thread; the call that takes it copies it.
 *
 * <p>By default READs and atomics get the depth that the device allows, a lost packet is sent again
 * 6 times (7 means for ever on Soft-RoCE), and a peer without a receive posted is asked again for
 * ever.
 */
public final class ConnParam {

    /** As many as the device allows: {@code RDMA_MAX_RESP_RES}, {@code RDMA_MAX_INIT_DEPTH}. */
    public static final int MAX = 0xff;

    private byte[] privateData = {};
    private int responderResources = MAX;
    private int initiatorDepth = MAX;
    private boolean flowControl;
    private int retryCount = 6;
    private int rnrRetryCount = 7;
    private boolean srq;
    private int qpNum;

    /** Makes parameters with the defaults. */
    public ConnParam() {}

    /**
     * Sends bytes to the peer, which finds them in its event ({@link CmEvent#privateData}). RoCE
     * and InfiniBand carry 56 of them with a request, 196 with an answer and 148 with a rejection;
     * datagram ids 180 and 136.
     *
     * @param bytes the bytes, copied
     * @return this
     */
    public ConnParam privateData(byte... bytes) {
        privateData = Objects.requireNonNull(bytes, "bytes").clone();
        return this;
    }

    /**
     * How many READs and atomics of the peer's this side serves at a time.
     *
     * @param n 0 to what the device allows, or {@link #MAX}
     * @return this
     */
    public ConnParam responderResources(int n) {
        responderResources = (int) Check.range("responder_resources", n, 0, MAX);
        return this;
    }

    /**
     * How many READs and atomics this side has outstanding at a time. With 0 none may be posted.
     *
     * @param n 0 to what the device allows, or {@link #MAX}
     * @return this
     */
    public ConnParam initiatorDepth(int n) {
        initiatorDepth = (int) Check.range("initiator_depth", n, 0, MAX);
        return this;
    }

    /**
     * Asks for hardware flow control.
     *
     * @param on whether
     * @return this
     */
    public ConnParam flowControl(boolean on) {
        flowControl = on;
        return this;
    }

    /**
     * How often a packet that nobody acknowledged is sent again. Only the connecting side's counts.
     *
     * @param n 0 to 7; on Soft-RoCE 7 never ends
     * @return this
     */
    public ConnParam retryCount(int n) {
        retryCount = (int) Check.range("retry_count", n, 0, 7);
        return this;
    }

    /**
     * How often the peer, which sends, asks again when this side has no receive posted.
     *
     * @param n 0 to 6; 7 means for ever
     * @return this
     */
    public ConnParam rnrRetryCount(int n) {
        rnrRetryCount = (int) Check.range("rnr_retry_count", n, 0, 7);
        return this;
    }

    /**
     * Says that the queue pair has a shared receive queue. Needed only when the id has no queue
     * pair.
     *
     * @param shared whether
     * @return this
     */
    public ConnParam srq(boolean shared) {
        srq = shared;
        return this;
    }

    /**
     * The number of the queue pair. Needed only when the id has none, because the program made it
     * itself.
     *
     * @param number 24 bits
     * @return this
     */
    public ConnParam qpNum(int number) {
        qpNum = (int) Check.range("qp_num", number, 0, 0xffffff);
        return this;
    }

    /** {@return a copy of the bytes for the peer, or from it} */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** {@return how many READs and atomics are served at a time} */
    public int responderResources() {
        return responderResources;
    }

    /** {@return how many READs and atomics are outstanding at a time} */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /** {@return whether there is hardware flow control} */
    public boolean flowControl() {
        return flowControl;
    }

    /** {@return how often a packet is sent again} */
    public int retryCount() {
        return retryCount;
    }

    /** {@return how often a peer without a receive is asked again} */
    public int rnrRetryCount() {
        return rnrRetryCount;
    }

    /** {@return whether the queue pair has a shared receive queue} */
    public boolean srq() {
        return srq;
    }

    /** {@return the number of the queue pair} */
    public int qpNum() {
        return qpNum;
    }

    int privateDataLength() {
        return privateData.length;
    }

    MemorySegment toNative(Arena arena) {
        MemorySegment s = rdma_conn_param.allocate(arena);
        if (privateData.length > 0) {
            rdma_conn_param.private_data(s, arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData));
            rdma_conn_param.private_data_len(s, (byte) privateData.length);
        }
        rdma_conn_param.responder_resources(s, (byte) responderResources);
        rdma_conn_param.initiator_depth(s, (byte) initiatorDepth);
        rdma_conn_param.flow_control(s, (byte) (flowControl ? 1 : 0));
        rdma_conn_param.retry_count(s, (byte) retryCount);
        rdma_conn_param.rnr_retry_count(s, (byte) rnrRetryCount);
        rdma_conn_param.srq(s, (byte) (srq ? 1 : 0));
        rdma_conn_param.qp_num(s, qpNum);
        return s;
    }

    static ConnParam of(MemorySegment s, byte[] privateData) {
        ConnParam param = new ConnParam();
        param.privateData = privateData;
        param.responderResources = Byte.toUnsignedInt(rdma_conn_param.responder_resources(s));
        param.initiatorDepth = Byte.toUnsignedInt(rdma_conn_param.initiator_depth(s));
        param.flowControl = rdma_conn_param.flow_control(s) != 0;
        param.retryCount = Byte.toUnsignedInt(rdma_conn_param.retry_count(s));
        param.rnrRetryCount = Byte.toUnsignedInt(rdma_conn_param.rnr_retry_count(s));
        param.srq = rdma_conn_param.srq(s) != 0;
        param.qpNum = rdma_conn_param.qp_num(s);
        return param;
    }

    ConnParam copy() {
        ConnParam copy = new ConnParam();
        copy.privateData = privateData;
        copy.responderResources = responderResources;
        copy.initiatorDepth = initiatorDepth;
        copy.flowControl = flowControl;
        copy.retryCount = retryCount;
        copy.rnrRetryCount = rnrRetryCount;
        copy.srq = srq;
        copy.qpNum = qpNum;
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnParam that
                && java.util.Arrays.equals(privateData, that.privateData)
                && responderResources == that.responderResources
                && initiatorDepth == that.initiatorDepth
                && flowControl == that.flowControl
                && retryCount == that.retryCount
                && rnrRetryCount == that.rnrRetryCount
                && srq == that.srq
                && qpNum == that.qpNum;
    }

    @Override
    public int hashCode() {
        return Objects.hash(responderResources, initiatorDepth, retryCount, rnrRetryCount, qpNum);
    }

    @Override
    public String toString() {
        return String.format(
                "ConnParam[responder_resources %d, initiator_depth %d, retry_count %d,"
                        + " rnr_retry_count %d, qp_num 0x%06x, %d bytes of private data]",
                responderResources,
                initiatorDepth,
                retryCount,
                rnrRetryCount,
                qpNum,
                privateData.length);
    }
}
