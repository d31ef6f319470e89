package io.github.verbs4j;

import io.github.verbs4j.internal.NativeHandle;
import java.util.HashSet;
import java.util.Set;

/**
 * What a memory window is bound to, as far as this side knows. Kept apart from {@link MemoryWindow}
 * so that it can be settled after that was lost. Guarded by itself.
 */
final class WindowBinding {

    private final MemoryWindows registry;
    private NativeHandle window;
    private NativeHandle region;
    private WindowPosts queue;
    private int generation;
    private int rkey;

    /** A SEND_WITH_INV of this process was posted that takes it back, and may have already. */
    private boolean taken;

    /** Queue pairs that were told to invalidate the window, and perhaps did not. */
    private final Set<NativeHandle> asked = new HashSet<>();

    WindowBinding(MemoryWindows registry) {
        this.registry = registry;
    }

    synchronized void opened(NativeHandle newWindow, int newRkey) {
        window = newWindow;
        rkey = newRkey;
        taken = false;
    }

    MemoryWindows registry() {
        return registry;
    }

    synchronized int rkey() {
        return rkey;
    }

    synchronized boolean isBound() {
        return region != null;
    }

    /** What the window is bound to, or null. */
    synchronized NativeHandle region() {
        return region;
    }

    /** Bound by a work request on a queue pair: both must close it before they end. */
    synchronized void bound(WindowPosts newQueue, NativeHandle newRegion, int newRkey) {
        release();
        queue = newQueue;
        generation = newQueue.generation();
        region = newRegion;
        rkey = newRkey;
        taken = false;
        newRegion.adopt(window);
        newQueue.handle().adopt(window);
        registry.bound(newRkey, this);
    }

    /** Bound by {@code ibv_bind_mw}: a queue pair may end before such a window. */
    synchronized void boundType1(NativeHandle newRegion, int newRkey) {
        unbound();
        region = newRegion;
        rkey = newRkey;
        newRegion.adopt(window);
    }

    /**
     * Asked to be unbound by a request on its queue pair. That may fail or be flushed unseen, and a
     * queue pair that ends with a window bound hangs the kernel: it closes the window first.
     */
    synchronized void invalidating() {
        NativeHandle owner = queue.handle();
        release();
        asked.add(owner);
        owner.adopt(window);
    }

    /** Certainly not bound: taken back by the peer, or gone. */
    synchronized void unbound() {
        release();
        asked.forEach(owner -> owner.disown(window));
        asked.clear();
    }

    private void release() {
        if (region != null) {
            region.disown(window);
            region = null;
        }
        if (queue != null) {
            queue.handle().disown(window);
            queue = null;
            registry.unbound(rkey);
        }
    }

    /** Bound through this very queue pair, not reset since, and not given to a SEND_WITH_INV. */
    synchronized boolean isBoundOn(WindowPosts posts) {
        return queue == posts && generation == posts.generation() && !taken;
    }

    /** Lets one SEND_WITH_INV take it back; false when it is not bound under that rkey. */
    synchronized boolean take(int byRkey) {
        if (queue == null || rkey != byRkey || taken) {
            return false;
        }
        taken = true;
        return true;
    }

    /** That request was not posted. */
    synchronized void untake(int byRkey) {
        if (rkey == byRkey) {
            taken = false;
        }
    }
}
