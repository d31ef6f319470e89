package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.MwType;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Posts the requests that bind and invalidate memory windows. Wrong ones are worse than an error:
 * on rxe, invalidating a window that is not bound brings the kernel down, this one's or the peer's.
 */
final class WindowPosts {

    // Not the public objects: a bound window, which its domain keeps, would keep them reachable.
    private final NativeHandle qp;
    private final NativeHandle pd;

    /** Rkeys of the peer's that this side has taken back, and the peer has not bound anew. */
    private final Set<Integer> invalidated = new HashSet<>();

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
        invalidated.clear();
    }

    synchronized void forget(int peerRkey) {
        invalidated.remove(peerRkey);
    }

    synchronized int post(SendWr wr, IntSupplier call) {
        return switch (wr.opcode()) {
            case BIND_MW -> bind(wr, call);
            case LOCAL_INV -> localInv(wr, call);
            default -> sendWithInv(wr, call);
        };
    }

    private int bind(SendWr wr, IntSupplier call) {
        MemoryWindow window = wr.window();
        MwBind target = wr.bind();
        if (window == null || target == null) {
            throw new IllegalStateException("BIND_MW without a window; set it by bindMw");
        }
        checkBind(window, target, MwType.TYPE_2);
        WindowBinding binding = window.binding();
        synchronized (binding) {
            if (binding.isBound()) {
                throw new IllegalStateException(window + " is bound; invalidate it first");
            }
            int rkey = DeviceMemoryVerbs.ibv_inc_rkey(binding.rkey());
            return bind(wr, call, rkey);
        }
    }

    /**
     * Enters all three until the tie is noted: the region and the queue pair must close the window
     * before they end, or the one cannot end and the other hangs the kernel.
     */
    private int bind(SendWr wr, IntSupplier call, int rkey) {
        MwBind target = wr.bind();
        NativeHandle window = wr.window().nativeHandle();
        NativeHandle region = target.mr().nativeHandle();
        MemorySegment mw = window.acquire();
        try {
            MemorySegment mr = region.acquire();
            try {
                qp.acquire();
                try {
                    wr.placeBind(mw, rkey, mr, target);
                    int errno = call.getAsInt();
                    if (errno == 0) {
                        // Providers name the window in the next bind by this field, which they
                        // leave to the program after a type 2 bind.
                        ibv_mw.rkey(Structs.view(mw, ibv_mw.sizeof()), rkey);
                        wr.window().binding().bound(this, region, rkey);
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

    static IllegalStateException notInvalidatable(MemoryWindow window) {
        return new IllegalStateException(
                window
                        + (window.type() == MwType.TYPE_1
                                ? " is of type 1: bind it to no bytes instead"
                                : " is not bound on this queue pair, or was invalidated already"));
    }

    private int localInv(SendWr wr, IntSupplier call) {
        MemoryWindow window = wr.window();
        if (window == null) {
            throw new IllegalStateException("LOCAL_INV without a window; set it by localInv");
        }
        WindowBinding binding = window.binding();
        synchronized (binding) {
            if (!binding.isBoundOn(this)) {
                throw notInvalidatable(window);
            }
            wr.placeLocalInv(binding.rkey());
            int errno = window.nativeHandle().call(mw -> call.getAsInt());
            if (errno == 0) {
                binding.invalidating();
            }
            return errno;
        }
    }

    private int sendWithInv(SendWr wr, IntSupplier call) {
        int rkey = wr.invalidateRkey();
        invalidate(rkey);
        int errno = -1;
        try {
            errno = call.getAsInt();
            return errno;
        } finally {
            if (errno != 0) {
                forget(rkey);
            }
        }
    }

    /** Notes that this side takes an rkey of the peer's; refuses to take one twice. */
    synchronized void invalidate(int peerRkey) {
        if (!invalidated.add(peerRkey)) {
            throw new IllegalStateException(
                    String.format(
                            "rkey 0x%x was invalidated already; call peerRebound when the peer has"
                                    + " bound it anew",
                            peerRkey));
        }
    }
}
