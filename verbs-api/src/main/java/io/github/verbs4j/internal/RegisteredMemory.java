package io.github.verbs4j.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
        MemorySegment old = segment;
        segment = other;
        release(old, () -> {});
    }

    /**
     * The device no longer reaches the memory: frees it if owned. While another thread is inside a
     * native call on it, as a read from a socket, that has to wait, which this call does not.
     */
    public void release() {
        release(() -> {});
    }

    /**
     * As {@link #release()}, for memory that somebody else has to take back.
     *
     * @param late runs when the memory is out of reach, if this call had to leave it in use
     * @return false if it is left in use
     */
    public boolean release(Runnable late) {
        return release(segment, late);
    }

    private boolean release(MemorySegment memory, Runnable late) {
        Arena arena = takeOwned();
        if (arena == null || LateRelease.tryClose(arena)) {
            return true;
        }
        LateRelease.add(
                arena,
                late,
                String.format("memory of %d bytes at 0x%x", memory.byteSize(), memory.address()));
        return false;
    }

    /** A region can be closed by one thread while another gives it other memory. */
    private synchronized Arena takeOwned() {
        Arena arena = owned;
        owned = null;
        return arena;
    }
}
