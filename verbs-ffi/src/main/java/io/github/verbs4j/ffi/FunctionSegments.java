package io.github.verbs4j.ffi;

import static java.lang.invoke.MethodType.methodType;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/**
 * Makes segments, which the linker wants, of the addresses of functions that one call leads to. A
 * new segment costs nothing where the JIT compiler inlines all of the call, but is an object for
 * each call where it does not, as when the call is rare beside a loop around it. So the functions
 * of a call that is made often are constants of its code, tested one after the other: there are as
 * many as providers in use, times those that share the call.
 */
final class FunctionSegments extends MutableCallSite {

    /** Calls that no constant was there for until there is one; starting a program takes fewer. */
    static final int RARE = 1000;

    /** More than this many functions are not kept: testing them would take longer than it saves. */
    static final int MAX_KEPT = 8;

    private static final MethodType TYPE = methodType(MemorySegment.class, long.class);

    /** Takes a segment, the handle for others, and a function: chooses the segment or asks on. */
    static final MethodHandle CHOOSE =
            find(
                    "choose",
                    methodType(
                            MemorySegment.class,
                            MemorySegment.class,
                            MethodHandle.class,
                            long.class));

    private static final MethodHandle MEET =
            find("meet", methodType(MemorySegment.class, FunctionSegments.class, long.class));

    private int calls;
    private int kept;

    FunctionSegments() {
        super(TYPE);
        setTarget(MEET.bindTo(this));
    }

    private static MemorySegment meet(FunctionSegments those, long function) {
        MemorySegment segment = MemorySegment.ofAddress(function);
        if (++those.calls > RARE && those.kept < MAX_KEPT) { // counts need not be exact
            those.keep(segment);
        }
        return segment;
    }

    private synchronized void keep(MemorySegment segment) {
        if (calls > RARE) { // else another thread has just been here
            calls = 0;
            kept++;
            setTarget(MethodHandles.insertArguments(CHOOSE, 0, segment, getTarget()));
        }
    }

    private static MemorySegment choose(MemorySegment known, MethodHandle others, long function)
            throws Throwable {
        return known.address() == function ? known : (MemorySegment) others.invokeExact(function);
    }

    private static MethodHandle find(String name, MethodType type) {
        try {
            return MethodHandles.lookup().findStatic(FunctionSegments.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
