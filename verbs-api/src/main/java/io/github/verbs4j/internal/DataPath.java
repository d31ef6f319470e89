package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.AddressCalls;
import java.util.Objects;

/**
 * Calls the data-path verbs through the function pointers of a context, which their callers read
 * once, here, and keep; so do they keep alive the memory whose address they pass. errno is not
 * captured: these verbs return it, and capturing doubles the cost of a call.
 *
 * <p>A function is made ready before the object that it is for exists (that of a work queue, which
 * lies in the object, behind it). That links the call, too, which a call would do late: it may run
 * out of stack, which programs survive, but a class that ran out of it in its initializer is lost
 * to the process.
 *
 * <p>Polling leaves out the thread's change of state, which suits it as it never enters the kernel
 * and never blocks; posting and arming do enter it on some providers (rxe).
 */
public final class DataPath {

    private DataPath() {}

    /**
     * Makes a function ready to be called by {@link #pollCq}, which calls no other.
     *
     * @param function a context's poll_cq
     * @return the same
     */
    public static long linkPollCq(long function) {
        AddressCalls.PollCq.know(function);
        return function;
    }

    /**
     * Makes a function ready to be called by {@link #postSend}, which calls no other.
     *
     * @param function a context's post_send
     * @return the same
     */
    public static long linkPostSend(long function) {
        AddressCalls.PostSend.know(function);
        return function;
    }

    /**
     * Makes a function ready to be called by {@link #postRecv}, which calls no other.
     *
     * @param function a context's post_recv or post_srq_recv, or a work queue's post_recv
     * @return the same
     */
    public static long linkPostRecv(long function) {
        AddressCalls.PostRecv.know(function);
        return function;
    }

    /**
     * Makes a function ready to be called by {@link #reqNotifyCq}, which calls no other.
     *
     * @param function a context's req_notify_cq
     * @return the same
     */
    public static long linkReqNotifyCq(long function) {
        AddressCalls.ReqNotifyCq.know(function);
        return function;
    }

    /**
     * {@code ibv_poll_cq}.
     *
     * @param function the context's poll_cq
     * @param cq the queue
     * @param count room in {@code wc}
     * @param wc receives the completions
     * @return how many there are, or a negative number
     */
    public static int pollCq(long function, long cq, int count, long wc) {
        try {
            return (int) AddressCalls.PollCq.CALL.invokeExact(function, cq, count, wc);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * {@code ibv_post_send}.
     *
     * @param function the context's post_send
     * @param qp the queue pair
     * @param wr the first request
     * @param badWr receives the address of the first request that failed
     * @return 0 or an errno value, negated by some providers
     */
    public static int postSend(long function, long qp, long wr, long badWr) {
        try {
            return (int) AddressCalls.PostSend.CALL.invokeExact(function, qp, wr, badWr);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * {@code ibv_post_recv}, {@code ibv_post_srq_recv} and {@code ibv_post_wq_recv}.
     *
     * @param function the context's function, or the work queue's
     * @param queue the queue pair, shared receive queue or work queue
     * @param wr the first request
     * @param badWr receives the address of the first request that failed
     * @return 0 or an errno value, negated by some providers
     */
    public static int postRecv(long function, long queue, long wr, long badWr) {
        try {
            return (int) AddressCalls.PostRecv.CALL.invokeExact(function, queue, wr, badWr);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * {@code ibv_req_notify_cq}.
     *
     * @param function the context's req_notify_cq
     * @param cq the queue
     * @param solicitedOnly 0 for any completion
     * @return 0 or an errno value
     */
    public static int reqNotifyCq(long function, long cq, int solicitedOnly) {
        try {
            return (int) AddressCalls.ReqNotifyCq.CALL.invokeExact(function, cq, solicitedOnly);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /** Links {@link #getCqEvent} and {@link #ackCqEvent}. */
    public static void linkEvents() {
        Objects.requireNonNull(AddressCalls.GetCqEvent.CALL);
        Objects.requireNonNull(AddressCalls.AckCqEvents.CALL);
    }

    /**
     * {@code ibv_get_cq_event}, which does not tell here why it failed.
     *
     * @param channel the channel
     * @param cq receives the address of the queue
     * @param cqContext receives its number
     * @return 0, or -1
     */
    public static int getCqEvent(long channel, long cq, long cqContext) {
        try {
            return (int) AddressCalls.GetCqEvent.CALL.invokeExact(channel, cq, cqContext);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * {@code ibv_ack_cq_events} of one event.
     *
     * @param cq the queue
     */
    public static void ackCqEvent(long cq) {
        try {
            AddressCalls.AckCqEvents.CALL.invokeExact(cq, 1);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    private static RuntimeException rethrow(Throwable e) {
        return switch (e) {
            case RuntimeException r -> r;
            case Error error -> throw error;
            default -> throw new AssertionError(e);
        };
    }
}
