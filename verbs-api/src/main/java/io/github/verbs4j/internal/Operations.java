package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_context_ops;
import java.lang.foreign.MemorySegment;

/**
 * The addresses of the data-path functions of a context, read once: they do not change while it is
 * open.
 *
 * @param pollCq {@code ibv_poll_cq}
 * @param reqNotifyCq {@code ibv_req_notify_cq}
 * @param postSend {@code ibv_post_send}
 * @param postRecv {@code ibv_post_recv}
 * @param postSrqRecv {@code ibv_post_srq_recv}
 */
public record Operations(
        long pollCq, long reqNotifyCq, long postSend, long postRecv, long postSrqRecv) {

    /**
     * Reads them.
     *
     * @param context the native context
     * @return its functions
     */
    public static Operations of(MemorySegment context) {
        MemorySegment ops = ibv_context.ops(Structs.view(context, ibv_context.sizeof()));
        return new Operations(
                ibv_context_ops.poll_cq(ops).address(),
                ibv_context_ops.req_notify_cq(ops).address(),
                ibv_context_ops.post_send(ops).address(),
                ibv_context_ops.post_recv(ops).address(),
                ibv_context_ops.post_srq_recv(ops).address());
    }
}
