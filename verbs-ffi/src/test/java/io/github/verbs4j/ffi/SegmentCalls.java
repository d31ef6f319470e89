package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;

/** Asks a call site for the segments of functions, whose addresses follow each other. */
final class SegmentCalls {

    static final int FIRST = 0x1000;
    private static final int ROUNDS = 40_000;

    private final MethodHandle of;

    SegmentCalls(CallSite site) {
        of = site.dynamicInvoker();
    }

    MemorySegment of(long function) {
        try {
            return (MemorySegment) of.invokeExact(function);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** So often that it is compiled; each answer is checked. */
    void callOften(int functions) {
        for (int i = 0; i < ROUNDS; i++) {
            long function = FIRST + i % functions;
            assertEquals(function, of(function).address());
        }
    }
}
