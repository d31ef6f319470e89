package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;

import java.lang.invoke.MethodHandle;

/**
 * The calls that are made for each request or completion, with addresses in place of segments: for
 * a caller that has read the function pointer once and keeps what it passes alive itself. It saves
 * the liveness checks of each segment, about a nanosecond each. Each is linked when it is first
 * needed.
 */
public final class AddressCalls {

    private AddressCalls() {}

    /**
     * {@code ibv_post_send}, {@code ibv_post_recv}, {@code ibv_post_srq_recv} and {@code
     * ibv_post_wq_recv}. However it was compiled, in no measurement did a post make an object, as
     * polling did.
     */
    public static final class Post {

        /** Function, queue, first request, place for the address of the one that failed. */
        public static final MethodHandle CALL =
                Native.hottest(descriptor(C_INT, C_LONG, C_LONG, C_LONG));

        private Post() {}
    }

    /**
     * {@code ibv_poll_cq}. Without the state change of the thread, so it delays safepoints while it
     * runs: only for a provider whose poll never waits, and never between {@link
     * PollVerbs#ibv_start_poll} and {@link PollVerbs#ibv_end_poll} of any thread.
     */
    public static final class PollCq {

        /** Function, queue, room, completions. */
        public static final MethodHandle CALL =
                Native.critical(descriptor(C_INT, C_LONG, C_INT, C_LONG));

        private PollCq() {}
    }

    /** {@code ibv_req_notify_cq}. */
    public static final class ReqNotifyCq {

        /** Function, queue, 0 for any completion. */
        public static final MethodHandle CALL = Native.hot(descriptor(C_INT, C_LONG, C_INT));

        private ReqNotifyCq() {}
    }
}
