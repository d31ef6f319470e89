package io.github.verbs4j;

import java.lang.foreign.MemorySegment;

/** Memory by address, for tests that read what a provider would. */
final class Raw {

    private Raw() {}

    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }
}
