package io.github.verbs4j.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Gives native pointers the size of what they point at. */
public final class Structs {

    private Structs() {}

    /**
     * A view of a native structure.
     *
     * @param pointer its address
     * @param size its size in bytes
     * @return the same address, readable for {@code size} bytes
     */
    @SuppressWarnings("restricted")
    public static MemorySegment view(MemorySegment pointer, long size) {
        return pointer.reinterpret(size);
    }

    /**
     * A view of native memory that can be ended.
     *
     * @param pointer its address
     * @param size its size in bytes
     * @param lifetime ends the view; the memory itself is not its
     * @return the same address, usable until the arena closes
     */
    @SuppressWarnings("restricted")
    public static MemorySegment view(MemorySegment pointer, long size, Arena lifetime) {
        return pointer.reinterpret(size, lifetime, null);
    }

    /**
     * Reads a C string.
     *
     * @param pointer its address
     * @return the string, or an empty one for NULL
     */
    @SuppressWarnings("restricted")
    public static String string(MemorySegment pointer) {
        return pointer.address() == 0 ? "" : pointer.reinterpret(Integer.MAX_VALUE).getString(0);
    }
}
