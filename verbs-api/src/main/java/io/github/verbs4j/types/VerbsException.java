package io.github.verbs4j.types;

/**
 * A verb failed. Says which one, with which errno, and what is known about the reason.
 *
 * <p>The message reads like {@code ibv_create_qp failed: EINVAL (22): max_inline_data 1024, device
 * grants 220}.
 */
public class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The C function. */
    private final String verb;

    /** The error number, or 0. */
    private final int errno;

    /**
     * Makes an exception.
     *
     * @param verb the C function, for example {@code ibv_create_qp}
     * @param errno the error number, positive; 0 if it is not known
     * @param detail what was asked, what the device allows, what to do; empty or null for nothing
     */
    public VerbsException(String verb, int errno, String detail) {
        this(verb, errno, detail, null);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param verb the C function
     * @param errno the error number, positive; 0 if it is not known
     * @param detail what was asked, what the device allows, what to do; empty or null for nothing
     * @param cause the cause, or null
     */
    public VerbsException(String verb, int errno, String detail, Throwable cause) {
        super(message(verb, errno, detail), cause);
        this.verb = verb;
        this.errno = errno;
    }

    private static String message(String verb, int errno, String detail) {
        String reason = errno == 0 ? "errno unknown" : Errno.describe(errno);
        String start = verb + " failed: " + reason;
        return detail == null || detail.isEmpty() ? start : start + ": " + detail;
    }

    /** {@return the C function that failed} */
    public String verb() {
        return verb;
    }

    /** {@return the error number, or 0 if it is not known} */
    public int errno() {
        return errno;
    }

    /** {@return the name of the error number, for example {@code EINVAL}} */
    public String errnoName() {
        return errno == 0 ? "errno unknown" : Errno.name(errno);
    }
}
