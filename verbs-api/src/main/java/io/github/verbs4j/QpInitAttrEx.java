package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.QpCreateFlag;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What an extended queue pair is created with: C's {@code struct ibv_qp_init_attr_ex}. Copied by
 * the call. Which fields are valid ({@code comp_mask}) follows from what was set. Two of its kinds
 * of queue pair take no work requests and have creators of their own: {@link
 * XrcDomain#createRecvQp} (C's {@code xrcd}) and {@link
 * io.github.verbs4j.steering.RssQueuePair#create} (C's {@code rwq_ind_tbl} and {@code
 * rx_hash_conf}).
 */
public final class QpInitAttrEx extends QpInitAttr {

    private Set<SendOp> sendOps = Set.of();
    private final Set<QpCreateFlag> createFlags = EnumSet.noneOf(QpCreateFlag.class);
    private int maxTsoHeader;
    private int sourceQpn = -1;

    /**
     * A queue pair that completes into one queue.
     *
     * @param qpType its transport
     * @param cq takes its completions, sends and receives
     */
    public QpInitAttrEx(QpType qpType, CompletionQueue cq) {
        super(qpType, cq);
    }

    /**
     * A queue pair that completes into two queues.
     *
     * @param qpType its transport
     * @param sendCq takes the completions of its send queue
     * @param recvCq takes the completions of its receive queue
     */
    public QpInitAttrEx(QpType qpType, CompletionQueue sendCq, CompletionQueue recvCq) {
        super(qpType, sendCq, recvCq);
    }

    private QpInitAttrEx(CompletionQueue sendCq) {
        super(sendCq, QpType.XRC_SEND);
    }

    /**
     * The sending half of an extended reliable connection, for {@link ProtectionDomain#createQpEx}.
     *
     * @param sendCq takes its completions
     * @return new attributes, of type XRC_SEND
     */
    public static QpInitAttrEx xrcSend(CompletionQueue sendCq) {
        return new QpInitAttrEx(Objects.requireNonNull(sendCq, "sendCq"));
    }

    @Override
    public QpInitAttrEx srq(SharedReceiveQueue shared) {
        super.srq(shared);
        return this;
    }

    @Override
    public QpInitAttrEx maxSendWr(int n) {
        super.maxSendWr(n);
        return this;
    }

    @Override
    public QpInitAttrEx maxRecvWr(int n) {
        super.maxRecvWr(n);
        return this;
    }

    @Override
    public QpInitAttrEx maxSendSge(int n) {
        super.maxSendSge(n);
        return this;
    }

    @Override
    public QpInitAttrEx maxRecvSge(int n) {
        super.maxRecvSge(n);
        return this;
    }

    @Override
    public QpInitAttrEx maxInlineData(int bytes) {
        super.maxInlineData(bytes);
        return this;
    }

    @Override
    public QpInitAttrEx sqSigAll(boolean all) {
        super.sqSigAll(all);
        return this;
    }

    /**
     * Names the operations that a {@link SendBatch} shall be able to post. Without any the queue
     * pair takes the classic work requests only.
     *
     * @param first an operation
     * @param more further operations
     * @return this
     */
    public QpInitAttrEx sendOps(SendOp first, SendOp... more) {
        return sendOps(
                EnumSet.of(
                        Objects.requireNonNull(first, "first"),
                        Objects.requireNonNull(more, "more")));
    }

    /**
     * Names the operations that a {@link SendBatch} shall be able to post.
     *
     * @param ops the operations, in place of those named before
     * @return this
     */
    public QpInitAttrEx sendOps(Set<SendOp> ops) {
        sendOps = Set.copyOf(Objects.requireNonNull(ops, "ops"));
        return this;
    }

    /**
     * Sets what else the queue pair shall do.
     *
     * @param flags the flags, in place of those set before
     * @return this
     */
    public QpInitAttrEx createFlags(QpCreateFlag... flags) {
        List<QpCreateFlag> added = List.of(Objects.requireNonNull(flags, "flags"));
        createFlags.clear();
        createFlags.addAll(added);
        return this;
    }

    /**
     * How long the headers are that a TSO request repeats in front of each packet.
     *
     * @param bytes at most, 0 to 65535
     * @return this
     */
    public QpInitAttrEx maxTsoHeader(int bytes) {
        maxTsoHeader = (int) Check.range("maxTsoHeader", bytes, 0, 0xffff);
        return this;
    }

    /**
     * The queue pair number that messages of this queue pair claim to come from.
     *
     * @param qpNum 24 bits
     * @return this
     */
    public QpInitAttrEx sourceQpn(int qpNum) {
        sourceQpn = (int) Check.range("sourceQpn", qpNum, 0, 0xffffff);
        return this;
    }

    /**
     * The operations asked for.
     *
     * @return the operations
     */
    public Set<SendOp> sendOps() {
        return sendOps;
    }

    int maxTsoHeader() {
        return maxTsoHeader;
    }

    /** Fills in the extension of the structure, whose first part is filled already. */
    void write(MemorySegment pd, MemorySegment init) {
        int mask = verbs_h.IBV_QP_INIT_ATTR_PD();
        ibv_qp_init_attr_ex.pd(init, pd);
        int flags = sourceQpn < 0 ? 0 : verbs_h.IBV_QP_CREATE_SOURCE_QPN();
        for (QpCreateFlag flag : createFlags) {
            flags |= flag.value();
        }
        if (flags != 0) {
            mask |= verbs_h.IBV_QP_INIT_ATTR_CREATE_FLAGS();
            ibv_qp_init_attr_ex.create_flags(init, flags);
            ibv_qp_init_attr_ex.source_qpn(init, Math.max(sourceQpn, 0));
        }
        if (maxTsoHeader > 0) {
            mask |= verbs_h.IBV_QP_INIT_ATTR_MAX_TSO_HEADER();
            ibv_qp_init_attr_ex.max_tso_header(init, (short) maxTsoHeader);
        }
        if (!sendOps.isEmpty()) {
            mask |= verbs_h.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS();
            ibv_qp_init_attr_ex.send_ops_flags(init, SendOp.bits(sendOps));
        }
        ibv_qp_init_attr_ex.comp_mask(init, mask);
    }

    @Override
    String extensions() {
        return ", operations "
                + sendOps
                + ", flags "
                + createFlags
                + (maxTsoHeader > 0 ? ", max_tso_header " + maxTsoHeader : "")
                + (sourceQpn < 0 ? "" : ", source_qpn " + sourceQpn);
    }
}
