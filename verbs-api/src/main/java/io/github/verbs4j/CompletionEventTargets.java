package io.github.verbs4j;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The queues of a channel by the number that C hands back as their {@code cq_context}. It refers to
 * neither, so a queue that was lost does not keep its channel from being noticed as lost too.
 */
final class CompletionEventTargets {

    /** Slot 0 stays empty: queues without a channel carry that number. */
    private final List<WeakReference<CompletionQueue>> slots = new ArrayList<>();

    CompletionEventTargets() {
        slots.add(null);
    }

    /** Gives a queue the lowest free number. */
    synchronized int reserve(CompletionQueue cq) {
        WeakReference<CompletionQueue> reference = new WeakReference<>(cq);
        for (int slot = 1; slot < slots.size(); slot++) {
            if (slots.get(slot) == null) {
                slots.set(slot, reference);
                return slot;
            }
        }
        slots.add(reference);
        return slots.size() - 1;
    }

    /** Frees a number. */
    synchronized void forget(int slot) {
        slots.set(slot, null);
    }

    /** Returns the queue of that number, or null when its user lost it. */
    synchronized CompletionQueue get(int slot) {
        WeakReference<CompletionQueue> reference = slots.get(slot);
        return reference == null ? null : reference.get();
    }
}
