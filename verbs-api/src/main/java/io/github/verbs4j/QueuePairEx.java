package io.github.verbs4j;

import io.github.verbs4j.ffi.Mlx5Verbs;
import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.WorkRequestCalls;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A queue pair whose send requests are built by functions rather than structures, and which knows
 * operations that those lack: C's {@code struct ibv_qp_ex}. Safe for any thread. It can be used
 * wherever a {@link QueuePair} can, and takes the classic requests too.
 *
 * <p>In C a program calls {@code ibv_wr_start}, functions that build requests, and {@code
 * ibv_wr_complete}; in between the provider holds a lock. Here a {@link SendBatch} records the
 * requests first and posting makes all the calls in one go, so that no code of the caller's ever
 * runs with the lock held, and what was started always ends.
 */
public final class QueuePairEx extends QueuePair {

    /**
     * The queue pair that this thread builds for in {@link #post(Consumer)}: two threads that each
     * hold one and ask for the other's would wait for ever.
     */
    private static final ThreadLocal<QueuePairEx> BUILDING = new ThreadLocal<>();

    /** Room of the batch that {@link #post(Consumer)} lends. */
    private static final int LENT_CAPACITY = 64;

    private final QpInitAttrEx attr;
    private final MemorySegment qpEx;
    private final WorkRequestCalls calls;

    /** C's {@code struct mlx5dv_qp_ex} of a DC initiator, or NULL. */
    private final MemorySegment mlx5Qp;

    private final boolean dciStreams;
    private final Set<SendOp> sendOps;
    private final boolean rxe;

    /**
     * Lets threads wait in Java for each other, rather than spin in the provider's lock; and what a
     * batch is found to be is what is posted of it, also when two threads post the same.
     */
    private final ReentrantLock posting = new ReentrantLock();

    /** Held while the batch of {@link #post(Consumer)} is lent. */
    private final ReentrantLock lending = new ReentrantLock();

    private SendBatch lent;

    QueuePairEx(ProtectionDomain pd, QpInitAttrEx attr) {
        this(pd, attr, new ExtendedQp(pd.context(), attr), false);
    }

    /** One that another library makes; of mlx5's own transport, with streams or without. */
    QueuePairEx(ProtectionDomain pd, QpInitAttrEx attr, QpMaker maker, boolean dciStreams) {
        super(pd, attr, maker);
        this.attr = attr;
        this.dciStreams = dciStreams;
        this.sendOps = attr.sendOps();
        this.rxe = context().provider() == Provider.RXE;
        this.qpEx =
                sendOps.isEmpty()
                        ? MemorySegment.NULL
                        : nativeHandle().within(QueuePairVerbs::ibv_qp_to_qp_ex);
        this.calls =
                sendOps.isEmpty() ? null : nativeHandle().within(_ -> new WorkRequestCalls(qpEx));
        this.mlx5Qp =
                sendOps.isEmpty() || qpType() != QpType.DRIVER
                        ? MemorySegment.NULL
                        : nativeHandle().within(_ -> Mlx5Verbs.mlx5dv_qp_ex_from_ibv_qp_ex(qpEx));
    }

    /**
     * The operations that the queue pair was created with.
     *
     * @return the operations
     */
    public Set<SendOp> sendOps() {
        return sendOps;
    }

    /**
     * Makes an empty batch for this queue pair, to be filled and posted as often as wanted.
     *
     * @param capacity how many requests it can hold, 1 to 65536
     * @return the batch; for one thread at a time
     * @throws IllegalArgumentException when it is none of these
     * @throws IllegalStateException when the queue pair was created without operations
     */
    public SendBatch sendBatch(int capacity) {
        if (qpEx.address() == 0) {
            throw new IllegalStateException(
                    "the queue pair was created without operations; see QpInitAttrEx.sendOps");
        }
        return new SendBatch(this, capacity, attr.maxTsoHeader());
    }

    /**
     * Lets code build requests and posts them. If the code throws, none is posted. Other threads
     * that call this wait meanwhile; a {@link #sendBatch} of each thread's own does without.
     *
     * @param requests fills the batch, which has room for 64 requests and may be used inside only;
     *     it must not call this method, of this queue pair or another
     * @throws PostException as {@link SendBatch#complete}
     * @throws IllegalStateException as {@link SendBatch#complete}; or the code called this method
     * @verbs.calls ibv_wr_start, ibv_wr_complete, ibv_wr_abort
     */
    public void post(Consumer<SendBatch> requests) {
        Objects.requireNonNull(requests, "requests");
        if (BUILDING.get() != null) {
            throw new IllegalStateException("post was called while building for a queue pair");
        }
        lending.lock();
        BUILDING.set(this);
        try {
            if (lent == null) {
                lent = sendBatch(LENT_CAPACITY);
            }
            lent.abort(); // who kept it may have called wrId or wrFlags since
            lent.lend(true);
            requests.accept(lent);
            lent.lend(false);
            lent.complete();
        } finally {
            if (lent != null) {
                lent.lend(false);
                lent.abort();
            }
            BUILDING.set(null); // remove would make the next call allocate
            lending.unlock();
        }
    }

    /** Tells whether it is a DC initiator that was created with streams. */
    boolean hasDciStreams() {
        return dciStreams;
    }

    /** Posts a batch: 0, or an errno value, and the batch holds what was not posted. */
    int post(SendBatch batch) {
        sendQueue().enter();
        posting.lock();
        int count = Math.min(batch.count(), batch.capacity());
        try {
            int traits = batch.freeze(count);
            sendQueue().admit(traits);
            if (rxe && batch.isUneven(count)) {
                return postClassic(batch, count);
            }
            return (traits & SendWr.WINDOW) == 0 ? replay(batch, count) : windows(batch, count);
        } finally {
            batch.thaw(count);
            posting.unlock();
            sendQueue().leave();
        }
    }

    private int windows(SendBatch batch, int count) {
        WindowPosts posts = sendQueue().windows();
        synchronized (posts) {
            BatchWindows windows = new BatchWindows(posts);
            int errno = -1;
            try {
                batch.apply(windows, count);
                errno = replay(batch, count);
                return errno;
            } finally {
                windows.end(errno == 0);
            }
        }
    }

    /**
     * What was started ends, unless the stack does: a StackOverflowError between the calls can keep
     * even the last from being made, and the provider's lock is then held for good.
     */
    private int replay(SendBatch batch, int count) {
        boolean ended = false;
        calls.ibv_wr_start();
        try {
            batch.replay(calls, qpEx, mlx5Qp, rxe, count);
            ended = true;
            return Math.abs(calls.ibv_wr_complete());
        } finally {
            if (!ended) {
                calls.ibv_wr_abort();
            }
        }
    }

    /**
     * rxe of rdma-core 44 takes the length of every element of a list for that of the first, and
     * sends that without an error. Requests that went out leave the batch, lest the next try sends
     * them again.
     */
    private int postClassic(SendBatch batch, int count) {
        SendWrArray requests = batch.classic(count);
        try {
            int posted = sendQueue().tryPost(requests, count);
            if (posted == count) {
                return 0;
            }
            batch.dropFirst(posted, count);
            return Errno.ENOMEM;
        } catch (PostException e) {
            batch.dropFirst(e.index(), count);
            throw e;
        }
    }
}
