package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.AddressCalls;
import java.util.Objects;

/**
 * Calls the data-path verbs through the function pointers of a context, which their callers read
 * once and keep; so do they keep alive the memory whose address they pass. errno is not captured
 * here: these verbs return it, and capturing doubles the cost of a call.
 *
 * <p>Polling leaves out the thread's change of state, which suits it as it never enters the kernel
 * and never blocks; posting and arming do enter it on some providers (rxe).
 */
public final class DataPath {

    private DataPath() {}

    /**
     * Links {@code ibv_poll_cq}. So does the first call, but it may run out of stack, which
     * programs survive; a class that ran out of it in its initializer is lost to the process.
     */
    public static void linkPoll() {
        Objects.requireNonNull(AddressCalls.PollCq.CALL);
    }

    /** Links the posts; why is said at {@link #linkPoll}. */
    public static void linkPost() {
        Objects.requireNonNull(AddressCalls.Post.CALL);
    }

    /** Links {@code ibv_req_notify_cq}; why is said at {@link #linkPoll}. */
    public static void linkReqNotify() {
        Objects.requireNonNull(AddressCalls.ReqNotifyCq.CALL);
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
     * {@code ibv_post_send}, {@code ibv_post_recv} and {@code ibv_post_srq_recv}.
     *
     * @param function the context's function
     * @param queue the queue pair or shared receive queue
     * @param wr the first request
     * @param badWr receives the address of the first request that failed
     * @return 0 or an errno value, negated by some providers
     */
    public static int post(long function, long queue, long wr, long badWr) {
        try {
            return (int) AddressCalls.Post.CALL.invokeExact(function, queue, wr, badWr);
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

    private static RuntimeException rethrow(Throwable e) {
        return switch (e) {
            case RuntimeException r -> r;
            case Error error -> throw error;
            default -> throw new AssertionError(e);
        };
    }
}
