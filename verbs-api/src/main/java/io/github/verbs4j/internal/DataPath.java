package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * Calls the data-path verbs through the function pointers of a context, which their callers read
 * once and keep. errno is not captured here: these verbs return it, and capturing doubles the cost
 * of a call.
 */
public final class DataPath {

    // critical leaves out the thread state transition. It suits a poll, which never enters the
    // kernel and never blocks; posting and arming do enter it on some providers (rxe).
    private static final MethodHandle POLL_CQ =
            link(
                    new MemoryLayout[] {JAVA_LONG, JAVA_INT, JAVA_LONG},
                    new Linker.Option[] {Linker.Option.critical(false)});
    private static final MethodHandle POST =
            link(new MemoryLayout[] {JAVA_LONG, JAVA_LONG, JAVA_LONG}, new Linker.Option[0]);
    private static final MethodHandle REQ_NOTIFY_CQ =
            link(new MemoryLayout[] {JAVA_LONG, JAVA_INT}, new Linker.Option[0]);

    private DataPath() {}

    @SuppressWarnings("restricted")
    private static MethodHandle link(MemoryLayout[] arguments, Linker.Option[] options) {
        return Linker.nativeLinker()
                .downcallHandle(FunctionDescriptor.of(JAVA_INT, arguments), options);
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
    public static int pollCq(MemorySegment function, long cq, int count, MemorySegment wc) {
        try {
            return (int) POLL_CQ.invokeExact(function, cq, count, wc.address());
        } catch (Throwable e) {
            throw rethrow(e);
        } finally {
            Reference.reachabilityFence(wc);
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
    public static int post(
            MemorySegment function, long queue, MemorySegment wr, MemorySegment badWr) {
        try {
            return (int) POST.invokeExact(function, queue, wr.address(), badWr.address());
        } catch (Throwable e) {
            throw rethrow(e);
        } finally {
            Reference.reachabilityFence(wr);
            Reference.reachabilityFence(badWr);
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
    public static int reqNotifyCq(MemorySegment function, MemorySegment cq, int solicitedOnly) {
        try {
            return (int) REQ_NOTIFY_CQ.invokeExact(function, cq.address(), solicitedOnly);
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
