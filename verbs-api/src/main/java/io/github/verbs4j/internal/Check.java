package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.Errno;
import io.github.verbs4j.ffi.MissingSymbolException;
import io.github.verbs4j.ffi.NativeLibraryMissingException;
import io.github.verbs4j.types.LibraryMissingException;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Turns each of the native return conventions into the one kind of exception. */
public final class Check {

    private static final IntFunction<String> NO_DETAIL = errno -> "";

    private Check() {}

    /**
     * For verbs that return NULL and set errno.
     *
     * @param verb the C function
     * @param pointer what it returned
     * @return the pointer
     */
    public static MemorySegment notNull(String verb, MemorySegment pointer) {
        return notNull(verb, pointer, NO_DETAIL);
    }

    /**
     * For verbs that return NULL and set errno, with a diagnosis.
     *
     * @param verb the C function
     * @param pointer what it returned
     * @param detail makes the diagnosis from errno
     * @return the pointer
     */
    public static MemorySegment notNull(
            String verb, MemorySegment pointer, IntFunction<String> detail) {
        if (pointer.address() == 0) {
            throw failure(verb, Errno.last(), detail);
        }
        return pointer;
    }

    /**
     * For verbs that return 0 or an errno value. Some providers return it negated.
     *
     * @param verb the C function
     * @param result what it returned
     */
    public static void zero(String verb, int result) {
        zero(verb, result, NO_DETAIL);
    }

    /**
     * For verbs that return 0 or an errno value, with a diagnosis.
     *
     * @param verb the C function
     * @param result what it returned
     * @param detail makes the diagnosis from errno
     */
    public static void zero(String verb, int result, IntFunction<String> detail) {
        if (result != 0) {
            throw failure(verb, Math.abs(result), detail);
        }
    }

    /**
     * For verbs that return −1 and set errno.
     *
     * @param verb the C function
     * @param result what it returned
     * @return the result
     */
    public static int notMinusOne(String verb, int result) {
        if (result == -1) {
            throw failure(verb, Errno.last(), NO_DETAIL);
        }
        return result;
    }

    /**
     * For functions younger than the oldest rdma-core that this library works with.
     *
     * @param <T> what the function returns
     * @param call calls the function
     * @return what it returned
     * @throws UnsupportedVerbException when the installed rdma-core lacks it; says since when it
     *     exists
     */
    public static <T> T present(Supplier<T> call) {
        try {
            return call.get();
        } catch (MissingSymbolException | NativeLibraryMissingException e) {
            throw missing(e);
        }
    }

    /**
     * An exception for a failed verb.
     *
     * @param verb the C function
     * @param errno what it failed with
     * @param detail makes the diagnosis from errno
     * @return the exception to throw
     */
    public static VerbsException failure(String verb, int errno, IntFunction<String> detail) {
        if (errno == io.github.verbs4j.types.Errno.EOPNOTSUPP
                || errno == io.github.verbs4j.types.Errno.ENOSYS) {
            return new UnsupportedVerbException(verb, errno, detail.apply(errno));
        }
        return new VerbsException(verb, errno, detail.apply(errno));
    }

    /**
     * Says in this API's terms that rdma-core lacks something, or is not there.
     *
     * @param missing what the raw layer threw
     * @return the exception to throw
     */
    public static VerbsException missing(RuntimeException missing) {
        return switch (missing) {
            case NativeLibraryMissingException e ->
                    new LibraryMissingException(e.library(), e.getMessage(), e);
            case MissingSymbolException e -> {
                // Behind an inline function of the header there is one whose name begins with _.
                String verb = e.symbol().replaceFirst("^_", "");
                yield new UnsupportedVerbException(
                        verb,
                        io.github.verbs4j.types.Errno.ENOSYS,
                        e.getMessage().replace(e.symbol(), verb),
                        e);
            }
            default -> throw missing;
        };
    }

    /**
     * Refuses a number outside its range.
     *
     * @param what the parameter's name
     * @param value its value
     * @param low the lowest legal value
     * @param high the highest legal value
     * @return the value
     */
    public static long range(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    what + " is " + value + ", must be " + low + " to " + high);
        }
        return value;
    }

    /**
     * Refuses an object that belongs to another device context: the native call would take its
     * handle number for one of this context's.
     *
     * @param what the parameter's name
     * @param theirs the object's context
     * @param ours the context it is used with
     */
    public static void sameContext(String what, Object theirs, Object ours) {
        Objects.requireNonNull(theirs, what);
        if (theirs != ours) {
            throw new IllegalArgumentException(what + " belongs to another Context");
        }
    }
}
