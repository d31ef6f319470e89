package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * errno as the calling thread's last control call of this package left it. The C variable itself is
 * of no use to Java: the JVM makes system calls of its own between a call and the next line.
 */
public final class Errno {

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long VALUE =
            LAYOUT.byteOffset(StructLayout.PathElement.groupElement("errno"));

    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    /** Linked when it is first called for: few programs do. */
    private static final class Location {
        static final MethodHandle CALL =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker()
                                        .defaultLookup()
                                        .find("__errno_location")
                                        .orElseThrow(),
                                FunctionDescriptor.of(ValueLayout.ADDRESS));
    }

    private Errno() {}

    /**
     * Sets the C variable to 0, before a function that may fail without setting it: so {@link
     * #last()} does not tell what something else left there, unless the JVM comes in between.
     */
    public static void clear() {
        try {
            MemorySegment variable = (MemorySegment) Location.CALL.invokeExact();
            variable.reinterpret(ValueLayout.JAVA_INT.byteSize()).set(ValueLayout.JAVA_INT, 0, 0);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Returns errno after this thread's last control call. As in C, it means something only when
     * that call failed in the way that sets errno.
     */
    public static int last() {
        return state().get(ValueLayout.JAVA_INT, VALUE);
    }

    /** Sets what {@link #last()} returns on this thread, for code that acts as a C function. */
    public static void set(int errno) {
        state().set(ValueLayout.JAVA_INT, VALUE, errno);
    }

    /** Returns the memory into which the linker captures errno for this thread. */
    static MemorySegment state() {
        return STATE.get();
    }
}
