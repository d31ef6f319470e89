package io.github.verbs4j.mlx5;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;

/**
 * What a DC initiator is created with: C's {@code struct ibv_qp_init_attr_ex} with {@code struct
 * mlx5dv_dc_init_attr}. Copied by the call. The defaults are 16 requests, one gather element each,
 * no inline data, a completion for signaled sends only, and no streams.
 */
public final class DciInitAttr {

    private final QpInitAttrEx common;
    private boolean streams;
    private int logNumConcurrent;
    private int logNumErrored;

    /**
     * An initiator.
     *
     * @param sendCq takes its completions
     * @param first an operation that it shall be able to post
     * @param more further operations; mlx5 has all but TSO, FLUSH and ATOMIC_WRITE
     */
    public DciInitAttr(CompletionQueue sendCq, SendOp first, SendOp... more) {
        common = new QpInitAttrEx(QpType.DRIVER, sendCq).sendOps(first, more);
        common.maxRecvWr(0).maxRecvSge(0);
    }

    /**
     * The depth of the send queue.
     *
     * @param n outstanding requests at most, 1 or more
     * @return this
     */
    public DciInitAttr maxSendWr(int n) {
        common.maxSendWr(n);
        return this;
    }

    /**
     * The size of a request's gather list.
     *
     * @param n elements at most
     * @return this
     */
    public DciInitAttr maxSendSge(int n) {
        common.maxSendSge(n);
        return this;
    }

    /**
     * How much data a request can carry itself.
     *
     * @param bytes at most
     * @return this
     */
    public DciInitAttr maxInlineData(int bytes) {
        common.maxInlineData(bytes);
        return this;
    }

    /**
     * Completes every send, signaled or not.
     *
     * @param all true for every send
     * @return this
     */
    public DciInitAttr sqSigAll(boolean all) {
        common.sqSigAll(all);
        return this;
    }

    /**
     * Has streams: requests of different ones go on side by side, where those of an initiator
     * without streams wait for each other.
     *
     * @param logConcurrent the logarithm of how many, 0 to {@link DcCaps#maxLogNumConcurrent}
     * @param logErrored the logarithm of how many of them may be in error before the initiator is,
     *     0 to {@link DcCaps#maxLogNumErrored}
     * @return this
     */
    public DciInitAttr streams(int logConcurrent, int logErrored) {
        logNumConcurrent = (int) Check.range("logConcurrent", logConcurrent, 0, 0xff);
        logNumErrored = (int) Check.range("logErrored", logErrored, 0, 0xff);
        streams = true;
        return this;
    }

    QpInitAttrEx common() {
        return common;
    }

    boolean hasStreams() {
        return streams;
    }

    int logNumConcurrent() {
        return logNumConcurrent;
    }

    int logNumErrored() {
        return logNumErrored;
    }
}
