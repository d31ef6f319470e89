package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;

/**
 * The sending half of a queue pair: posts requests, and keeps from the provider those that would
 * hang, be lost, or bring the process or the kernel down.
 *
 * <p>A request's {@linkplain SendWr#traits traits} are tested against the {@link #gate} with one
 * instruction; what passes goes straight to the provider, the rest takes a longer way.
 */
final class SendQueue {

    private final NativeHandle handle;
    private final MemorySegment postSend;
    private final int maxSge;
    private final int maxInline;
    private final boolean siw;
    private final UdPosts ud;
    private final WindowPosts windows;

    private QpState state = QpState.RESET;
    private int maxRdAtomic;
    private volatile int gate = ~0;

    SendQueue(QueuePair qp, NativeHandle handle, QpCap cap) {
        Context context = qp.context();
        this.handle = handle;
        this.postSend = context.operations().postSend();
        this.maxSge = cap.maxSendSge();
        this.maxInline = cap.maxInlineData();
        this.siw = context.provider() == Provider.SIW;
        this.windows = new WindowPosts(qp);
        this.ud = qp.qpType() == QpType.UD ? new UdPosts(qp.pd()) : null;
    }

    /** The queue pair changed: decides anew what passes the gate. */
    void changed(QpState newState, int newMaxRdAtomic) {
        if (newState == QpState.RESET) {
            windows.reset();
        }
        state = newState;
        maxRdAtomic = newMaxRdAtomic;
        int refused = SendWr.INLINE | SendWr.WINDOW;
        if (!takesRequests() || siw || ud != null) {
            refused |= SendWr.ANY;
        }
        if (maxRdAtomic == 0) {
            refused |= SendWr.RD_ATOMIC;
        }
        gate = refused;
    }

    WindowPosts windows() {
        return windows;
    }

    /** In other states a post fails, yet rxe keeps the request and runs it later. */
    private boolean takesRequests() {
        return switch (state) {
            case RTS, SQD, SQE, ERR -> true;
            default -> false;
        };
    }

    void post(SendWr wr) {
        int errno = tryPost0(wr);
        if (errno != 0) {
            throw failure(errno, 0);
        }
    }

    boolean tryPost(SendWr wr) {
        int errno = tryPost0(wr);
        if (errno != 0 && errno != Errno.ENOMEM) {
            throw failure(errno, 0);
        }
        return errno == 0;
    }

    private int tryPost0(SendWr wr) {
        checkElements(wr);
        return (wr.traits() & gate) == 0 ? call(wr.self(), wr.badWr()) : guarded(wr);
    }

    private int call(MemorySegment wr, MemorySegment badWr) {
        MemorySegment qp = handle.acquire();
        try {
            return Math.abs(DataPath.post(postSend, qp, wr, badWr));
        } finally {
            handle.release();
        }
    }

    private int guarded(SendWr wr) {
        checkAllowed(wr);
        int traits = wr.traits();
        if ((traits & SendWr.WINDOW) != 0) {
            return windows.post(wr, () -> image(wr));
        }
        if (ud == null) {
            return image(wr);
        }
        ud.enter(wr);
        try {
            return image(wr);
        } finally {
            ud.leave(wr);
        }
    }

    /** Posts a request, by way of its inline image if it has one. */
    private int image(SendWr wr) {
        if ((wr.traits() & SendWr.INLINE) == 0) {
            return call(wr.self(), wr.badWr());
        }
        synchronized (wr.block()) {
            InlineImage image = wr.image();
            return call(image.build(wr, maxInline), image.badWr());
        }
    }

    /** Posts the first {@code count} of a chain; returns how many, fewer when the queue is full. */
    int tryPost(SendWrArray wrs, int count) {
        Check.range("count", count, 1, wrs.capacity());
        int traits = 0;
        for (int i = 0; i < count; i++) {
            SendWr wr = wrs.get(i);
            checkElements(wr);
            traits |= wr.traits();
        }
        WrMemory block = wrs.memory();
        block.clearBad();
        if ((traits & gate) != 0) {
            return guarded(wrs, count, traits);
        }
        boolean partial = count < wrs.capacity();
        if (partial) {
            block.link(count - 1, false);
        }
        int errno;
        try {
            errno = call(wrs.get(0).self(), block.badWr());
        } finally {
            if (partial) {
                block.link(count - 1, true);
            }
        }
        return errno == 0 ? count : posted(errno, block.badIndex());
    }

