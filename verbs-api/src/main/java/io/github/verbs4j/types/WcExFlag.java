package io.github.verbs4j.types;

import java.util.EnumSet;
import java.util.Set;

/**
 * The fields that the completions of an extended queue carry beside wr_id, status, opcode,
 * vendor_err and wc_flags, which are always there ({@code enum ibv_create_cq_wc_flags}). A queue is
 * created with those it shall have; the fewer, the less a poll has to read.
 */
public enum WcExFlag {
    /** Bytes received. */
    BYTE_LEN(1),

    /** The immediate data, or the rkey that was invalidated. */
    IMM(1 << 1),

    /** The local queue pair; that of a failed request is always there. */
    QP_NUM(1 << 2),

    /** The remote queue pair, of a UD receive. */
    SRC_QP(1 << 3),

    /** The sender's LID, of a UD receive. */
    SLID(1 << 4),

    /** The service level, of a UD receive. */
    SL(1 << 5),

    /** The local path, of a UD receive. */
    DLID_PATH_BITS(1 << 6),

    /** When the request completed, in ticks of the device's clock. */
    COMPLETION_TIMESTAMP(1 << 7),

    /** The VLAN tag that the device stripped from a received frame. */
    CVLAN(1 << 8),

    /** The tag of the flow rule that a received packet matched. */
    FLOW_TAG(1 << 9),

    /** What tag matching found. */
    TM_INFO(1 << 10),

    /** When the request completed, in nanoseconds of the wall clock. */
    COMPLETION_TIMESTAMP_WALLCLOCK(1 << 11);

    private final int value;

    WcExFlag(int value) {
        this.value = value;
    }

    /** {@return the bit of this constant in C ({@code IBV_WC_EX_WITH_…})} */
    public int value() {
        return value;
    }

    /**
     * {@return what {@code struct ibv_wc} has and every device offers: BYTE_LEN to DLID_PATH_BITS}
     */
    public static Set<WcExFlag> standard() {
        return EnumSet.range(BYTE_LEN, DLID_PATH_BITS);
    }

    /**
     * Combines flags.
     *
     * @param flags the flags
     * @return their bits
     */
    public static int bits(Iterable<WcExFlag> flags) {
        int bits = 0;
        for (WcExFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }
}
