package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The calls that are made for each request, completion or event, with addresses in place of
 * segments: for a caller that has read the function pointer once, has made it known, and keeps what
 * it passes alive itself. It saves the liveness checks of each segment, about a nanosecond each. No
 * call makes an object, and none tells errno. Each is linked when it is first needed. <b>A function
 * that was not made known does not get called, but another one of those that were.</b>
 */
public final class AddressCalls {

    private static final FunctionDescriptor POST = descriptor(C_INT, C_LONG, C_LONG, C_LONG);

    private AddressCalls() {}

    /** {@code ibv_post_send}. */
    public static final class PostSend {

        private static final KnownFunctions FUNCTIONS = new KnownFunctions();

        /** Function, queue, first request, place for the address of the one that failed. */
        public static final MethodHandle CALL = Native.hot(POST, FUNCTIONS);

        private PostSend() {}

        /** Makes a function known, for good. */
        public static void know(long function) {
            FUNCTIONS.add(function);
        }
    }

    /** {@code ibv_post_recv}, {@code ibv_post_srq_recv} and {@code ibv_post_wq_recv}. */
    public static final class PostRecv {

        private static final KnownFunctions FUNCTIONS = new KnownFunctions();

        /** Function, queue, first request, place for the address of the one that failed. */
        public static final MethodHandle CALL = Native.hot(POST, FUNCTIONS);

        private PostRecv() {}

        /** Makes a function known, for good. */
        public static void know(long function) {
            FUNCTIONS.add(function);
        }
    }

    /**
     * {@code ibv_poll_cq}. Without the state change of the thread, so it delays safepoints while it
     * runs: only for a provider whose poll never waits, and never between {@link
     * PollVerbs#ibv_start_poll} and {@link PollVerbs#ibv_end_poll} of any thread.
     */
    public static final class PollCq {

        private static final KnownFunctions FUNCTIONS = new KnownFunctions();

        /** Function, queue, room, completions. */
        public static final MethodHandle CALL =
                Native.critical(descriptor(C_INT, C_LONG, C_INT, C_LONG), FUNCTIONS);

        private PollCq() {}

        /** Makes a function known, for good. */
        public static void know(long function) {
            FUNCTIONS.add(function);
        }
    }

    /** {@code ibv_get_cq_event}. */
    public static final class GetCqEvent {

        /** Channel, places for the addresses of the queue and of its cq_context. */
        public static final MethodHandle CALL =
                symbol("ibv_get_cq_event", descriptor(C_INT, C_LONG, C_LONG, C_LONG));

        private GetCqEvent() {}
    }

    /** {@code ibv_ack_cq_events}. */
    public static final class AckCqEvents {

        /** Queue, number of events. */
        public static final MethodHandle CALL =
                symbol("ibv_ack_cq_events", descriptor(null, C_LONG, C_INT));

        private AckCqEvents() {}
    }

    private static MethodHandle symbol(String name, FunctionDescriptor descriptor) {
        return Native.hotSymbol(NativeLibrary.IBVERBS.symbol(name), descriptor);
    }

    /** {@code ibv_req_notify_cq}. */
    public static final class ReqNotifyCq {

        private static final KnownFunctions FUNCTIONS = new KnownFunctions();

        /** Function, queue, 0 for any completion. */
        public static final MethodHandle CALL =
                Native.hot(descriptor(C_INT, C_LONG, C_INT), FUNCTIONS);

        private ReqNotifyCq() {}

        /** Makes a function known, for good. */
        public static void know(long function) {
            FUNCTIONS.add(function);
        }
    }
}
