package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.MainFriend;
import io.github.verbs4j.internal.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The contexts that librdmacm opens, one per device for all ids: one Java object each, and one
 * default protection domain. librdmacm's own default domain goes with the last id, so ours is not
 * that one.
 */
final class SharedContexts {

    static final MainFriend<
                    Device,
                    Context,
                    ProtectionDomain,
                    QpInitAttr,
                    QueuePair,
                    QpInitAttrEx,
                    QueuePairEx,
                    RecvWr,
                    RecvWrArray>
            FRIEND = MainFriend.of(Context.class);

    private static final Map<Long, Context> CONTEXTS = new ConcurrentHashMap<>();
    private static final Map<Context, ProtectionDomain> DOMAINS = new ConcurrentHashMap<>();

    private SharedContexts() {}

    static Context of(MemorySegment verbs) {
        Context known = CONTEXTS.get(verbs.address());
        return known != null ? known : open(verbs);
    }

    private static synchronized Context open(MemorySegment verbs) {
        Context known = CONTEXTS.get(verbs.address());
        if (known == null) {
            // The list counts as a user of each device and is kept: a context whose device was
            // unplugged would otherwise be freed with its last id, under the Java objects on it.
            list();
            known = FRIEND.sharedContext(verbs);
            CONTEXTS.put(verbs.address(), known);
        }
        return known;
    }

    static boolean isShared(Context context) {
        return CONTEXTS.containsValue(context);
    }

    static ProtectionDomain defaultPd(Context context) {
        return DOMAINS.computeIfAbsent(context, FRIEND::sharedPd);
    }

    /** All devices. The caller frees the list, unless it is to keep them. */
    private static MemorySegment list() {
        return listInto(new int[1]);
    }

    private static MemorySegment listInto(int[] count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment n = arena.allocate(JAVA_INT);
            MemorySegment list =
                    Check.notNull(
                            "rdma_get_devices",
                            Check.present(() -> RdmaCmOptions.rdma_get_devices(n)),
                            EventChannel::explain);
            count[0] = n.get(JAVA_INT, 0);
            return Structs.view(list, (count[0] + 1) * ADDRESS.byteSize());
        }
    }

    static List<Context> devices() {
        int[] count = new int[1];
        MemorySegment list = listInto(count);
        try {
            List<Context> contexts = new ArrayList<>();
            for (int i = 0; i < count[0]; i++) {
                contexts.add(of(list.getAtIndex(ADDRESS, i)));
            }
            return List.copyOf(contexts);
        } finally {
            RdmaCmOptions.rdma_free_devices(list);
        }
    }
}
