package io.github.verbs4j.types;

/**
 * A work request was not posted, or a list of them not completely. The requests before {@link
 * #index()} were posted and will complete; this one and those after it were not.
 */
public class PostException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Position of the first request not posted, or -1. */
    private final int index;

    /**
     * Makes an exception.
     *
     * @param verb the C function, for example {@code ibv_post_send}
     * @param errno the error number, positive; 0 if it is not known
     * @param index position in the list, from 0, of the first request that was not posted; -1 if
     *     not known
     * @param detail why; empty or null for nothing
     */
    public PostException(String verb, int errno, int index, String detail) {
        super(verb, errno, message(index, detail));
        this.index = index;
    }

    /**
     * Makes an exception about a request posted by itself.
     *
     * @param verb the C function, for example {@code ibv_post_send}
     * @param errno the error number, positive; 0 if it is not known
     * @param detail why; empty or null for nothing
     */
    public PostException(String verb, int errno, String detail) {
        super(verb, errno, detail("the request was not posted", detail));
        this.index = 0;
    }

    private static String message(int index, String detail) {
        String where =
                index < 0
                        ? "which requests were posted is not known"
                        : "request " + index + " of the list and those after it were not posted";
        return detail(where, detail);
    }

    private static String detail(String what, String why) {
        return why == null || why.isEmpty() ? what : what + ": " + why;
    }

    /** {@return the position of the first request that was not posted, from 0; -1 if not known} */
    public int index() {
        return index;
    }
}
