package io.github.verbs4j;

import io.github.verbs4j.ffi.PollVerbs;
import io.github.verbs4j.ffi.ibv_poll_cq_attr;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcExFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue whose completions have more fields, such as timestamps, or fewer: C's {@code
 * struct ibv_cq_ex}. Safe for any thread; each completion goes to one poller. It can be used
 * wherever a {@link CompletionQueue} can, which is {@code ibv_cq_ex_to_cq}, and be polled in both
 * ways.
 *
 * <p>In C a program calls {@code ibv_start_poll}, reads the fields of one completion after the
 * other, and calls {@code ibv_end_poll}; in between the provider holds a lock. Here a poll does all
 * of that and hands over copies of the fields, so that no code of the caller's ever runs with the
 * lock held: nothing can be forgotten, and whatever the caller does with a completion, such as
 * polling, posting or closing, cannot wait for itself.
 */
public final class CompletionQueueEx extends CompletionQueue {

    /** A {@code struct ibv_poll_cq_attr} without extensions. */
    private static final MemorySegment NO_ATTR = ibv_poll_cq_attr.allocate(Arena.ofAuto());

    /**
     * Providers created single-threaded have no lock of their own, and the classic poll is linked
     * so that a thread in it must not wait for one.
     */
    private final ReentrantLock polling = new ReentrantLock();

    private final int wcFlags;
    private final MemorySegment tmInfo;

    /** rxe before rdma-core 56 breaks its queue when the end is met by {@code ibv_next_poll}. */
    private final boolean oneByOne;

    /** What a poll met behind completions that it had to hand over first. */
    private int pending;

    CompletionQueueEx(Context context, CqInitAttrEx attr) {
        super(context, attr);
        wcFlags = WcExFlag.bits(attr.wcFlags());
        oneByOne = context.provider() == Provider.RXE;
        tmInfo =
                (wcFlags & WcExFlag.TM_INFO.value()) == 0
                        ? MemorySegment.NULL
                        : ibv_wc_tm_info.allocate(Arena.ofAuto());
    }

    /**
     * Takes finished requests off the queue, the oldest first, without waiting. Allocates nothing.
     *
     * @param wc receives them; what it held is lost
     * @return how many, 0 when there are none
     * @throws VerbsException the queue is broken, for example overrun
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_start_poll, ibv_next_poll, ibv_end_poll, ibv_wc_read_opcode,
     *     ibv_wc_read_vendor_err, ibv_wc_read_byte_len, ibv_wc_read_imm_data,
     *     ibv_wc_read_invalidated_rkey, ibv_wc_read_qp_num, ibv_wc_read_src_qp,
     *     ibv_wc_read_wc_flags, ibv_wc_read_slid, ibv_wc_read_sl, ibv_wc_read_dlid_path_bits,
     *     ibv_wc_read_completion_ts, ibv_wc_read_completion_wallclock_ns, ibv_wc_read_cvlan,
     *     ibv_wc_read_flow_tag, ibv_wc_read_tm_info
     */
    public int poll(WcArrayEx wc) {
        return poll(wc, wc.capacity());
    }

    /**
     * Takes at most so many finished requests off the queue.
     *
     * @param wc receives them; what it held is lost
     * @param max 0 to the array's capacity
     * @return how many, 0 when there are none
     * @throws VerbsException the queue is broken, for example overrun
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_start_poll, ibv_next_poll, ibv_end_poll
     */
    public int poll(WcArrayEx wc, int max) {
        if (max < 0 || max > wc.capacity()) {
            Check.range("max", max, 0, wc.capacity());
        }
        wc.clear(wcFlags, oneByOne);
        if (max == 0) {
            return 0;
        }
        MemorySegment cq = nativeHandle().acquire();
        try {
            polling.lock();
            try {
                if (oneByOne) {
                    takeEach(cq, wc, max);
                } else {
                    takeBatch(cq, wc, max);
                }
            } finally {
                polling.unlock();
            }
        } finally {
            nativeHandle().release();
        }
        if (context().windows().anyBound()) {
            wc.noteInvalidated(context().windows());
        }
        return wc.count();
    }

    private void takeBatch(MemorySegment cq, WcArrayEx wc, int max) {
        if (!started(cq, wc)) {
            return;
        }
        try {
            int errno;
            do {
                wc.add(cq, tmInfo);
                errno = wc.count() < max ? Math.abs(PollVerbs.ibv_next_poll(cq)) : Errno.ENOENT;
            } while (errno == 0);
            pending = errno == Errno.ENOENT ? 0 : errno;
        } finally {
            PollVerbs.ibv_end_poll(cq);
        }
    }

    private void takeEach(MemorySegment cq, WcArrayEx wc, int max) {
        while (wc.count() < max && started(cq, wc)) {
            try {
                wc.add(cq, tmInfo);
            } finally {
                PollVerbs.ibv_end_poll(cq);
            }
        }
    }

    /** Starts a poll. When it returns false the provider holds no lock, and none may be ended. */
    private boolean started(MemorySegment cq, WcArrayEx wc) {
        int errno = pending;
        if (errno == 0) {
            errno = Math.abs(PollVerbs.ibv_start_poll(cq, NO_ATTR));
        }
        pending = 0;
        if (errno == 0 || errno == Errno.ENOENT) {
            return errno == 0;
        }
        if (wc.count() == 0) {
            throw new VerbsException("ibv_start_poll", errno, "the completion queue is broken");
        }
        pending = errno;
        return false;
    }

    /**
     * Polls until there is a finished request. It keeps the processor busy for some microseconds
     * and yields it from then on.
     *
     * @param wc receives them
     * @param timeout how long at most
     * @return how many, 1 or more
     * @throws TimeoutException when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws VerbsException the queue is broken
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_start_poll, ibv_next_poll, ibv_end_poll
     */
    public int await(WcArrayEx wc, Duration timeout) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int spins = 0; ; spins++) {
            int n = poll(wc);
            if (n > 0) {
                return n;
            }
            pause(spins, deadline, timeout);
        }
    }

    @Override
    public int poll(WcArray wc, int max) {
        polling.lock();
        try {
            return super.poll(wc, max);
        } finally {
            polling.unlock();
        }
    }
}
