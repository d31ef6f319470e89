package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.ibv_cq;
import io.github.verbs4j.ffi.ibv_moderate_cq;
import io.github.verbs4j.ffi.ibv_modify_cq_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.MemlockLimit;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.ModerateCq;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Where the device reports finished work requests: C's {@code struct ibv_cq}. Safe for any thread;
 * each completion goes to one poller. Closing it closes the queue pairs that complete into it
 * first.
 */
public sealed class CompletionQueue implements AutoCloseable permits CompletionQueueEx {

    private final Context context;
    private final CompletionChannel channel;
    private final NativeHandle handle;
    private final long pollCq;

    /**
     * Without a channel 0 until it is armed, which serves nothing: linking lengthens each start.
     */
    private long reqNotifyCq;

    private final boolean rxe;
    private final MemoryWindows windows;

    CompletionQueue(Context context, CqInitAttr attr) {
        this.context = context;
        this.channel = attr.channel();
        this.pollCq = DataPath.linkPollCq(context.operations().pollCq());
        this.reqNotifyCq =
                channel == null ? 0 : DataPath.linkReqNotifyCq(context.operations().reqNotifyCq());
        this.windows = context.windows();
        this.rxe = context.provider() == Provider.RXE;
        Check.range("cqe", attr.cqe(), 1, context.attributes().maxCqe());
        Check.range("compVector", attr.compVector(), 0, context.numCompVectors() - 1L);
        if (channel == null) {
            handle = create(attr, MemorySegment.NULL, 0, context.nativeHandle());
        } else {
            Check.sameContext("channel", channel.context(), context);
            int slot = channel.targets().reserve(this);
            try {
                handle =
                        create(
                                attr,
                                channel.handle(),
                                slot,
                                context.nativeHandle(),
                                channel.nativeHandle());
            } catch (RuntimeException e) {
                channel.targets().forget(slot);
                throw e;
            }
        }
        context.asyncEvents().watch(handle, this);
        LeakDetector.watch(this, handle);
    }

    private NativeHandle create(
            CqInitAttr attr, MemorySegment channelPointer, int slot, NativeHandle... parents) {
        AsyncEvents events = context.asyncEvents();
        CompletionEventTargets targets = channel == null ? null : channel.targets();
        return NativeHandle.create(
                "CompletionQueue",
                () ->
                        Check.notNull(
                                attr.verb(),
                                attr.create(
                                        context.handle(),
                                        MemorySegment.ofAddress(slot),
                                        channelPointer),
                                errno -> explain(errno, attr.cqe()) + attr.extensions()),
                pointer -> {
                    events.closing(pointer);
                    Check.zero("ibv_destroy_cq", CompletionVerbs.ibv_destroy_cq(pointer));
                    if (targets != null) {
                        targets.forget(slot);
                    }
                },
                attr.parents(context, parents));
    }

    private String explain(int errno, int cqe) {
        String limit = cqe + " entries, the device allows " + context.attributes().maxCqe();
        return errno == Errno.ENOMEM ? limit + "; " + MemlockLimit.explain(-1) : limit;
    }

    /**
     * The context it was created from.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * The channel that reports its completions.
     *
     * @return the channel, or null
     */
    public CompletionChannel channel() {
        return channel;
    }

