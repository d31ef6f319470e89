package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.function;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Polling of completion queues. Data path: errno is not captured, nothing is allocated.
 *
 * <p>Between {@link #ibv_start_poll} and {@link #ibv_end_poll} providers hold a lock: run nothing
 * that may wait there, and do not call {@code ibv_end_poll} after a start that failed (ENOENT: the
 * queue is empty).
 */
public final class PollVerbs {

    /**
     * Calls through {@code ibv_context_ops.poll_cq}: the address of the function first, then the
     * arguments of {@code ibv_poll_cq}.
     */
    public static final MethodHandle POLL_CQ = hot(descriptor(C_INT, C_POINTER, C_INT, C_POINTER));

    private static final long POLL_CQ_OFFSET =
            ibv_context.ops$offset() + ibv_context_ops.poll_cq$offset();

    /**
     * Calls through {@code ibv_context_ops.req_notify_cq}: the address of the function first, then
     * the arguments of {@code ibv_req_notify_cq}.
     */
    public static final MethodHandle REQ_NOTIFY_CQ = hot(descriptor(C_INT, C_POINTER, C_INT));

    private static final long REQ_NOTIFY_CQ_OFFSET =
            ibv_context.ops$offset() + ibv_context_ops.req_notify_cq$offset();

    /**
     * Calls through {@code ibv_cq_ex.start_poll}: the address of the function first, then the
     * arguments of {@code ibv_start_poll}.
     */
    public static final MethodHandle START_POLL = hot(descriptor(C_INT, C_POINTER, C_POINTER));

    private static final long START_POLL_OFFSET = ibv_cq_ex.start_poll$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.next_poll}: the address of the function first, then the
     * arguments of {@code ibv_next_poll}.
     */
    public static final MethodHandle NEXT_POLL = hot(descriptor(C_INT, C_POINTER));

    private static final long NEXT_POLL_OFFSET = ibv_cq_ex.next_poll$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_cq_ex.end_poll}: the address of the function first, then the
     * arguments of {@code ibv_end_poll}.
     */
    public static final MethodHandle END_POLL = hot(descriptor(null, C_POINTER));

    private static final long END_POLL_OFFSET = ibv_cq_ex.end_poll$offset() + Abi.MUTEX_GROWTH;

    private PollVerbs() {}

    /**
     * Calls {@code ibv_context_ops.poll_cq}. Returns the number of completions, or a negative
     * value.
     */
    public static int ibv_poll_cq(MemorySegment cq, int num_entries, MemorySegment wc) {
        long function = Native.function(cq, ibv_cq.context$offset(), POLL_CQ_OFFSET);
        if (function == 0) {
            return -EOPNOTSUPP();
        }
        try {
            return (int) POLL_CQ.invokeExact(function, cq, num_entries, wc);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_context_ops.req_notify_cq}. Returns 0, or the errno value. */
    public static int ibv_req_notify_cq(MemorySegment cq, int solicited_only) {
        long function = Native.function(cq, ibv_cq.context$offset(), REQ_NOTIFY_CQ_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) REQ_NOTIFY_CQ.invokeExact(function, cq, solicited_only);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_cq_ex.start_poll}. Returns 0, ENOENT when the queue is empty, or another
     * errno value.
     */
    public static int ibv_start_poll(MemorySegment cq, MemorySegment attr) {
        long function = cq.get(C_LONG, START_POLL_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) START_POLL.invokeExact(function, cq, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_cq_ex.next_poll}. Returns 0, ENOENT when there is no more, or another errno
     * value.
     */
    public static int ibv_next_poll(MemorySegment cq) {
        long function = cq.get(C_LONG, NEXT_POLL_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) NEXT_POLL.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_cq_ex.end_poll}. */
    public static void ibv_end_poll(MemorySegment cq) {
        long function = function(cq, END_POLL_OFFSET, "ibv_end_poll");
        try {
            END_POLL.invokeExact(function, cq);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
