package io.github.verbs4j.cm;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the Java object of a native id that an event names. Ids are held weakly, so that one that
 * its user lost is noticed; those that wait for an event are pinned, for the event brings them
 * back.
 */
final class CmIds {

    private static final Map<Long, WeakReference<CmId>> BY_ADDRESS = new ConcurrentHashMap<>();
    private static final Set<CmId> PINNED = ConcurrentHashMap.newKeySet();

    private CmIds() {}

    static void add(long address, CmId id) {
        BY_ADDRESS.put(address, new WeakReference<>(id));
    }

    /** Before the native id is destroyed: the next one may get its address. */
    static void remove(long address) {
        WeakReference<CmId> reference = BY_ADDRESS.remove(address);
        CmId id = reference == null ? null : reference.get();
        if (id != null) {
            PINNED.remove(id);
        }
    }

    static void pin(CmId id) {
        PINNED.add(id);
    }

    static CmId find(long address) {
        WeakReference<CmId> reference = BY_ADDRESS.get(address);
        return reference == null ? null : reference.get();
    }

    /** How many native ids there are. */
    static int size() {
        return BY_ADDRESS.size();
    }
}
