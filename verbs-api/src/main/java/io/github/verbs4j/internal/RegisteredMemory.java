package io.github.verbs4j.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** The memory of a region: keeps it reachable while it is registered, and frees it if owned. */
public final class RegisteredMemory {

    private volatile MemorySegment segment;
    private Arena owned;

    /**
     * Memory to register.
     *
     * @param segment the memory
     * @param owned the arena to close with the region, or null when the memory is the caller's
     */
    public RegisteredMemory(MemorySegment segment, Arena owned) {
        this.segment = segment;
        this.owned = owned;
    }

    /**
     * The memory.
     *
     * @return what is registered
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Other memory, of the caller's, was registered instead.
     *
     * @param other that memory
     */
    public void replace(MemorySegment other) {
        segment = other;
        release();
    }

    /** The device no longer reaches the memory: frees it if owned. */
    public void release() {
        Arena arena = takeOwned();
        if (arena == null) {
            return;
        }
        // Another thread may be inside a native call on the segment, as a read from a file.
        for (int tries = 0; ; tries++) {
            try {
                arena.close();
                return;
            } catch (IllegalStateException e) {
                if (tries == 1000) {
                    throw e;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** A region can be closed by one thread while another gives it other memory. */
    private synchronized Arena takeOwned() {
        Arena arena = owned;
        owned = null;
        return arena;
    }
}
