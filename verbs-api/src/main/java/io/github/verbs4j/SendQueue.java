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
import io.github.verbs4j.types.WrOpcode;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The sending half of a queue pair: posts requests, and keeps from the provider those that would
 * hang, be lost, or bring the process or the kernel down.
 *
 * <p>A request's {@linkplain SendWr#traits traits} are tested against the {@link #gate} with one
 * instruction; what passes goes straight to the provider, the rest takes a longer way.
 */
final class SendQueue {

    /** The gate that turns requests back before they enter the queue pair. */
    private static final int SHUT = ~0;

    private static final Consumer<InlineImage> UNCHANGED = _ -> {};

    private final NativeHandle handle;
    private final long postSend;
    private final int maxSge;
    private final int maxInline;
    private final boolean siw;
    private final boolean batchesOnly;
    private final UdPosts ud;
    private final WindowPosts windows;

    private QpState state = QpState.RESET;
    private int maxRdAtomic;
    private volatile int gate = SHUT;

    SendQueue(QueuePair qp, NativeHandle handle, QpCap cap) {
        Context context = qp.context();
        this.handle = handle;
        this.postSend = DataPath.linkPostSend(context.operations().postSend());
        this.maxSge = cap.maxSendSge();
        this.maxInline = cap.maxInlineData();
        this.siw = context.provider() == Provider.SIW;
        this.batchesOnly = qp.qpType() == QpType.DRIVER;
        this.ud = qp.qpType() == QpType.UD ? new UdPosts(qp.pd()) : null;
        NativeHandle pd = qp.pd() == null ? null : qp.pd().nativeHandle();
        this.windows = new WindowPosts(handle, pd);
    }

    /** Lets nothing pass from now on, and waits for what has passed already. */
    void suspend() {
        state = QpState.RESET;
        gate = SHUT;
        handle.awaitGated();
    }

    /** The queue pair may have changed: decides anew what passes the gate. */
    void changed(QpState newState, int newMaxRdAtomic) {
        state = newState;
        maxRdAtomic = newMaxRdAtomic;
        int refused =
                SendWr.INLINE
                        | SendWr.WINDOW
                        | SendWr.UNREGISTERED
                        | SendWr.CHAINED
                        | SendWr.LENGTH;
        if (!takesRequests() || siw || ud != null || batchesOnly) {
            refused |= SendWr.ANY;
        }
        if (maxRdAtomic == 0) {
            refused |= SendWr.RD_ATOMIC;
        }
        gate = refused;
    }

    /** The queue pair sends through this port from now on; 0 when that is not known. */
    void port(int port) {
        if (ud != null) {
            ud.port(port);
        }
    }

