package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.AhAttrCodec;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.QpAttrMask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The rkeys at one destination that this process has taken back, and that were not bound anew as
 * far as it knows. Shared by the queue pairs that are connected there; forgotten with the last of
 * them.
 */
final class PeerWindows {

    private static final Map<Object, PeerWindows> ALL = new HashMap<>();

    private final Object destination;

    // Guarded by ALL:
    private final Set<NativeHandle> queues = new HashSet<>();
    private final Set<Integer> invalidated = new HashSet<>();

    private PeerWindows(Object destination) {
        this.destination = destination;
    }

    /** Those at the destination of a connected queue pair; the caller is inside that. */
    static PeerWindows of(NativeHandle qp) {
        Object destination = destination(qp);
        synchronized (ALL) {
            ALL.values().removeIf(PeerWindows::isOver);
            PeerWindows peer = ALL.computeIfAbsent(destination, PeerWindows::new);
            peer.queues.add(qp);
            return peer;
        }
    }

    private boolean isOver() {
        queues.removeIf(queue -> !queue.isOpen());
        return queues.isEmpty();
    }

    /** The queue pair is connected there no longer. */
    void leave(NativeHandle qp) {
        synchronized (ALL) {
            queues.remove(qp);
            if (isOver()) {
                ALL.remove(destination, this);
            }
        }
    }

    /** Where this is, or null when it is not known by a GID. */
    Gid gid() {
        return destination instanceof Gid gid ? gid : null;
    }

    /** Notes an rkey; false when it was noted before. */
    boolean add(int rkey) {
        synchronized (ALL) {
            return invalidated.add(rkey);
        }
    }

    void remove(int rkey) {
        synchronized (ALL) {
            invalidated.remove(rkey);
        }
    }

    /** A GID, a LID, or the queue pair itself where neither is known. */
    private static Object destination(NativeHandle qp) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_qp_attr.allocate(arena);
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            int mask = QpAttrMask.AV.value();
            if (qp.call(pointer -> QueuePairVerbs.ibv_query_qp(pointer, attr, mask, init)) != 0) {
                return qp;
            }
            AhAttr route = AhAttrCodec.read(ibv_qp_attr.ah_attr(attr));
            if (route.isGlobal()) {
                return route.grh().dgid();
            }
            return route.dlid() == 0 ? qp : (Object) route.dlid();
        }
    }
}
