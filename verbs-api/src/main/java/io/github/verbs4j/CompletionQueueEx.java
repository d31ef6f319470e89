package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcExFlag;
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

    /**
     * Providers created single-threaded have no lock of their own, and the classic poll is linked
     * so that a thread in it must not wait for one.
     */
    private final ReentrantLock polling = new ReentrantLock();

    private final int wcFlags;
    private final boolean rxe;
    private final ExtendedPoll poll;
    private final CompletionCalls calls;

    CompletionQueueEx(Context context, CqInitAttrEx attr) {
        super(context, attr);
        wcFlags = WcExFlag.bits(attr.wcFlags());
        rxe = context.provider() == Provider.RXE;
        poll = new ExtendedPoll(rxe);
        calls = nativeHandle().within(CompletionCalls::new);
    }

    /**
     * Takes finished requests off the queue, the oldest first, without waiting. Allocates nothing.
     *
     * <p>A queue that overflowed may go on without an exception: on Soft-RoCE the completions that
     * found no room are lost, and only the asynchronous event CQ_ERR ({@link
     * Context#getAsyncEvent}) tells.
     *
     * @param wc receives them; what it held is lost
     * @return how many, 0 when there are none
     * @throws VerbsException the provider cannot read the queue
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_start_poll, ibv_next_poll, ibv_end_poll, ibv_wc_read_opcode,
     *     ibv_wc_read_vendor_err, ibv_wc_read_byte_len, ibv_wc_read_imm_data, ibv_wc_read_qp_num,
     *     ibv_wc_read_src_qp, ibv_wc_read_wc_flags, ibv_wc_read_slid, ibv_wc_read_sl,
     *     ibv_wc_read_dlid_path_bits, ibv_wc_read_completion_ts,
     *     ibv_wc_read_completion_wallclock_ns, ibv_wc_read_cvlan, ibv_wc_read_flow_tag,
     *     ibv_wc_read_tm_info
     */
    public int poll(WcArrayEx wc) {
        return poll(wc, wc.capacity());
    }

    /**
     * Takes at most so many finished requests off the queue; see {@link #poll(WcArrayEx)}.
     *
     * @param wc receives them; what it held is lost
     * @param max 0 to the array's capacity
     * @return how many, 0 when there are none
     * @throws VerbsException the provider cannot read the queue
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_start_poll, ibv_next_poll, ibv_end_poll
     */
    public int poll(WcArrayEx wc, int max) {
        if (max < 0 || max > wc.capacity()) {
            Check.range("max", max, 0, wc.capacity());
        }
        wc.clear(wcFlags, rxe);
        if (max == 0) {
            return 0;
        }
        nativeHandle().acquire();
        try {
            polling.lock();
            try {
                poll.take(calls, wc, max);
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
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        for (int spins = 0; ; spins++) {
            int n = poll(wc);
            if (n > 0) {
                return n;
            }
            pause(spins, deadline, timeout, "no completion");
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
