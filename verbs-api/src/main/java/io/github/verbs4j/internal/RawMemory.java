package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Memory by address, for the fields of requests and completions. Their owners check indices
 * themselves and keep the memory alive, so the bounds, liveness and alignment that a segment of
 * their own would check again are left out: this one is a constant that spans everything.
 *
 * <p>Nothing is checked. Callers pass only addresses inside memory that they own, computed from
 * indices that they have checked.
 */
public final class RawMemory {

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private RawMemory() {}

    /**
     * Reads 32 bits.
     *
     * @param address where
     * @return the value
     */
    public static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    /**
     * Reads 64 bits.
     *
     * @param address where
     * @return the value
     */
    public static long getLong(long address) {
        return ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Writes 32 bits.
     *
     * @param address where
     * @param value the value
     */
    public static void setInt(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Writes 64 bits.
     *
     * @param address where
     * @param value the value
     */
    public static void setLong(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }
}
