package io.github.verbs4j.testing;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpType;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Two UD queue pairs of one process, ready to send, each with a completion queue, and a region that
 * both use: what is sent lies at {@link #SEND_AT}, what is received at {@link #RECV_AT}. Fields are
 * public: tests take what they need.
 */
public final class DatagramPair implements AutoCloseable {

    public static final int QKEY = 0x11111111;
    public static final long SEND_AT = 0;
    public static final long RECV_AT = 16 << 10;
    private static final Duration TIMEOUT = LoopbackPair.TIMEOUT;

    public final Context context;
    public final GidEntry gid;
    public final ProtectionDomain pd;
    public final CompletionQueue cqA;
    public final CompletionQueue cqB;
    public final MemoryRegion mr;
    public final QueuePair a;
    public final QueuePair b;

    /** Leads to this machine. */
    public final AddressHandle ah;

    public final WcArray wc = new WcArray(16);

    /** Ready to send, with defaults. */
    public DatagramPair() {
        this(QKEY);
    }

    /** Ready to send, with another Q_Key at both. */
    public DatagramPair(int qkey) {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
        gid = context.defaultGid(1);
        pd = context.allocPd();
        cqA = context.createCq(64);
        cqB = context.createCq(64);
        mr = pd.allocateMr(32 << 10, AccessFlag.LOCAL_WRITE);
        a = pd.createQp(attr(cqA));
        b = pd.createQp(attr(cqB));
        a.activateUd(gid.port(), qkey);
        b.activateUd(gid.port(), qkey);
        ah = pd.createAh(AhAttr.to(gid, gid.gid()));
    }

    private static QpInitAttr attr(CompletionQueue cq) {
        return new QpInitAttr(QpType.UD, cq).maxSendSge(2).maxInlineData(64);
    }

    /** Posts a receive of side b at {@link #RECV_AT}. */
    public void postRecvB(long wrId, long length) {
        b.postRecv(new RecvWr(1).wrId(wrId).sge(mr, RECV_AT, length));
    }

    /** {@return a request that sends so many bytes of {@link #SEND_AT} to side b} */
    public SendWr sendToB(long length) {
        return new SendWr(1).send(mr, SEND_AT, length).ud(ah, b.qpNum(), QKEY);
    }

    /** Takes the next completion of a queue into {@link #wc}; fails after some time. */
    public void await(CompletionQueue cq) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (cq.poll(wc, 1) == 0) {
            Thread.yield();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("no completion within " + TIMEOUT);
            }
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
