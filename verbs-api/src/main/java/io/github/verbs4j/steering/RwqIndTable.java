package io.github.verbs4j.steering;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.Context;
import io.github.verbs4j.ffi.SteeringVerbs;
import io.github.verbs4j.ffi.ibv_rwq_ind_table;
import io.github.verbs4j.ffi.ibv_rwq_ind_table_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Which work queue a hash value leads to: C's {@code struct ibv_rwq_ind_table}. The lowest bits of
 * the hash choose an entry. Safe for any thread.
 */
public final class RwqIndTable implements AutoCloseable {

    private final Context context;
    private final List<WorkQueue> entries;
    private final NativeHandle handle;

    private RwqIndTable(List<WorkQueue> queues) {
        this.entries = List.copyOf(queues);
        if (Integer.bitCount(entries.size()) != 1) {
            throw new IllegalArgumentException(entries.size() + " entries, must be a power of two");
        }
        this.context = entries.getFirst().context();
        for (WorkQueue entry : entries) {
            Check.sameContext("an entry", entry.context(), context);
        }
        this.handle =
                NativeHandle.create(
                        "RwqIndTable",
                        this::create,
                        pointer ->
                                Check.zero(
                                        "ibv_destroy_rwq_ind_table",
                                        SteeringVerbs.ibv_destroy_rwq_ind_table(pointer)),
                        entries.stream()
                                .distinct()
                                .map(WorkQueue::handleOf)
                                .toArray(NativeHandle[]::new));
        LeakDetector.watch(this, handle);
    }

    private MemorySegment create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = arena.allocate(ADDRESS, entries.size());
            for (int i = 0; i < entries.size(); i++) {
                table.setAtIndex(ADDRESS, i, entries.get(i).handle());
            }
            MemorySegment attr = ibv_rwq_ind_table_init_attr.allocate(arena);
            ibv_rwq_ind_table_init_attr.log_ind_tbl_size(
                    attr, Integer.numberOfTrailingZeros(entries.size()));
            ibv_rwq_ind_table_init_attr.ind_tbl(attr, table);
            return Check.notNull(
                    "ibv_create_rwq_ind_table",
                    SteeringVerbs.ibv_create_rwq_ind_table(context.handle(), attr),
                    errno -> entries.size() + " entries");
        }
    }

    /**
     * Creates an indirection table.
     *
     * @param entries the work queues, of one context, 1, 2, 4, 8… of them; one may occur several
     *     times
     * @return the table; close it
     * @throws IllegalArgumentException when the number is no power of two, or the queues are of
     *     several contexts
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no such tables
     * @throws VerbsException EINVAL: more entries than the device allows, see {@link
     *     io.github.verbs4j.types.RssCaps#maxRwqIndirectionTableSize}
     * @verbs.calls ibv_create_rwq_ind_table
     */
    public static RwqIndTable create(List<WorkQueue> entries) {
        return new RwqIndTable(entries);
    }

    /**
     * The context it belongs to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * The work queues.
     *
     * @return the entries, in order
     */
    public List<WorkQueue> entries() {
        return entries;
    }

    /**
     * Its number.
     *
     * @return C's {@code ind_tbl_num}
     */
    public int indTblNum() {
        return handle.call(
                table ->
                        ibv_rwq_ind_table.ind_tbl_num(
                                Structs.view(table, ibv_rwq_ind_table.sizeof())));
    }

    /**
     * Tells whether the table has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_rwq_ind_table *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queue pairs that use it, newest first, and the table.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_rwq_ind_table
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle + entries.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
