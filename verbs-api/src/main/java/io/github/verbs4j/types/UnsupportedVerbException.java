package io.github.verbs4j.types;

/**
 * The device, its driver or the installed rdma-core lacks a verb: EOPNOTSUPP, ENOSYS, a function
 * pointer that is null, or a symbol that is missing.
 */
public class UnsupportedVerbException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param verb the C function
     * @param errno the error number, usually {@link Errno#EOPNOTSUPP}
     * @param detail who lacks the verb and since which version it exists; empty or null for nothing
     */
    public UnsupportedVerbException(String verb, int errno, String detail) {
        super(verb, errno, detail);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param verb the C function
     * @param errno the error number, usually {@link Errno#EOPNOTSUPP}
     * @param detail who lacks the verb and since which version it exists; empty or null for nothing
     * @param cause the cause, or null
     */
    public UnsupportedVerbException(String verb, int errno, String detail, Throwable cause) {
        super(verb, errno, detail, cause);
    }
}
