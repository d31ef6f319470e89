package io.github.verbs4j;

import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpType;
import java.util.Objects;

/**
 * What a queue pair is created with: C's {@code struct ibv_qp_init_attr}. Copied by the call. The
 * defaults are 16 requests each way, one scatter/gather element each, no inline data, and a
 * completion for signaled sends only.
 */
public sealed class QpInitAttr permits QpInitAttrEx {

    private final QpType qpType;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private int maxSendWr = 16;
    private int maxRecvWr = 16;
    private int maxSendSge = 1;
    private int maxRecvSge = 1;
    private int maxInlineData;
    private boolean sqSigAll;
    private SharedReceiveQueue srq;

    /**
     * A queue pair that completes into one queue.
     *
     * @param qpType its transport
     * @param cq takes its completions, sends and receives
     */
    public QpInitAttr(QpType qpType, CompletionQueue cq) {
        this(qpType, cq, cq);
    }

    /**
     * A queue pair that completes into two queues.
     *
     * @param qpType its transport
     * @param sendCq takes the completions of its send queue
     * @param recvCq takes the completions of its receive queue
     */
    public QpInitAttr(QpType qpType, CompletionQueue sendCq, CompletionQueue recvCq) {
        this.qpType = Objects.requireNonNull(qpType, "qpType");
        this.sendCq = Objects.requireNonNull(sendCq, "sendCq");
        this.recvCq = Objects.requireNonNull(recvCq, "recvCq");
    }

    /** An XRC half: it has no receive queue. */
    QpInitAttr(CompletionQueue sendCq, QpType qpType) {
        this.qpType = qpType;
        this.sendCq = sendCq;
        this.recvCq = null;
        this.maxRecvWr = 0;
        this.maxRecvSge = 0;
    }

    /**
     * The sending half of an extended reliable connection, for {@link ProtectionDomain#createQp}.
     *
     * @param sendCq takes its completions
     * @return new attributes, of type XRC_SEND
     */
    public static QpInitAttr xrcSend(CompletionQueue sendCq) {
        return new QpInitAttr(Objects.requireNonNull(sendCq, "sendCq"), QpType.XRC_SEND);
    }

    /** The receiving half: it has no queues of its own. */
    static QpInitAttr xrcRecv() {
        return new QpInitAttr(null, QpType.XRC_RECV).maxSendWr(0).maxSendSge(0);
    }

    /**
     * Takes receives from a shared queue instead of a receive queue of its own.
     *
     * @param shared the queue, of the same context
     * @return this
     */
    public QpInitAttr srq(SharedReceiveQueue shared) {
        srq = shared;
        return this;
    }

    /**
     * The depth of the send queue.
     *
     * @param n outstanding requests at most, 0 or more
     * @return this
     */
    public QpInitAttr maxSendWr(int n) {
        maxSendWr = n;
        return this;
    }

    /**
     * The depth of the receive queue.
     *
     * @param n outstanding requests at most, 0 or more
     * @return this
     */
    public QpInitAttr maxRecvWr(int n) {
        maxRecvWr = n;
        return this;
    }

    /**
     * The size of a send request's gather list.
     *
     * @param n elements at most
     * @return this
     */
    public QpInitAttr maxSendSge(int n) {
        maxSendSge = n;
        return this;
    }

    /**
     * The size of a receive request's scatter list.
     *
     * @param n elements at most
     * @return this
     */
    public QpInitAttr maxRecvSge(int n) {
        maxRecvSge = n;
        return this;
    }

    /**
     * How much data a request can carry itself (INLINE).
     *
     * @param bytes at most; devices grant some tens to some hundreds
     * @return this
     */
    public QpInitAttr maxInlineData(int bytes) {
        maxInlineData = bytes;
        return this;
    }

    /**
     * Completes every send, signaled or not.
     *
     * @param all true for every send
     * @return this
     */
    public QpInitAttr sqSigAll(boolean all) {
        sqSigAll = all;
        return this;
    }

    /**
     * The transport.
     *
     * @return its type
     */
    public QpType qpType() {
        return qpType;
    }

    /**
     * Takes the completions of the send queue.
     *
     * @return the queue; null for XRC_RECV
     */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Takes the completions of the receive queue.
     *
     * @return the queue; null for XRC
     */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * Where its receives come from.
     *
     * @return the shared queue, or null for a receive queue of its own
     */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * The capabilities asked for.
     *
     * @return the capabilities
     */
    public QpCap cap() {
        return new QpCap(maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData);
    }

    /**
     * Tells whether every send completes.
     *
     * @return true for every send, false for signaled ones
     */
    public boolean sqSigAll() {
        return sqSigAll;
    }

    /** What was asked for beside the capabilities, for messages. */
    String extensions() {
        return "";
    }
}