    /**
     * Its size, which may be more than was asked for.
     *
     * @return in completions
     */
    public int cqe() {
        return handle.within(cq -> ibv_cq.cqe(Structs.view(cq, ibv_cq.sizeof())));
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
     * @verbs.calls ibv_poll_cq
     */
    public int poll(WcArray wc) {
        return poll(wc, wc.capacity());
    }

    /**
     * Takes at most so many finished requests off the queue; see {@link #poll(WcArray)}.
     *
     * @param wc receives them; what it held is lost
     * @param max 0 to the array's capacity
     * @return how many, 0 when there are none
     * @throws VerbsException the provider cannot read the queue
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_poll_cq
     */
    public int poll(WcArray wc, int max) {
        if (max < 0 || max > wc.capacity()) {
            Check.range("max", max, 0, wc.capacity());
        }
        // Read first: nothing overtakes the atomic addition by which the queue is entered.
        long function = pollCq;
        long address = wc.address();
        long cq = handle.enter();
        int n;
        try {
            n = DataPath.pollCq(function, cq, max, address);
        } finally {
            handle.release();
            Reference.reachabilityFence(wc);
        }
        if (n < 0) {
            wc.filled(0, rxe);
            throw new VerbsException("ibv_poll_cq", -n, "the completion queue is broken");
        }
        wc.filled(n, rxe);
        if (n > 0 && windows.anyBound()) {
            windows.noteInvalidated(wc);
        }
        return n;
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
     * @verbs.calls ibv_poll_cq
     */
    public int await(WcArray wc, Duration timeout) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        for (int spins = 0; ; spins++) {
            int n = poll(wc);
            if (n > 0) {
                return n;
            }
            pause(spins, deadline, timeout, "no completion");
        }
    }

    /** Spends the time between two tries; {@code late} says what is missing at the deadline. */
    static void pause(int spins, long deadline, Duration timeout, String late)
            throws TimeoutException, InterruptedException {
        if (spins < 1000) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (System.nanoTime() - deadline > 0) {
            throw new TimeoutException(late + " within " + timeout);
        }
    }

    /**
     * Arms the queue: the next completion of any kind puts one event on the channel. One that is
     * already queued does not: poll once more after arming.
     *
     * @throws IllegalStateException when the queue is closed
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_req_notify_cq
     */
    public void reqNotify() {
        reqNotify(false);
    }

    /**
     * Arms the queue.
     *
     * @param solicitedOnly only for a receive whose sender set SOLICITED, or a failed request
     * @throws IllegalStateException when the queue is closed
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_req_notify_cq
     */
    public void reqNotify(boolean solicitedOnly) {
        long function = reqNotifyCq;
        if (function == 0) {
            function = DataPath.linkReqNotifyCq(context.operations().reqNotifyCq());
            reqNotifyCq = function;
        }
        long cq = handle.enter();
        try {
            Check.zero(
                    "ibv_req_notify_cq", DataPath.reqNotifyCq(function, cq, solicitedOnly ? 1 : 0));
        } finally {
            handle.release();
        }
    }

    /**
     * Changes the size, keeping what is queued.
     *
     * @param cqe room for so many completions at least
     * @throws IllegalArgumentException when the device allows no such size
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: more completions are queued
     * @verbs.calls ibv_resize_cq
     */
    public void resize(int cqe) {
        Check.range("cqe", cqe, 1, context.attributes().maxCqe());
        Check.zero(
                "ibv_resize_cq",
                handle.call(cq -> CompletionVerbs.ibv_resize_cq(cq, cqe)),
                errno ->
                        errno == Errno.EINVAL
                                ? cqe + " entries, more completions are queued: poll them first"
                                : explain(errno, cqe));
    }

    /**
     * Makes the queue hold its events back, so that one event reports several completions.
     *
     * @param moderation after how many completions, or how much time, an event is raised
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: more than the device allows
     * @verbs.calls ibv_modify_cq
     */
    public void modify(ModerateCq moderation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_modify_cq_attr.allocate(arena);
            ibv_modify_cq_attr.attr_mask(attr, verbs_h.IBV_CQ_ATTR_MODERATE());
            MemorySegment moderate = ibv_modify_cq_attr.moderate(attr);
            ibv_moderate_cq.cq_count(moderate, (short) moderation.cqCount());
            ibv_moderate_cq.cq_period(moderate, (short) moderation.cqPeriod());
            Check.zero(
                    "ibv_modify_cq",
                    handle.call(cq -> CompletionVerbs.ibv_modify_cq(cq, attr)),
                    errno -> moderation.toString());
        }
    }

    /**
     * Tells whether the queue has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_cq *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queue pairs that use the queue, newest first, and the queue. Completions not yet
     * polled are lost.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_destroy_cq
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
