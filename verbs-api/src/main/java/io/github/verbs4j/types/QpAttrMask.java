package io.github.verbs4j.types;

import java.util.EnumSet;
import java.util.Set;

/** Which members of {@link QpAttr} count ({@code enum ibv_qp_attr_mask}). */
public enum QpAttrMask {
    /** The state to move to. */
    STATE(1),

    /** The state assumed now. */
    CUR_STATE(1 << 1),

    /** Whether an event tells that the send queue has drained. */
    EN_SQD_ASYNC_NOTIFY(1 << 2),

    /** Remote operations that are allowed. */
    ACCESS_FLAGS(1 << 3),

    /** Index into the partition key table. */
    PKEY_INDEX(1 << 4),

    /** Port number. */
    PORT(1 << 5),

    /** Queue key (UD). */
    QKEY(1 << 6),

    /** Address of the peer. */
    AV(1 << 7),

    /** Path MTU. */
    PATH_MTU(1 << 8),

    /** Acknowledgement timeout. */
    TIMEOUT(1 << 9),

    /** Retries after a timeout. */
    RETRY_CNT(1 << 10),

    /** Retries after an RNR NAK. */
    RNR_RETRY(1 << 11),

    /** Packet sequence number expected from the peer. */
    RQ_PSN(1 << 12),

    /** Outstanding reads and atomics as requester. */
    MAX_QP_RD_ATOMIC(1 << 13),

    /** Alternate path: address, P_Key index, port, timeout. */
    ALT_PATH(1 << 14),

    /** RNR timer. */
    MIN_RNR_TIMER(1 << 15),

    /** First packet sequence number sent. */
    SQ_PSN(1 << 16),

    /** Outstanding reads and atomics as responder. */
    MAX_DEST_RD_ATOMIC(1 << 17),

    /** State of path migration. */
    PATH_MIG_STATE(1 << 18),

    /** Queue capacities. */
    CAP(1 << 19),

    /** Queue pair number of the peer. */
    DEST_QPN(1 << 20),

    /** Rate limit. */
    RATE_LIMIT(1 << 25);

    private final int value;

    QpAttrMask(int value) {
        this.value = value;
    }

    /** {@return the bit in {@code enum ibv_qp_attr_mask}} */
    public int value() {
        return value;
    }

    /** {@return the name in C, for example {@code IBV_QP_AV}} */
    public String cName() {
        return "IBV_QP_" + name();
    }

    /**
     * Splits a mask; never throws.
     *
     * @param mask bits of {@code enum ibv_qp_attr_mask}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<QpAttrMask> of(int mask) {
        EnumSet<QpAttrMask> set = EnumSet.noneOf(QpAttrMask.class);
        for (QpAttrMask each : values()) {
            if ((mask & each.value) != 0) {
                set.add(each);
            }
        }
        return set;
    }

    /**
     * Combines bits to a mask.
     *
     * @param set any bits
     * @return the mask as C expects it
     */
    public static int bits(Set<QpAttrMask> set) {
        int mask = 0;
        for (QpAttrMask each : set) {
            mask |= each.value;
        }
        return mask;
    }
}
