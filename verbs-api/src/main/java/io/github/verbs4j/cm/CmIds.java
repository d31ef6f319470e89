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

    /**
     * Before the native id is destroyed: from now on its events find nobody, also once the next id
     * gets its address.
     *
     * @return what {@link #remove} wants
     */
    static Object closing(long address) {
        WeakReference<CmId> nobody = new WeakReference<>(null);
        WeakReference<CmId> reference = BY_ADDRESS.put(address, nobody);
        CmId id = reference == null ? null : reference.get();
        if (id != null) {
            PINNED.remove(id);
        }
        return nobody;
    }

    /** After the native id was destroyed, unless another has its address already. */
    static void remove(long address, Object closing) {
        BY_ADDRESS.remove(address, closing);
    }

    /** From inside the id: one that is closing is not to be pinned. */
    static void pin(CmId id) {
        PINNED.add(id);
    }

    static CmId find(long address) {
        WeakReference<CmId> reference = BY_ADDRESS.get(address);
        return reference == null ? null : reference.get();
    }

    /** Tells whether the native id is one of ours, be it in closing or lost by its user. */
    static boolean isOurs(long address) {
        return BY_ADDRESS.containsKey(address);
    }

    /** How many native ids there are. */
    static int size() {
        return BY_ADDRESS.size();
    }
}
