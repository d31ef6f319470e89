package io.github.verbs4j.types;

import java.util.EnumSet;

/** The values of {@link QpAttr}, to be read. */
abstract sealed class QpAttrValues permits QpAttrPath {
    int mask;
    QpState qpState;
    QpState curQpState;
    boolean enSqdAsyncNotify;
    boolean sqDraining;
    int qpAccessFlags;
    int pkeyIndex;
    int portNum;
    int qkey;
    AhAttr ahAttr;
    Mtu pathMtu;
    AckTimeout timeout;
    int retryCnt;
    int rnrRetry;
    int rqPsn;
    int maxRdAtomic;
    RnrTimer minRnrTimer;
    int sqPsn;
    int maxDestRdAtomic;
    MigState pathMigState;
    QpCap cap;
    int destQpNum;
    AhAttr altAhAttr;
    int altPkeyIndex;
    int altPortNum;
    AckTimeout altTimeout;
    int rateLimit;

    /** {@return the state to move to; null if not set} */
    public QpState qpState() {
        return qpState;
    }

    /** {@return the state the device shall assume the queue pair is in; null if not set} */
    public QpState curQpState() {
        return curQpState;
    }

    /** {@return whether an event tells that the send queue has drained; false if not set} */
    public boolean enSqdAsyncNotify() {
        return enSqdAsyncNotify;
    }

    /** {@return whether the send queue is draining, in the result of a query} */
    public boolean sqDraining() {
        return sqDraining;
    }

    /** {@return what peers may do through this queue pair; a new set, empty if not set} */
    public EnumSet<AccessFlag> qpAccessFlags() {
        return AccessFlag.of(qpAccessFlags);
    }

    /** {@return the index into the port's partition key table; 0 if not set} */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /** {@return the local port; 0 if not set} */
    public int portNum() {
        return portNum;
    }

    /** {@return the queue key of a UD queue pair; 0 if not set} */
    public int qkey() {
        return qkey;
    }

    /** {@return the address of the peer; null if not set. Changes to it count} */
    public AhAttr ahAttr() {
        return ahAttr;
    }

    /** {@return the largest payload of a packet; null if not set} */
    public Mtu pathMtu() {
        return pathMtu;
    }

    /** {@return how long to wait for an acknowledgement; null if not set} */
    public AckTimeout timeout() {
        return timeout;
    }

    /** {@return how often to repeat after a timeout; 0 if not set} */
    public int retryCnt() {
        return retryCnt;
    }

    /** {@return how often to repeat when the peer has no receive; 0 if not set} */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** {@return the sequence number expected in the first packet from the peer; 0 if not set} */
    public int rqPsn() {
        return rqPsn;
    }

    /** {@return the reads and atomics outstanding as requester; 0 if not set} */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    /** {@return how long the peer shall wait when there is no receive here; null if not set} */
    public RnrTimer minRnrTimer() {
        return minRnrTimer;
    }

    /** {@return the sequence number of the first packet sent; 0 if not set} */
    public int sqPsn() {
        return sqPsn;
    }

    /** {@return the reads and atomics answered at a time; 0 if not set} */
    public int maxDestRdAtomic() {
        return maxDestRdAtomic;
    }

    /** {@return the state of path migration; null if not set} */
    public MigState pathMigState() {
        return pathMigState;
    }

    /** {@return the queue capacities, where the device can resize; null if not set} */
    public QpCap cap() {
        return cap;
    }

    /** {@return the queue pair number of the peer; 0 if not set} */
    public int destQpNum() {
        return destQpNum;
    }

    /**
     * {@return the address of the peer on the alternate path; null if not set. Changes to it count}
     */
    public AhAttr altAhAttr() {
        return altAhAttr;
    }

    /** {@return the partition key index of the alternate path; 0 if not set} */
    public int altPkeyIndex() {
        return altPkeyIndex;
    }

    /** {@return the local port of the alternate path; 0 if not set} */
    public int altPortNum() {
        return altPortNum;
    }

    /** {@return the acknowledgement timeout of the alternate path; null if not set} */
    public AckTimeout altTimeout() {
        return altTimeout;
    }

    /** {@return the rate of a raw packet queue pair, in kbit/s; 0 if not set} */
    public int rateLimit() {
        return rateLimit;
    }

    /** {@return which attributes are set, as bits of {@code enum ibv_qp_attr_mask}} */
    public int mask() {
        return mask;
    }

    /**
     * Tells whether an attribute is set.
     *
     * @param attribute the attribute
     * @return whether it is set
     */
    public boolean isSet(QpAttrMask attribute) {
        return (mask & attribute.value()) != 0;
    }

    /** Becomes equal to other attributes. */
    final void take(QpAttrValues other) {
        mask = other.mask;
        qpState = other.qpState;
        curQpState = other.curQpState;
        enSqdAsyncNotify = other.enSqdAsyncNotify;
        sqDraining = other.sqDraining;
        qpAccessFlags = other.qpAccessFlags;
        pkeyIndex = other.pkeyIndex;
        portNum = other.portNum;
        qkey = other.qkey;
        ahAttr = other.ahAttr == null ? null : other.ahAttr.copy();
        pathMtu = other.pathMtu;
        timeout = other.timeout;
        retryCnt = other.retryCnt;
        rnrRetry = other.rnrRetry;
        rqPsn = other.rqPsn;
        maxRdAtomic = other.maxRdAtomic;
        minRnrTimer = other.minRnrTimer;
        sqPsn = other.sqPsn;
        maxDestRdAtomic = other.maxDestRdAtomic;
        pathMigState = other.pathMigState;
        cap = other.cap;
        destQpNum = other.destQpNum;
        altAhAttr = other.altAhAttr == null ? null : other.altAhAttr.copy();
        altPkeyIndex = other.altPkeyIndex;
        altPortNum = other.altPortNum;
        altTimeout = other.altTimeout;
        rateLimit = other.rateLimit;
    }
}
