package io.github.verbs4j.testing;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpType;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Two connected RC queue pairs of one process, each with a completion queue and a region of 64 KiB
 * that allows everything. Fields are public: tests take what they need.
 *
 * <p>Side {@code a} asks, side {@code b} answers. The acknowledgement timeout is short and retry
 * counts are finite, so that tests of dead peers end soon (rxe retries for ever with count 7).
 */
public final class LoopbackPair implements AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofSeconds(20);
    public static final AccessFlag[] ALL = {
        LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, MW_BIND
    };
    public static final AccessFlag[] QP_ALL = {REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC};

    /**
     * Waits for a peer's receive for as long as it takes. Without acknowledgement timeouts: rxe
     * does not stop that timer while it waits, and counts each time it runs out as a retry.
     */
    public static final Consumer<QpAttr> PATIENT =
            attr -> attr.rnrRetry(7).timeout(AckTimeout.of(0));

    private static final int LENGTH = 64 << 10;
    private static final VarHandle VALUE = JAVA_LONG.varHandle();

    public final Context context;
    public final GidEntry gid;
    public final ProtectionDomain pd;
    public final CompletionQueue cqA;
    public final CompletionQueue cqB;
    public final MemoryRegion mrA;
    public final MemoryRegion mrB;
    public final QueuePair a;
    public final QueuePair b;

    private final WcArray wc = new WcArray(16);

    /** Connected, with defaults. */
    public static LoopbackPair connected() {
        LoopbackPair pair = new LoopbackPair(attr -> attr);
        pair.connect();
        return pair;
    }

    /** Connected, with other capabilities. */
    public static LoopbackPair connected(UnaryOperator<QpInitAttr> capabilities) {
        LoopbackPair pair = new LoopbackPair(capabilities);
        pair.connect();
        return pair;
    }

    /** Both queue pairs in RESET. */
    public LoopbackPair(UnaryOperator<QpInitAttr> capabilities) {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
        gid = context.defaultGid(1);
        pd = context.allocPd();
        cqA = context.createCq(256);
        cqB = context.createCq(256);
        mrA = pd.allocateMr(LENGTH, ALL);
        mrB = pd.allocateMr(LENGTH, ALL);
        a = pd.createQp(capabilities.apply(attr(cqA)));
        b = pd.createQp(capabilities.apply(attr(cqB)));
    }

    /** What the pair's queue pairs are made with, before a test changes it. */
    public static QpInitAttr attr(CompletionQueue cq) {
        return new QpInitAttr(QpType.RC, cq).maxSendSge(4).maxRecvSge(4).maxInlineData(64);
    }

    /** Brings both to RTS. */
    public void connect() {
        connect(a, b);
        connect(b, a);
    }

    /** Brings one queue pair to RTS, with timeouts short enough for tests. */
    public void connect(QueuePair here, QueuePair there) {
        connect(here, there, attr -> {});
    }

    /**
     * Brings one queue pair to RTS with attributes that a test changes: the change is offered each
     * of the three steps, and what a step does not take is dropped.
     */
    public void connect(QueuePair here, QueuePair there, Consumer<QpAttr> change) {
        for (QpAttr step : steps(here, there)) {
            int taken = step.mask();
            change.accept(step);
            QpAttrMask.of(step.mask() & ~taken).forEach(step::without);
            here.modify(step);
        }
    }

    /** {@return what takes a queue pair to INIT, RTR and RTS} */
    public List<QpAttr> steps(QueuePair here, QueuePair there) {
        return List.of(
                QpAttr.init(gid.port()).qpAccessFlags(QP_ALL),
                QpAttr.rtr(gid, here.localAddress(gid), there.localAddress(gid))
                        .maxDestRdAtomic(16),
                QpAttr.rts(here.localAddress(gid).psn())
                        .timeout(AckTimeout.of(10))
                        .retryCnt(3)
                        .rnrRetry(3)
                        .maxRdAtomic(16));
    }

    /** {@return the next completion of side a} */
    public WorkCompletion completionA() throws InterruptedException, TimeoutException {
        return completion(cqA);
    }

    /** {@return the next completion of side b} */
    public WorkCompletion completionB() throws InterruptedException, TimeoutException {
        return completion(cqB);
    }

    /** {@return the next completion of a queue; fails after {@link #TIMEOUT}} */
    public WorkCompletion completion(CompletionQueue cq)
            throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (cq.poll(wc, 1) == 0) {
            Thread.yield();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("no completion within " + TIMEOUT);
            }
        }
        return wc.get(0);
    }

    /** {@return the next completions of a queue, in order} */
    public List<WorkCompletion> completions(CompletionQueue cq, int count)
            throws InterruptedException, TimeoutException {
        List<WorkCompletion> result = new ArrayList<>();
        while (result.size() < count) {
            result.add(completion(cq));
        }
        return result;
    }

    /**
     * Waits, without polling, until all that side a's queue pair, or another, has posted is done:
     * by a READ behind it, which is answered in order and has no completion of its own. Takes the
     * last bytes of both regions.
     */
    public void awaitDone(QueuePair qp) throws TimeoutException {
        long at = LENGTH - Long.BYTES;
        mrA.segment().set(JAVA_LONG, at, 0);
        mrB.segment().set(JAVA_LONG, at, -1);
        qp.postSend(new SendWr(1).read(mrA, at, Long.BYTES, mrB.remote(), at).sendFlags(0));
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while ((long) VALUE.getVolatile(mrA.segment(), at) == 0) {
            Thread.yield();
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException("not done within " + TIMEOUT);
            }
        }
    }

    /** Sends something: what was refused before has left nothing behind, on either side. */
    public void assertWorks() throws Exception {
        b.postRecv(new RecvWr(1).sge(mrB, 0, 64));
        a.postSend(new SendWr(1).wrId(4711).send(mrA, 0, 8));
        assertEquals(4711, completionA().checkSuccess().wrId());
        assertEquals(8, completionB().checkSuccess().byteLen());
        assertTrue(staysEmpty(cqA, Duration.ofMillis(100)));
    }

    /** {@return whether a queue stays empty for so long} */
    public boolean staysEmpty(CompletionQueue cq, Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (cq.poll(wc, 1) != 0) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    @Override
    public void close() {
        context.close();
    }
}
