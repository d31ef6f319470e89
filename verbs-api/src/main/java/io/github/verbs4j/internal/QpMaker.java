package io.github.verbs4j.internal;

import io.github.verbs4j.types.QpType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** How a native queue pair begins and ends: by libibverbs, or by librdmacm for an rdma_cm_id. */
public interface QpMaker {

    /** {@return the C function that creates it} */
    String verb();

    /**
     * Creates it.
     *
     * @param pd the native protection domain
     * @param init a filled {@code struct ibv_qp_init_attr}; gets the granted capabilities
     * @return the queue pair, or NULL with errno set
     */
    MemorySegment create(MemorySegment pd, MemorySegment init);

    /**
     * Destroys it.
     *
     * @param qp the queue pair
     */
    void destroy(MemorySegment qp);

    /** {@return what must outlive it beside its domain and completion queues, or null} */
    NativeHandle owner();

    /**
     * By which rules it changes state.
     *
     * @param type its type
     * @return the kind
     */
    default QpKind kind(QpType type) {
        return QpKind.of(type);
    }

    /**
     * Adds the {@link #owner} to the other parents.
     *
     * @param others the other parents
     * @return all of them
     */
    default NativeHandle[] parents(NativeHandle... others) {
        if (owner() == null) {
            return others;
        }
        NativeHandle[] all = Arrays.copyOf(others, others.length + 1);
        all[others.length] = owner();
        return all;
    }
}
