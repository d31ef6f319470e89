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

    /** Queue pairs that were told to invalidate the window, and perhaps did not. */
    private final Set<NativeHandle> asked = new HashSet<>();

    WindowBinding(MemoryWindows registry) {
        this.registry = registry;
    }

    synchronized void opened(NativeHandle newWindow, int newRkey) {
        window = newWindow;
        rkey = newRkey;
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

    /** Bound through this very queue pair, which has not been reset since. */
    synchronized boolean isBoundOn(WindowPosts posts) {
        return queue == posts && generation == posts.generation();
    }
}
