package io.github.verbs4j.types;

/**
 * A shared library of rdma-core is not installed. The message names the package; after installing
 * it the same call works without a restart.
 */
public class LibraryMissingException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** The soname. */
    private final String library;

    /** The message. */
    private final String detail;

    /**
     * A missing library.
     *
     * @param library its soname, as {@code libibverbs.so.1}
     * @param detail which package has it
     * @param cause what the loader said
     */
    public LibraryMissingException(String library, String detail, Throwable cause) {
        super("dlopen", Errno.ENOENT, detail, cause);
        this.library = library;
        this.detail = detail;
    }

    /**
     * The library that was looked for.
     *
     * @return its soname
     */
    public String library() {
        return library;
    }

    /** {@return which package has the library; no verb failed, so none is named} */
    @Override
    public String getMessage() {
        return detail;
    }
}
