package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.MwType;
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

    /**
     * Posts one. The caller is inside the queue pair: one that closes meanwhile waits, and then
     * knows of the window bound here.
     */
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
            NativeHandle region = target.mr().nativeHandle();
            return window.nativeHandle()
                    .call(
                            mw ->
                                    region.call(
                                            mr -> {
                                                wr.placeBind(mw, rkey, mr, target);
                                                int errno = call.getAsInt();
                                                if (errno == 0) {
                                                    binding.bound(this, region, rkey);
                                                }
                                                return errno;
                                            }));
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

    private int localInv(SendWr wr, IntSupplier call) {
        MemoryWindow window = wr.window();
        if (window == null) {
            throw new IllegalStateException("LOCAL_INV without a window; set it by localInv");
        }
        WindowBinding binding = window.binding();
        synchronized (binding) {
            if (!binding.isBoundOn(this)) {
                throw new IllegalStateException(
                        window + " is not bound on this queue pair, or was invalidated already");
            }
            wr.placeLocalInv(binding.rkey());
            int errno = window.nativeHandle().call(mw -> call.getAsInt());
            if (errno == 0) {
                binding.unbound();
            }
            return errno;
        }
    }

    private int sendWithInv(SendWr wr, IntSupplier call) {
        int rkey = wr.invalidateRkey();
        if (invalidated.contains(rkey)) {
            throw new IllegalStateException(
                    String.format(
                            "rkey 0x%x was invalidated already; call peerRebound when the peer has"
                                    + " bound it anew",
                            rkey));
        }
        int errno = call.getAsInt();
        if (errno == 0) {
            invalidated.add(rkey);
        }
        return errno;
    }
}
