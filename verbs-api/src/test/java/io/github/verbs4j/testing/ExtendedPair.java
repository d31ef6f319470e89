package io.github.verbs4j.testing;

import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttrEx;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.WcArrayEx;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A {@link LoopbackPair} of extended queue pairs that complete into extended queues. */
public final class ExtendedPair implements AutoCloseable {

    /** What Soft-RoCE can post on RC. */
    public static final Set<SendOp> RC_OPS =
            Set.of(
                    SendOp.SEND,
                    SendOp.SEND_WITH_IMM,
                    SendOp.SEND_WITH_INV,
                    SendOp.RDMA_WRITE,
                    SendOp.RDMA_WRITE_WITH_IMM,
                    SendOp.RDMA_READ,
                    SendOp.ATOMIC_CMP_AND_SWP,
                    SendOp.ATOMIC_FETCH_AND_ADD,
                    SendOp.BIND_MW,
                    SendOp.LOCAL_INV);

    public final LoopbackPair base;
    public final Context context;
    public final ProtectionDomain pd;
    public final MemoryRegion mrA;
    public final MemoryRegion mrB;
    public final CompletionQueueEx cqA;
    public final CompletionQueueEx cqB;
    public final QueuePairEx a;
    public final QueuePairEx b;
    public final WcArrayEx wc = new WcArrayEx(16);

    /** Connected, with defaults. */
    public static ExtendedPair connected() {
        return connected(attr -> attr, attr -> attr);
    }

    /** Connected, with other queues or queue pairs. */
    public static ExtendedPair connected(
            UnaryOperator<CqInitAttrEx> cq, UnaryOperator<QpInitAttrEx> qp) {
        ExtendedPair pair = new ExtendedPair(cq, qp);
        pair.base.connect(pair.a, pair.b);
        pair.base.connect(pair.b, pair.a);
        return pair;
    }

    /** Both queue pairs in RESET. */
    public ExtendedPair(UnaryOperator<CqInitAttrEx> cq, UnaryOperator<QpInitAttrEx> qp) {
        base = new LoopbackPair(attr -> attr);
        try {
            context = base.context;
            pd = base.pd;
            mrA = base.mrA;
            mrB = base.mrB;
            cqA = context.createCqEx(cq.apply(new CqInitAttrEx(64)));
            cqB = context.createCqEx(cq.apply(new CqInitAttrEx(64)));
            a = pd.createQpEx(qp.apply(attr(cqA)));
            b = pd.createQpEx(qp.apply(attr(cqB)));
        } catch (RuntimeException e) {
            base.close();
            throw e;
        }
    }

    private static QpInitAttrEx attr(CompletionQueueEx cq) {
        return new QpInitAttrEx(QpType.RC, cq)
                .maxSendSge(4)
                .maxRecvSge(4)
                .maxInlineData(64)
                .sendOps(RC_OPS);
    }

    /** Waits for one completion of a queue, which is then the first in {@link #wc}. */
    public void await(CompletionQueueEx cq) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + LoopbackPair.TIMEOUT.toNanos();
        while (cq.poll(wc, 1) == 0) {
            Thread.yield();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("no completion within " + LoopbackPair.TIMEOUT);
            }
        }
    }

    /** Waits for one completion, and for its success. */
    public void succeed(CompletionQueueEx cq) throws InterruptedException, TimeoutException {
        await(cq);
        wc.checkSuccess(0);
    }

    @Override
    public void close() {
        base.close();
    }
}
