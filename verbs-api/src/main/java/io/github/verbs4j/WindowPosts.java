package io.github.verbs4j;

import static io.github.verbs4j.types.WrOpcode.LOCAL_INV;
import static io.github.verbs4j.types.WrOpcode.SEND_WITH_INV;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Posts the requests that bind and invalidate memory windows. Wrong ones are worse than an error:
 * on rxe, invalidating a window that is not bound brings the kernel down, this one's or the peer's.
 */
final class WindowPosts {

    // Not the public objects: a bound window, which its domain keeps, would keep them reachable.
    private final NativeHandle qp;
    private final NativeHandle pd;

    /** What this process took back from where the queue pair is connected; null until needed. */
    private PeerWindows peer;

    private int generation;

    WindowPosts(NativeHandle qp, NativeHandle pd) {
        this.qp = qp;
        this.pd = pd;
    }

    NativeHandle handle() {
        return qp;
    }

    /** Counts resets: what was bound before one is no longer known to be. */
    int generation() {
        return generation;
    }

    synchronized void reset() {
        generation++;
        if (peer != null) {
            peer.leave(qp);
            peer = null;
        }
    }

    /** The peer has bound a window anew under this rkey. */
    synchronized void forget(int peerRkey) {
        if (peer != null) {
            peer.remove(peerRkey);
        } else if (qp.isOpen()) {
            // Not kept: the queue pair may not be connected yet.
            PeerWindows there = PeerWindows.of(qp);
            there.remove(peerRkey);
            there.leave(qp);
        }
    }

    /**
     * Posts a request as it was found to be when it was checked: another thread may change it
     * meanwhile, so what decides is put in the copy that is posted.
     */
    @FunctionalInterface
    interface Call {
        /** Completes the copy that is posted, and posts it; returns 0 or errno. */
        int post(Consumer<InlineImage> completion);
    }

    synchronized int post(SendWr wr, WrOpcode opcode, Call call) {
        return switch (opcode) {
            case BIND_MW -> bind(wr, call);
            case LOCAL_INV -> localInv(wr, call);
            default -> sendWithInv(wr, call);
        };
    }

    private int bind(SendWr wr, Call call) {
        MemoryWindow window = wr.window();
        MwBind target = wr.bind();
        if (window == null || target == null) {
            throw new IllegalStateException("BIND_MW without a window; set it by bindMw");
        }
        checkBind(window, target, MwType.TYPE_2);
        WindowBinding binding = window.binding();
        synchronized (binding) {
            if (binding.isBound()) {
                throw notBindable(window);
            }
            int rkey = DeviceMemoryVerbs.ibv_inc_rkey(binding.rkey());
            return bind(window, target, call, rkey);
        }
    }

    /**
     * Enters all three until the tie is noted: the region and the queue pair must close the window
     * before they end, or the one cannot end and the other hangs the kernel.
     */
    private int bind(MemoryWindow bound, MwBind target, Call call, int rkey) {
        NativeHandle window = bound.nativeHandle();
        NativeHandle region = target.mr().nativeHandle();
        MemorySegment mw = window.acquire();
        try {
            MemorySegment mr = region.acquire();
            try {
                qp.acquire();
                try {
                    int errno = call.post(image -> image.placeBind(mw, rkey, mr, target));
                    if (errno == 0) {
                        // Providers name the window in the next bind by this field, which they
                        // leave to the program after a type 2 bind.
                        ibv_mw.rkey(Structs.view(mw, ibv_mw.sizeof()), rkey);
                        bound.binding().bound(this, region, rkey);
                    }
                    return errno;
                } finally {
                    qp.release();
                }
            } finally {
                region.release();
            }
        } finally {
            window.release();
        }
    }

    /** Refuses what would fail late, or not at all. */
    void checkBind(MemoryWindow window, MwBind target, MwType type) {
        if (window.type() != type) {
            throw new IllegalArgumentException(
                    window + " is of " + window.type() + ", this binds " + type);
        }
        if (window.pd().nativeHandle() != pd || target.mr().pd().nativeHandle() != pd) {
            throw new IllegalArgumentException(
                    "window, region and queue pair must be of one protection domain");
        }
    }

    static IllegalStateException notBindable(MemoryWindow window) {
        return new IllegalStateException(
                window
                        + " is bound; invalidate it first, or if its bind failed or its queue pair"
                        + " was reset, close it and allocate another");
    }

    static IllegalStateException notInvalidatable(MemoryWindow window) {
        return new IllegalStateException(
                window
                        + (window.type() == MwType.TYPE_1
                                ? " is of type 1: bind it to no bytes instead"
                                : " is not bound on this queue pair, was invalidated already, or"
                                        + " was bound before the queue pair was reset: then close"
                                        + " it and allocate another"));
    }

    private int localInv(SendWr wr, Call call) {
        MemoryWindow window = wr.window();
        if (window == null) {
            throw new IllegalStateException("LOCAL_INV without a window; set it by localInv");
        }
        WindowBinding binding = window.binding();
        synchronized (binding) {
            if (!binding.isBoundOn(this)) {
                throw notInvalidatable(window);
            }
            int rkey = binding.rkey();
            int errno =
                    window.nativeHandle()
                            .call(
                                    _ ->
                                            call.post(
                                                    image ->
                                                            image.placeInvalidation(
                                                                    LOCAL_INV, rkey)));
            if (errno == 0) {
                binding.invalidating();
            }
            return errno;
        }
    }

    private int sendWithInv(SendWr wr, Call call) {
        int rkey = wr.invalidateRkey();
        invalidate(rkey);
        int errno = -1;
        try {
            errno = call.post(image -> image.placeInvalidation(SEND_WITH_INV, rkey));
            return errno;
        } finally {
            if (errno != 0) {
                notInvalidated(rkey);
            }
        }
    }

    private PeerWindows peer() {
        if (peer == null) {
            peer = PeerWindows.of(qp);
        }
        return peer;
    }

    /**
     * Notes that this side takes an rkey back; refuses to take one twice, or one of a window of
     * this process that is not bound. Those of other processes cannot be asked.
     */
    synchronized void invalidate(int rkey) {
        WindowBinding own = MemoryWindows.open(rkey, peer());
        if (own != null && !own.take(rkey)) {
            throw new IllegalStateException(
                    String.format(
                            "rkey 0x%x is of a window of this process that is not bound under it,"
                                    + " or was invalidated already; bind it anew",
                            rkey));
        }
        if (own == null && !peer().add(rkey)) {
            throw new IllegalStateException(
                    String.format(
                            "rkey 0x%x was invalidated already; call peerRebound when the peer has"
                                    + " bound it anew",
                            rkey));
        }
    }

    /** Undoes {@link #invalidate}: the request was not posted. */
    synchronized void notInvalidated(int rkey) {
        WindowBinding own = MemoryWindows.open(rkey, peer());
        if (own != null) {
            own.untake(rkey);
        } else {
            peer().remove(rkey);
        }
    }
}
