package io.github.verbs4j.types;

import java.util.Objects;

/** A work request completed with an error. Carries what is valid in a failed completion. */
public class WorkCompletionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The status. */
    private final WcStatus status;

    /** The status as reported. */
    private final int rawStatus;

    /** The id of the request. */
    private final long wrId;

    /** The queue pair number. */
    private final int qpNum;

    /** The provider's error number. */
    private final int vendorErr;

    /**
     * Makes an exception.
     *
     * @param status the status
     * @param rawStatus the status as the device reported it
     * @param wrId id of the request
     * @param qpNum number of the queue pair
     * @param vendorErr the provider's own error number
     */
    public WorkCompletionException(
            WcStatus status, int rawStatus, long wrId, int qpNum, int vendorErr) {
        this(status, rawStatus, wrId, qpNum, vendorErr, null);
    }

    /**
     * Makes an exception with a finding about the cause.
     *
     * @param status the status
     * @param rawStatus the status as the device reported it
     * @param wrId id of the request
     * @param qpNum number of the queue pair
     * @param vendorErr the provider's own error number
     * @param finding what a look at the real state showed; empty or null for nothing
     */
    public WorkCompletionException(
            WcStatus status, int rawStatus, long wrId, int qpNum, int vendorErr, String finding) {
        super(message(status, rawStatus, wrId, qpNum, vendorErr, finding));
        this.status = Objects.requireNonNull(status, "status");
        this.rawStatus = rawStatus;
        this.wrId = wrId;
        this.qpNum = qpNum;
        this.vendorErr = vendorErr;
    }

    private static String message(
            WcStatus status, int rawStatus, long wrId, int qpNum, int vendorErr, String finding) {
        String text =
                "work request %d on queue pair 0x%06x failed: %s (%d), vendor error 0x%x: %s"
                        .formatted(wrId, qpNum, status, rawStatus, vendorErr, status.describe());
        return finding == null || finding.isEmpty() ? text : text + " Found: " + finding;
    }

    /** {@return the status} */
    public WcStatus status() {
        return status;
    }

    /** {@return the status as the device reported it} */
    public int rawStatus() {
        return rawStatus;
    }

    /** {@return the id of the work request} */
    public long wrId() {
        return wrId;
    }

    /** {@return the number of the queue pair} */
    public int qpNum() {
        return qpNum;
    }

    /** {@return the provider's own error number} */
    public int vendorErr() {
        return vendorErr;
    }
}
