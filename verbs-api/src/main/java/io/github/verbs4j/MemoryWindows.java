package io.github.verbs4j;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The type 2 windows of a context that are bound, by their rkeys. */
final class MemoryWindows {

    private final Map<Integer, WindowBinding> bound = new ConcurrentHashMap<>();
    private volatile boolean any;

    /** False as long as nobody binds windows, which keeps polling free of them. */
    boolean anyBound() {
        return any;
    }

    synchronized void bound(int rkey, WindowBinding binding) {
        bound.put(rkey, binding);
        any = true;
    }

    synchronized void unbound(int rkey) {
        bound.remove(rkey);
        any = !bound.isEmpty();
    }

    /** Notes which windows peers have taken back by SEND_WITH_INV. */
    void noteInvalidated(WcArray wc) {
        for (int i = 0; i < wc.count(); i++) {
            if (wc.isSuccess(i) && wc.isInvalidated(i)) {
                noteInvalidated(wc.invalidatedRkey(i));
            }
        }
    }

    /** Notes that a peer has taken a window back. */
    void noteInvalidated(int rkey) {
        WindowBinding binding = bound.get(rkey);
        if (binding != null) {
            binding.unbound();
        }
    }
}
