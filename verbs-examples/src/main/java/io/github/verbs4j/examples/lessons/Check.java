package io.github.verbs4j.examples.lessons;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.examples.cli.ExampleException;
import java.lang.foreign.MemorySegment;

/** What a lesson claims, it checks. */
public final class Check {

    private Check() {}

    /** Requires a number. */
    public static void equal(String what, long expected, long actual) {
        if (actual != expected) {
            throw new ExampleException("%s is %d, must be %d", what, actual, expected);
        }
    }

    /** Requires every byte. */
    public static void equal(String what, MemorySegment expected, MemorySegment actual) {
        long at = actual.mismatch(expected);
        if (at >= 0) {
            throw new ExampleException("%s is wrong from byte %d on", what, at);
        }
    }

    /** Fills memory with a pattern that differs at every byte from those of the next 255 seeds. */
    public static void fill(MemorySegment memory, long seed) {
        for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(JAVA_BYTE, i, (byte) (seed + i + i / 256));
        }
    }
}