    private int guarded(SendWrArray wrs, int count, int traits) {
        for (int i = 0; i < count; i++) {
            checkAllowed(wrs.get(i));
        }
        if ((traits & SendWr.WINDOW) != 0) {
            return oneByOne(wrs, count);
        }
        if (ud == null) {
            return chain(wrs, count);
        }
        ud.enter(wrs, count);
        try {
            return chain(wrs, count);
        } finally {
            ud.leave(wrs, count);
        }
    }

    /** Posts requests as one chain, those with inline data by way of their images. */
    private int chain(SendWrArray wrs, int count) {
        WrMemory block = wrs.memory();
        synchronized (block) {
            try {
                long next = 0;
                MemorySegment first = null;
                for (int i = count - 1; i >= 0; i--) {
                    first = linked(wrs.get(i), i, next);
                    next = first.address();
                }
                int errno = call(first, block.badWr());
                return errno == 0 ? count : posted(errno, badIndex(wrs, count));
            } finally {
                for (int i = 0; i < count; i++) {
                    block.link(i, i + 1 < wrs.capacity());
                }
            }
        }
    }

    private MemorySegment linked(SendWr wr, int index, long next) {
        if ((wr.traits() & SendWr.INLINE) == 0) {
            wr.block().link(index, next);
            return wr.self();
        }
        MemorySegment built = wr.image().build(wr, maxInline);
        wr.image().link(next);
        return built;
    }

    /** A window's state decides what may follow, so each request must have been taken. */
    private int oneByOne(SendWrArray wrs, int count) {
        WrMemory block = wrs.memory();
        for (int i = 0; i < count; i++) {
            block.link(i, false);
            int errno;
            try {
                errno = guarded(wrs.get(i));
            } finally {
                block.link(i, i + 1 < wrs.capacity());
            }
            if (errno != 0) {
                return posted(errno, i);
            }
        }
        return count;
    }

    private static int badIndex(SendWrArray wrs, int count) {
        long bad = wrs.memory().badAddress();
        for (int i = 0; i < count; i++) {
            SendWr wr = wrs.get(i);
            boolean inline = (wr.traits() & SendWr.INLINE) != 0;
            if (bad == (inline ? wr.image().address() : wr.self().address())) {
                return i;
            }
        }
        return 0;
    }

    private int posted(int errno, int index) {
        if (errno == Errno.ENOMEM) {
            return index;
        }
        throw failure(errno, index);
    }

    private void checkElements(SendWr wr) {
        if (wr.numSge() > maxSge && (wr.traits() & SendWr.INLINE) == 0) {
            throw new IllegalArgumentException(
                    wr.numSge() + " gather elements, the queue pair takes " + maxSge);
        }
    }

    private void checkAllowed(SendWr wr) {
        if (!handle.isOpen()) {
            handle.pointer(); // throws, saying so
        }
        requireSends();
        if (ud != null) {
            ud.check(wr);
        }
        int traits = wr.traits();
        if ((traits & SendWr.RD_ATOMIC) != 0 && maxRdAtomic == 0) {
            throw new IllegalStateException(
                    wr.opcode() + " would never complete: the queue pair's max_rd_atomic is 0");
        }
        if ((traits & SendWr.INLINE) != 0) {
            checkInline(wr.opcode());
        }
        if (siw) {
            checkSiw(wr);
        }
    }

    /** Refuses the states that take no sends. */
    void requireSends() {
        if (!takesRequests()) {
            throw new IllegalStateException(
                    "the queue pair is in state "
                            + state
                            + ", sends need RTS (SQD holds them, ERR flushes them)");
        }
    }

    /** On a READ the flag fails late, on an atomic after the peer's memory has changed. */
    private static void checkInline(WrOpcode opcode) {
        switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {}
            default ->
                    throw new IllegalArgumentException(
                            SendFlags.toString(SendFlags.INLINE) + " does not go with " + opcode);
        }
    }

    /** An empty element between others makes the siw kernel module follow a null pointer. */
    private static void checkSiw(SendWr wr) {
        for (int i = 0; i < wr.numSge() - 1; i++) {
            if (wr.sgeLength(i) == 0 && wr.numSge() > 1) {
                throw new IllegalArgumentException(
                        "Soft-iWARP cannot send an empty element before another; leave element "
                                + i
                                + " out");
            }
        }
    }

    PostException failure(int errno, int index) {
        String detail =
                switch (errno) {
                    case Errno.ENOMEM -> "the send queue is full";
                    case Errno.EINVAL ->
                            "an operation, flag or element that the device does not take";
                    default -> "";
                };
        return new PostException("ibv_post_send", errno, index, detail);
    }
}
