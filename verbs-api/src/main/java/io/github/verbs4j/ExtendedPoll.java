package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.ffi.ibv_poll_cq_attr;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The calls that a poll of an extended queue makes. For one thread at a time. */
final class ExtendedPoll {

    /** A {@code struct ibv_poll_cq_attr} without extensions. */
    private static final MemorySegment NO_ATTR = ibv_poll_cq_attr.allocate(Arena.ofAuto());

    private final MemorySegment tmInfo = ibv_wc_tm_info.allocate(Arena.ofAuto());
    private final boolean oneByOne;

    /** What a poll met behind completions that it had to hand over first. */
    private int pending;

    /**
     * A poll.
     *
     * @param oneByOne for rxe, which before rdma-core 56 breaks its queue when {@code
     *     ibv_next_poll} meets the end
     */
    ExtendedPoll(boolean oneByOne) {
        this.oneByOne = oneByOne;
    }

    /** Adds up to {@code max} completions, 1 or more, to an empty array. */
    void take(CompletionCalls cq, WcArrayEx wc, int max) {
        if (oneByOne) {
            takeEach(cq, wc, max);
        } else {
            takeBatch(cq, wc, max);
        }
    }

    private void takeBatch(CompletionCalls cq, WcArrayEx wc, int max) {
        if (!started(cq, wc)) {
            return;
        }
        try {
            int errno;
            do {
                wc.add(cq, tmInfo);
                errno = wc.count() < max ? Math.abs(cq.ibv_next_poll()) : Errno.ENOENT;
            } while (errno == 0);
            pending = errno == Errno.ENOENT ? 0 : errno;
        } finally {
            cq.ibv_end_poll();
        }
    }

    private void takeEach(CompletionCalls cq, WcArrayEx wc, int max) {
        while (wc.count() < max && started(cq, wc)) {
            try {
                wc.add(cq, tmInfo);
            } finally {
                cq.ibv_end_poll();
            }
        }
    }

    /** Starts a poll. When it returns false the provider holds no lock, and none may be ended. */
    private boolean started(CompletionCalls cq, WcArrayEx wc) {
        int errno = pending;
        if (errno == 0) {
            errno = Math.abs(cq.ibv_start_poll(NO_ATTR.address()));
        }
        pending = 0;
        if (errno == 0 || errno == Errno.ENOENT) {
            return errno == 0;
        }
        if (wc.count() == 0) {
            throw new VerbsException("ibv_start_poll", errno, "the completion queue is broken");
        }
        pending = errno;
        return false;
    }
}
