package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Every restricted operation of this module, so that nothing else needs the permission. */
@SuppressWarnings("restricted")
final class Native {

    /** All of memory, for the few reads that C makes outside the object it was given. */
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private Native() {}

    /** Links a control call to a symbol; takes the errno memory before the arguments. */
    static MethodHandle symbol(MemorySegment symbol, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(symbol, descriptor, ERRNO);
    }

    /**
     * As {@link #symbol}, without errno: capturing it makes an object where C2 does not compile.
     */
    static MethodHandle hotSymbol(MemorySegment symbol, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(symbol, descriptor);
    }

    /** Links a call to a variadic symbol, whose variable arguments start at {@code first}. */
    static MethodHandle variadic(MemorySegment symbol, FunctionDescriptor descriptor, int first) {
        return LINKER.downcallHandle(
                symbol, descriptor, ERRNO, Linker.Option.firstVariadicArg(first));
    }

    /** Links a control call through a function pointer: address, errno memory, arguments. */
    static MethodHandle pointer(FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(descriptor, ERRNO);
    }

    /**
     * Links a data path call through a function pointer: address as a long, arguments. No errno.
     */
    static MethodHandle hot(FunctionDescriptor descriptor) {
        return byAddress(LINKER.downcallHandle(descriptor));
    }

    /**
     * As {@link #hot}, without the state change of the thread: only for calls that wait for no
     * thread that a safepoint may have stopped, and for nothing else either.
     */
    static MethodHandle critical(FunctionDescriptor descriptor) {
        return byAddress(LINKER.downcallHandle(descriptor, Linker.Option.critical(false)));
    }

    /** As {@link #hot}, for functions that are made known before. */
    static MethodHandle hot(FunctionDescriptor descriptor, KnownFunctions functions) {
        return byAddress(LINKER.downcallHandle(descriptor), functions);
    }

    /** As {@link #critical}, for functions that are made known before. */
    static MethodHandle critical(FunctionDescriptor descriptor, KnownFunctions functions) {
        return byAddress(
                LINKER.downcallHandle(descriptor, Linker.Option.critical(false)), functions);
    }

    private static MethodHandle byAddress(MethodHandle call) {
        return byAddress(call, new FunctionSegments());
    }

    private static MethodHandle byAddress(MethodHandle call, CallSite segments) {
        return MethodHandles.filterArguments(call, 0, segments.dynamicInvoker());
    }

    /** Reads a function of what a field of an object points to; no segment is made of it. */
    static long function(MemorySegment object, long field, long offset) {
        return MEMORY.get(verbs_h.C_LONG, object.get(verbs_h.C_LONG, field) + offset);
    }

    /** Opens a shared library by soname; throws IllegalArgumentException when it cannot. */
    static SymbolLookup open(String soname) {
        return SymbolLookup.libraryLookup(soname, Arena.global());
    }

    /** Turns what invokeExact declares into what a C function can throw: nothing checked. */
    static RuntimeException rethrow(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        return new IllegalStateException(thrown);
    }
}
