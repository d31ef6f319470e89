package io.github.verbs4j.types;

/**
 * How a work request ended ({@code enum ibv_wc_status}).
 *
 * <p>After anything but {@link #SUCCESS} only the request's id, the status, the queue pair number
 * and the vendor error of a completion are valid. Providers differ in the status they choose for
 * the same mistake; {@link #describe()} lists the usual causes.
 */
public enum WcStatus {
    /** The request was carried out. */
    SUCCESS(0, "The request was carried out."),

    /** A local buffer has the wrong length. */
    LOC_LEN_ERR(
            1,
            "A local buffer has the wrong length: usually a message longer than the receive that"
                    + " took it, or longer than the port's MTU on UD."),

    /** The local queue pair could not execute the request. */
    LOC_QP_OP_ERR(
            2,
            "The local queue pair could not execute the request: the opcode does not exist on this"
                + " type of queue pair, or an lkey is wrong. Soft-RoCE also reports this for a"
                + " receive buffer that is too small or not accessible, and when the network device"
                + " is down."),

    /**
     * The local end-to-end context could not execute the request; only reliable datagram has one,
     * so no current device reports this.
     */
    LOC_EEC_OP_ERR(
            3,
            "The local end-to-end context could not execute the request; only reliable datagram has"
                    + " one, so no current device reports this."),

    /** A local scatter/gather element is not covered by its key. */
    LOC_PROT_ERR(
            4,
            "A local scatter/gather element is not covered by its key: it leaves the region, the"
                    + " lkey is wrong or belongs to another protection domain, the region is"
                    + " deregistered, or the device must write and the region lacks LOCAL_WRITE."),

    /**
     * The queue pair was in the error state, so this request was dropped without being executed.
     */
    WR_FLUSH_ERR(
            5,
            "The queue pair was in the error state, so this request was dropped without being"
                    + " executed. Look for the first completion with another status: it says why."),

    /** A memory window could not be bound. */
    MW_BIND_ERR(
            6,
            "A memory window could not be bound: the region lacks MW_BIND, the range leaves the"
                    + " region, or its permissions exceed those of the region."),

    /** The peer answered with a packet that does not fit the request. */
    BAD_RESP_ERR(
            7,
            "The peer answered with a packet that does not fit the request: usually two queue pairs"
                    + " connected with different settings, or a fault of a device."),

    /** A local protection fault while an RDMA write with immediate data arrived. */
    LOC_ACCESS_ERR(8, "A local protection fault while an RDMA write with immediate data arrived."),

    /** The peer's device refused the request as invalid. */
    REM_INV_REQ_ERR(
            9,
            "The peer's device refused the request as invalid: its queue pair does not allow the"
                + " operation (qp_access_flags), max_dest_rd_atomic is 0 or the path MTUs differ,"
                + " an atomic is not aligned to 8 bytes, or its receive is too small."),

    /** The peer's memory may not be used like this. */
    REM_ACCESS_ERR(
            10,
            "The peer's memory may not be used like this: the rkey is wrong, revoked or of another"
                    + " protection domain, the range leaves the region, or the region lacks"
                    + " REMOTE_WRITE, REMOTE_READ or REMOTE_ATOMIC."),

    /** The peer could not finish the operation. */
    REM_OP_ERR(
            11,
            "The peer could not finish the operation: usually its receive buffer is too small,"
                    + " badly keyed or not writable. Its own completions say more."),

    /** The peer did not acknowledge in time, timeout and retry_cnt included. */
    RETRY_EXC_ERR(
            12,
            "The peer did not acknowledge in time, timeout and retry_cnt included. Check that its"
                + " queue pair is in RTR or RTS, the queue pair number and PSN, the GID and GID"
                + " index (RoCE v1 against v2), that the path MTU is not above the active MTU, that"
                + " UDP port 4791 is open, and that the peer still runs."),

    /** The peer had no receive posted, and rnr_retry was used up. */
    RNR_RETRY_EXC_ERR(
            13,
            "The peer had no receive posted, and rnr_retry was used up. Post more receives, earlier"
                    + " (before RTR), or raise rnr_retry (7 means for ever) and the peer's"
                    + " min_rnr_timer."),

    /** Reliable datagram domains differ; no current device reports this. */
    LOC_RDD_VIOL_ERR(14, "Reliable datagram domains differ; no current device reports this."),

    /** The peer refused a reliable datagram request; no current device reports this. */
    REM_INV_RD_REQ_ERR(
            15, "The peer refused a reliable datagram request; no current device reports this."),

    /** The peer aborted the operation, for example by resetting its queue pair. */
    REM_ABORT_ERR(16, "The peer aborted the operation, for example by resetting its queue pair."),

    /** Invalid end-to-end context number (reliable datagram); no current device reports this. */
    INV_EECN_ERR(
            17,
            "Invalid end-to-end context number (reliable datagram); no current device reports"
                    + " this."),

    /** Invalid end-to-end context state (reliable datagram); no current device reports this. */
    INV_EEC_STATE_ERR(
            18,
            "Invalid end-to-end context state (reliable datagram); no current device reports"
                    + " this."),

    /** The device failed. */
    FATAL_ERR(
            19,
            "The device failed. The context must be closed; look into the kernel log and for a"
                    + " DEVICE_FATAL event."),

    /** No response to a request arrived in time. */
    RESP_TIMEOUT_ERR(20, "No response to a request arrived in time."),

    /** An error that fits no other status. */
    GENERAL_ERR(
            21,
            "An error that fits no other status. The vendor error and the kernel log may say"
                    + " more."),

    /** Tag matching failed. */
    TM_ERR(22, "Tag matching failed: the hardware list and the requests disagree."),

    /** A rendezvous message matched but its data could not be fetched; software must fetch it. */
    TM_RNDV_INCOMPLETE(
            23,
            "A rendezvous message matched but its data could not be fetched; software must fetch"
                    + " it."),

    /** A number that this version of verbs4j does not know; {@link #value()} is -1. */
    UNRECOGNIZED(-1, "The device reported a status that this version of verbs4j does not know.");

    // A table, because completions are decoded on the polling path.
    private static final WcStatus[] BY_VALUE = values();

    private final int value;
    private final String description;

    WcStatus(int value, String description) {
        this.value = value;
        this.description = description;
    }

    /** {@return the number of this constant in {@code enum ibv_wc_status}} */
    public int value() {
        return value;
    }

    /**
     * Returns the constant with this number; never throws.
     *
     * @param value a number as the device reports it
     * @return the constant, or {@link #UNRECOGNIZED} if no constant has this number
     */
    public static WcStatus of(int value) {
        return value >= 0 && value < UNRECOGNIZED.ordinal() ? BY_VALUE[value] : UNRECOGNIZED;
    }

    /** {@return what this status means and what usually causes it, in one to three sentences} */
    public String describe() {
        return description;
    }
}