    /** Refuses a datagram that does not fit in a packet. */
    void checkDatagram(long length) {
        ud.checkLength(length);
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
            throw SendFailures.of(errno);
        }
    }

    boolean tryPost(SendWr wr) {
        int errno = tryPost0(wr);
        if (errno != 0 && errno != Errno.ENOMEM) {
            throw SendFailures.of(errno);
        }
        return errno == 0;
    }

    /**
     * Enters the queue pair to post; {@link #leave()} ends that. The gate is read once more inside,
     * so that {@link #suspend} knows who passed it. Looked at before, it keeps threads that go on
     * posting from being inside again and again while {@link #suspend} waits for the last to leave.
     */
    long enter() {
        if (gate == SHUT && handle.isOpen()) {
            requireSends();
        }
        return handle.enterGate();
    }

    /** Leaves the queue pair after {@link #enter}. */
    void leave() {
        handle.leaveGate();
    }

    private int tryPost0(SendWr wr) {
        Objects.requireNonNull(wr, "wr");
        // Read first: nothing overtakes the atomic addition by which the queue pair is entered.
        int traits = wr.traits();
        boolean fits = wr.maxSge() <= maxSge;
        long address = wr.address();
        long badWr = wr.badWr();
        long function = postSend;
        long qp = enter();
        try {
            return (traits & gate) == 0 && fits
                    ? Math.abs(DataPath.postSend(function, qp, address, badWr))
                    : guarded(qp, wr);
        } finally {
            leave();
            Reference.reachabilityFence(wr);
        }
    }

    /** Whoever calls keeps the requests reachable, whose memory this is. */
    private int call(long qp, long wr, long badWr) {
        return Math.abs(DataPath.postSend(postSend, qp, wr, badWr));
    }

    private int guarded(long qp, SendWr wr) {
        checkElements(wr);
        checkAllowed(wr);
        if (ud != null) {
            return image(qp, wr);
        }
        WrOpcode opcode = wr.opcode();
        return switch (opcode) {
            case BIND_MW, LOCAL_INV, SEND_WITH_INV ->
                    windows.post(wr, opcode, completion -> copy(qp, wr, completion));
            default -> image(qp, wr);
        };
    }

    /** Posts a request alone, by way of its inline image if it has one. */
    private int image(long qp, SendWr wr) {
        boolean inPlace = isPostedInPlace(wr) && (wr.traits() & SendWr.CHAINED) == 0;
        return inPlace ? call(qp, wr.address(), wr.badWr()) : copy(qp, wr, UNCHANGED);
    }

    private int copy(long qp, SendWr wr, Consumer<InlineImage> completion) {
        synchronized (wr.block()) {
            try {
                long built = build(wr);
                completion.accept(wr.image());
                return call(qp, built, wr.image().badWr());
            } finally {
                wr.image().leave();
            }
        }
    }

    /** Not where the provider, or siw's kernel module, cannot take what threads may change. */
    private boolean isPostedInPlace(SendWr wr) {
        return ud == null && !siw && wr.maxSge() <= maxSge && (wr.traits() & SendWr.INLINE) == 0;
    }

    private long build(SendWr wr) {
        if (ud != null) {
            return ud.build(wr, maxInline);
        }
        boolean inline = (wr.traits() & SendWr.INLINE) != 0;
        return inline ? wr.image().build(wr, maxInline) : wr.image().copyAll(wr, maxSge, siw);
    }

    /** Posts the first {@code count} of a chain; returns how many, fewer when the queue is full. */
    int tryPost(SendWrArray wrs, int count) {
        Check.range("count", count, 1, wrs.capacity());
        WrMemory block = wrs.memory();
        block.clearBad();
        long qp = enter();
        try {
            return (block.traits() & gate) == 0 && block.maxSge() <= maxSge
                    ? chain(qp, wrs, count)
                    : guarded(qp, wrs, count);
        } finally {
            leave();
            Reference.reachabilityFence(wrs);
        }
    }

    private int chain(long qp, SendWrArray wrs, int count) {
        WrMemory block = wrs.memory();
        boolean partial = count < wrs.capacity();
        if (partial) {
            block.link(count - 1, false);
        }
        int errno;
        try {
            errno = call(qp, wrs.get(0).address(), block.badWr());
        } finally {
            if (partial) {
                block.link(count - 1, true);
            }
        }
        return errno == 0 ? count : posted(errno, block.badIndex());
    }

    private int guarded(long qp, SendWrArray wrs, int count) {
        int traits = 0;
        for (int i = 0; i < count; i++) {
            SendWr wr = wrs.get(i);
            checkElements(wr);
            checkAllowed(wr);
            traits |= wr.traits();
        }
        if ((traits & SendWr.WINDOW) != 0) {
            return oneByOne(qp, wrs, count);
        }
        WrMemory block = wrs.memory();
        synchronized (block) {
            try {
                long first = 0;
                for (int i = count - 1; i >= 0; i--) {
                    first = linked(wrs.get(i), i, first);
                }
                int errno = call(qp, first, block.badWr());
                return errno == 0 ? count : posted(errno, badIndex(wrs, count));
            } finally {
                for (int i = 0; i < count; i++) {
                    block.link(i, i + 1 < wrs.capacity());
                    leave(wrs.get(i));
                }
            }
        }
    }

    /** Links a request to the next; returns where it lies, or where its image does. */
    private long linked(SendWr wr, int index, long next) {
        if (isPostedInPlace(wr)) {
            wr.block().link(index, next);
            return wr.address();
        }
        long built = build(wr);
        wr.image().link(next);
        return built;
    }

    private void leave(SendWr wr) {
        if (ud != null) {
            wr.image().leave();
        }
    }

    /** A window's state decides what may follow, so each request must have been taken. */
    private int oneByOne(long qp, SendWrArray wrs, int count) {
        WrMemory block = wrs.memory();
        for (int i = 0; i < count; i++) {
            block.link(i, false);
            int errno;
            try {
                errno = guarded(qp, wrs.get(i));
            } catch (IllegalStateException | IllegalArgumentException e) {
                if (i == 0) {
                    throw e;
                }
                PostException failure =
                        new PostException("ibv_post_send", Errno.EINVAL, i, e.getMessage());
                failure.addSuppressed(e);
                throw failure;
            } finally {
                block.link(i, i + 1 < wrs.capacity());
            }
            if (errno != 0) {
                return posted(errno, i);
            }
        }
        return count;
    }

    private int badIndex(SendWrArray wrs, int count) {
        long bad = wrs.memory().badAddress();
        for (int i = 0; i < count; i++) {
            SendWr wr = wrs.get(i);
            long address = isPostedInPlace(wr) ? wr.address() : wr.image().address();
            if (bad == address) {
                return i;
            }
        }
        return -1;
    }

    private int posted(int errno, int index) {
        if (errno == Errno.ENOMEM && index >= 0) {
            return index;
        }
        throw SendFailures.of(errno, index);
    }

    private void checkElements(SendWr wr) {
        if (wr.numSge() > maxSge && (wr.traits() & SendWr.INLINE) == 0) {
            throw new IllegalArgumentException(
                    wr.numSge() + " gather elements, the queue pair takes " + maxSge);
        }
    }

    private void checkAllowed(SendWr wr) {
        requireClassic();
        if (ud != null) {
            ud.check(wr);
        }
        int traits = wr.traits();
        requireRdAtomic(traits, wr.opcode());
        if ((traits & SendWr.LENGTH) != 0) {
            wr.checkLength();
        }
        if ((traits & SendWr.INLINE) != 0) {
            wr.checkInline();
            return;
        }
        if ((traits & SendWr.UNREGISTERED) != 0) {
            wr.checkRegistered();
        }
    }

    /** Refuses requests of these traits as {@link #post} would; the caller is inside the queue. */
    void admit(int traits) {
        if ((traits & gate & (SendWr.ANY | SendWr.RD_ATOMIC)) != 0) {
            requireSends();
            requireRdAtomic(traits, "a READ or atomic");
        }
    }

    private void requireRdAtomic(int traits, Object request) {
        if ((traits & SendWr.RD_ATOMIC) != 0 && maxRdAtomic == 0) {
            throw new IllegalStateException(
                    request + " would never complete: the queue pair's max_rd_atomic is 0");
        }
    }

    /** Refuses what takes no requests made of structures, which have no room for a DC target. */
    void requireClassic() {
        requireSends();
        if (batchesOnly) {
            throw new IllegalStateException("a DC initiator takes its requests by a SendBatch");
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
}
