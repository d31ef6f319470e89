package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.MissingSymbolException;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.util.function.IntSupplier;

/** Calls of functions that the installed librdmacm may be too old for. */
final class Optionally {

    private Optionally() {}

    static int call(String verb, IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (MissingSymbolException e) {
            throw new UnsupportedVerbException(verb, Errno.ENOSYS, e.getMessage(), e);
        }
    }
}
