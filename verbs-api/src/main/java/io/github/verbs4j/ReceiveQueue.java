package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import java.lang.ref.Reference;

/** Posts receive requests, to a queue pair or a shared receive queue. */
final class ReceiveQueue {

    private final String verb;
    private final String refusal;
    private final NativeHandle handle;
    private final long function;
    private final int maxSge;

    /**
     * A queue.
     *
     * @param refusal what EINVAL says about it
     */
    ReceiveQueue(String verb, String refusal, NativeHandle handle, long function, int maxSge) {
        this.verb = verb;
        this.refusal = refusal;
        this.handle = handle;
        this.function = DataPath.linkPostRecv(function);
        this.maxSge = maxSge;
    }

    void post(RecvWr wr) {
        int errno = call(wr);
        if (errno != 0) {
            throw new PostException(verb, errno, detail(errno));
        }
    }

    boolean tryPost(RecvWr wr) {
        int errno = call(wr);
        if (errno != 0 && errno != Errno.ENOMEM) {
            throw new PostException(verb, errno, detail(errno));
        }
        return errno == 0;
    }

    void post(RecvWrArray wrs) {
        int posted = tryPost(wrs, wrs.capacity());
        if (posted < wrs.capacity()) {
            throw failure(Errno.ENOMEM, posted);
        }
    }

    int tryPost(RecvWrArray wrs, int count) {
        Check.range("count", count, 1, wrs.capacity());
        WrMemory block = wrs.memory();
        if (block.maxSge() > maxSge || block.traits() != 0) {
            for (int i = 0; i < count; i++) {
                checkElements(wrs.get(i));
            }
        }
        block.clearBad();
        boolean partial = count < wrs.capacity();
        if (partial) {
            block.link(count - 1, false);
        }
        int errno;
        try {
            errno = call(wrs.get(0).address(), block.badWr());
            Reference.reachabilityFence(wrs);
        } finally {
            if (partial) {
                block.link(count - 1, true);
            }
        }
        if (errno == 0) {
            return count;
        }
        int bad = block.badIndex();
        if (errno == Errno.ENOMEM && bad >= 0) {
            return bad;
        }
        throw failure(errno, bad);
    }

    private int call(RecvWr wr) {
        checkElements(wr);
        int errno = wr.isChained() ? alone(wr) : call(wr.address(), wr.badWr());
        Reference.reachabilityFence(wr);
        return errno;
    }

    /** Posts a request of a chain without those behind it. */
    private int alone(RecvWr wr) {
        wr.link(false);
        try {
            return call(wr.address(), wr.badWr());
        } finally {
            wr.link(true);
        }
    }

    private int call(long wr, long badWr) {
        long queue = handle.enter();
        try {
            return Math.abs(DataPath.postRecv(function, queue, wr, badWr));
        } finally {
            handle.release();
        }
    }

    private void checkElements(RecvWr wr) {
        if (wr.numSge() > maxSge) {
            throw new IllegalArgumentException(
                    wr.numSge() + " scatter elements, the queue takes " + maxSge);
        }
        if (wr.isLengthy()) {
            wr.checkLength();
        }
    }

    private PostException failure(int errno, int index) {
        return new PostException(verb, errno, index, detail(errno));
    }

    private String detail(int errno) {
        return switch (errno) {
            case Errno.ENOMEM -> "the receive queue is full";
            case Errno.EINVAL -> refusal;
            default -> "";
        };
    }
}
