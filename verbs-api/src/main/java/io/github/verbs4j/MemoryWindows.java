package io.github.verbs4j;

import io.github.verbs4j.internal.GidTable;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The type 2 windows of a context that are bound, by their rkeys; and those of the whole process
 * that are open, by the part of the rkey that no bind changes.
 */
final class MemoryWindows {

    /** More GIDs than devices have. */
    private static final int GIDS = 4096;

    private static final Map<Integer, List<WindowBinding>> OPEN = new ConcurrentHashMap<>();

    private final NativeHandle context;

    private final Map<Integer, WindowBinding> bound = new ConcurrentHashMap<>();

    /**
     * Not volatile: each poll reads it, after a native call that it cannot be read ahead of, and a
     * volatile read would make the caller's loop over the completions load their count again.
     */
    private boolean any;

    MemoryWindows(NativeHandle context) {
        this.context = context;
    }

    private static int index(int rkey) {
        return rkey >>> 8;
    }

    static void opened(int rkey, WindowBinding binding) {
        OPEN.compute(
                index(rkey),
                (_, windows) -> {
                    List<WindowBinding> all =
                            windows == null ? new CopyOnWriteArrayList<>() : windows;
                    all.add(binding);
                    return all;
                });
    }

    static void closed(int rkey, WindowBinding binding) {
        OPEN.computeIfPresent(
                index(rkey),
                (_, windows) -> {
                    windows.remove(binding);
                    return windows.isEmpty() ? null : windows;
                });
    }

    /** The window of this process that an rkey means at a destination, or null. */
    static WindowBinding open(int rkey, PeerWindows peer) {
        Gid destination = peer.gid();
        for (WindowBinding binding : OPEN.getOrDefault(index(rkey), List.of())) {
            if (destination != null && binding.registry().isAt(destination)) {
                return binding;
            }
        }
        return null;
    }

    private boolean isAt(Gid destination) {
        try {
            return context.within(device -> GidTable.read(device, GIDS)).stream()
                    .anyMatch(entry -> entry.gid().equals(destination));
        } catch (VerbsException | IllegalStateException e) {
            return false; // closing, and the window with it
        }
    }

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
