package io.github.verbs4j.ffi;

/** A shared library of rdma-core is not installed. Installing it and calling again is enough. */
public final class NativeLibraryMissingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String library;

    NativeLibraryMissingException(String library, String message, Throwable cause) {
        super(message, cause);
        this.library = library;
    }

    /** Returns the soname that was looked for, such as {@code libibverbs.so.1}. */
    public String library() {
        return library;
    }
}
