package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;

/** What a call does when the provider has no function for it. */
final class Absent {

    private Absent() {}

    /** As C does in functions that return a pointer: errno is EOPNOTSUPP, the result NULL. */
    static MemorySegment unsupported() {
        Errno.set(verbs_h.EOPNOTSUPP());
        return MemorySegment.NULL;
    }

    /** Reads a function pointer of a function that cannot report failure; C would jump to NULL. */
    static long function(MemorySegment object, long offset, String name) {
        long function = object.get(verbs_h.C_LONG, offset);
        require(function, name);
        return function;
    }

    /** Refuses to call a function that is not there. */
    static void require(long function, String name) {
        if (function == 0) {
            throw new UnsupportedOperationException(
                    name + ": the provider has no function for this object");
        }
    }
}
