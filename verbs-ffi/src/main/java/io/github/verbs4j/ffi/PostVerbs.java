package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Posting of work requests in the classic way. Data path: errno is not captured, nothing is
 * allocated.
 */
public final class PostVerbs {

    /**
     * Calls through {@code ibv_context_ops.post_send}: the address of the function first, then the
     * arguments of {@code ibv_post_send}.
     */
    public static final MethodHandle POST_SEND =
            hot(descriptor(C_INT, C_POINTER, C_POINTER, C_POINTER));

    private static final long POST_SEND_OFFSET =
            ibv_context.ops$offset() + ibv_context_ops.post_send$offset();

    /**
     * Calls through {@code ibv_context_ops.post_recv}: the address of the function first, then the
     * arguments of {@code ibv_post_recv}.
     */
    public static final MethodHandle POST_RECV =
            hot(descriptor(C_INT, C_POINTER, C_POINTER, C_POINTER));

    private static final long POST_RECV_OFFSET =
            ibv_context.ops$offset() + ibv_context_ops.post_recv$offset();

    /**
     * Calls through {@code ibv_context_ops.post_srq_recv}: the address of the function first, then
     * the arguments of {@code ibv_post_srq_recv}.
     */
    public static final MethodHandle POST_SRQ_RECV =
            hot(descriptor(C_INT, C_POINTER, C_POINTER, C_POINTER));

    private static final long POST_SRQ_RECV_OFFSET =
            ibv_context.ops$offset() + ibv_context_ops.post_srq_recv$offset();

    /**
     * Calls through {@code ibv_wq.post_recv}: the address of the function first, then the arguments
     * of {@code ibv_post_wq_recv}.
     */
    public static final MethodHandle POST_WQ_RECV =
            hot(descriptor(C_INT, C_POINTER, C_POINTER, C_POINTER));

    private static final long POST_WQ_RECV_OFFSET = ibv_wq.post_recv$offset();

    private PostVerbs() {}

    /** Calls {@code ibv_context_ops.post_send}. Returns 0, or the errno value. */
    public static int ibv_post_send(MemorySegment qp, MemorySegment wr, MemorySegment bad_wr) {
        long function = Native.function(qp, ibv_qp.context$offset(), POST_SEND_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) POST_SEND.invokeExact(function, qp, wr, bad_wr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_context_ops.post_recv}. Returns 0, or the errno value. */
    public static int ibv_post_recv(MemorySegment qp, MemorySegment wr, MemorySegment bad_wr) {
        long function = Native.function(qp, ibv_qp.context$offset(), POST_RECV_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) POST_RECV.invokeExact(function, qp, wr, bad_wr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_context_ops.post_srq_recv}. Returns 0, or the errno value. */
    public static int ibv_post_srq_recv(
            MemorySegment srq, MemorySegment recv_wr, MemorySegment bad_recv_wr) {
        long function = Native.function(srq, ibv_srq.context$offset(), POST_SRQ_RECV_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) POST_SRQ_RECV.invokeExact(function, srq, recv_wr, bad_recv_wr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_wq.post_recv}. Returns 0, or the errno value. */
    public static int ibv_post_wq_recv(
            MemorySegment wq, MemorySegment recv_wr, MemorySegment bad_recv_wr) {
        long function = wq.get(C_LONG, POST_WQ_RECV_OFFSET);
        if (function == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) POST_WQ_RECV.invokeExact(function, wq, recv_wr, bad_recv_wr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
