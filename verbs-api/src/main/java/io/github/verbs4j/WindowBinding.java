package io.github.verbs4j;

import io.github.verbs4j.internal.NativeHandle;

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
        unbound();
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

    /** No longer bound: invalidated by either side, or gone. */
    synchronized void unbound() {
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
