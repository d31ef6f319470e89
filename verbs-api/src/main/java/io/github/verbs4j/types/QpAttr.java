package io.github.verbs4j.types;

import java.util.Objects;
import java.util.Set;

/**
 * Attributes of a queue pair, to change or as queried ({@code struct ibv_qp_attr}).
 *
 * <p>Fluent and mutable, for one thread; the call that takes it copies it. Only what was set
 * counts: {@link #mask()} follows from the setters that were called, as {@link QpAttrMask} bits.
 * Getters return null, 0, false or an empty set for what was not set; after a query everything is
 * set that the device reports in a form verbs4j knows.
 *
 * <p>Setters throw {@code IllegalArgumentException} for a value outside the range that the field
 * has, naming the field, the range and the value. Whether the device takes it is known only when
 * the queue pair is modified.
 */
public final class QpAttr extends QpAttrPath {

    /** Makes attributes of which none is set. */
    public QpAttr() {}

    /**
     * Starts with the state to move to, which is all that RESET, SQD and ERR need.
     *
     * @param state the state
     * @return new attributes
     */
    public static QpAttr of(QpState state) {
        return new QpAttr().qpState(state);
    }

    /**
     * Starts a move to INIT of a connected queue pair (RC, UC, XRC): P_Key index 0, and peers may
     * do nothing beyond sending until {@link #qpAccessFlags(AccessFlag...)} says otherwise.
     *
     * @param port local port, from 1
     * @return new attributes
     */
    public static QpAttr init(int port) {
        Text.range("ibv_qp_attr.port_num", port, 1, 255);
        return of(QpState.INIT).pkeyIndex(0).portNum(port).qpAccessFlags(Set.of());
    }

    /**
     * Starts a move to INIT of a UD queue pair: P_Key index 0.
     *
     * @param port local port, from 1
     * @param qkey queue key that senders must use
     * @return new attributes
     */
    public static QpAttr initUd(int port, int qkey) {
        Text.range("ibv_qp_attr.port_num", port, 1, 255);
        return of(QpState.INIT).pkeyIndex(0).portNum(port).qkey(qkey);
    }

    /**
     * Starts a move of an RC queue pair to RTR, with a path MTU that nearly every port can carry:
     * 1024, or the peer's active MTU if that is smaller.
     *
     * @param local entry of the local GID table to send from
     * @param remote what the peer said about its queue pair
     * @return new attributes: address, path MTU, {@code dest_qp_num}, {@code rq_psn}, {@code
     *     max_dest_rd_atomic} 1, {@code min_rnr_timer} 0.64 ms
     * @throws IllegalArgumentException if the two cannot reach each other: RoCE v1 against v2, no
     *     GID on RoCE, no LID on InfiniBand
     */
    public static QpAttr rtr(GidEntry local, QpAddress remote) {
        return rtr(local, Mtu.MTU_1024, remote);
    }

    /**
     * Starts a move of an RC queue pair to RTR, with the largest path MTU that both ports can use.
     *
     * @param local entry of the local GID table to send from
     * @param here what this side said about its queue pair
     * @param remote what the peer said about its queue pair
     * @return new attributes, as {@link #rtr(GidEntry, QpAddress)}
     * @throws IllegalArgumentException if the two cannot reach each other
     */
    public static QpAttr rtr(GidEntry local, QpAddress here, QpAddress remote) {
        // If both are unknown there is no smaller one, and 1024 fits nearly every port.
        Mtu known = here.activeMtu() == Mtu.UNRECOGNIZED ? Mtu.MTU_1024 : here.activeMtu();
        return rtr(local, known, remote);
    }

    private static QpAttr rtr(GidEntry local, Mtu localMtu, QpAddress remote) {
        return of(QpState.RTR)
                .ahAttr(remote.route(local))
                .pathMtu(Mtu.min(localMtu, remote.activeMtu()))
                .destQpNum(remote.qpNum())
                .rqPsn(remote.psn())
                .maxDestRdAtomic(1)
                .minRnrTimer(RnrTimer.MS_0_64);
    }

    /**
     * Starts a move of an RC queue pair to RTS: timeout 67 ms, 6 retries, endless RNR retries, one
     * read or atomic at a time. (7 retries are for ever on Soft-RoCE, so a lost peer would go
     * unnoticed.)
     *
     * @param psn sequence number of the first packet; what {@link QpAddress#psn()} told the peer
     * @return new attributes
     */
    public static QpAttr rts(int psn) {
        return of(QpState.RTS)
                .timeout(AckTimeout.MS_67)
                .retryCnt(6)
                .rnrRetry(7)
                .sqPsn(psn)
                .maxRdAtomic(1);
    }

    /**
     * Sets the state to move to ({@code qp_state}).
     *
     * @param qpState the state
     * @return this
     */
    public QpAttr qpState(QpState qpState) {
        this.qpState = Objects.requireNonNull(qpState, "qpState");
        return set(QpAttrMask.STATE);
    }

    /**
     * Sets the state the device shall assume the queue pair is in ({@code cur_qp_state}).
     *
     * @param curQpState RTR, RTS, SQD or SQE
     * @return this
     */
    public QpAttr curQpState(QpState curQpState) {
        this.curQpState = Objects.requireNonNull(curQpState, "curQpState");
        return set(QpAttrMask.CUR_STATE);
    }

    /**
     * Sets whether an event tells that the send queue has drained ({@code en_sqd_async_notify}).
     *
     * @param enSqdAsyncNotify true for an event; with a move to SQD
     * @return this
     */
    public QpAttr enSqdAsyncNotify(boolean enSqdAsyncNotify) {
        this.enSqdAsyncNotify = enSqdAsyncNotify;
        return set(QpAttrMask.EN_SQD_ASYNC_NOTIFY);
    }

    /**
     * Sets whether the send queue is draining ({@code sq_draining}); only a query does, and no mask
     * bit goes with it.
     *
     * @param sqDraining whether it is
     * @return this
     */
    public QpAttr sqDraining(boolean sqDraining) {
        this.sqDraining = sqDraining;
        return this;
    }

    /**
     * Sets what peers may do through this queue pair ({@code qp_access_flags}).
     *
     * @param flags any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC; to allow nothing pass an empty
     *     set, since without an argument this is the getter
     * @return this
     */
    public QpAttr qpAccessFlags(AccessFlag... flags) {
        this.qpAccessFlags = AccessFlag.bits(Objects.requireNonNull(flags, "flags"));
        return set(QpAttrMask.ACCESS_FLAGS);
    }

    /**
     * Sets what peers may do through this queue pair ({@code qp_access_flags}).
     *
     * @param flags any of REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, or none
     * @return this
     */
    public QpAttr qpAccessFlags(Set<AccessFlag> flags) {
        this.qpAccessFlags = AccessFlag.bits(Objects.requireNonNull(flags, "flags"));
        return set(QpAttrMask.ACCESS_FLAGS);
    }

    /**
     * Sets the index into the port's partition key table ({@code pkey_index}).
     *
     * @param pkeyIndex 0 to 65535
     * @return this
     */
    public QpAttr pkeyIndex(int pkeyIndex) {
        this.pkeyIndex = Text.range("ibv_qp_attr.pkey_index", pkeyIndex, 0, 0xffff);
        return set(QpAttrMask.PKEY_INDEX);
    }

    /**
     * Sets the local port ({@code port_num}).
     *
     * @param portNum 1 to the device's number of ports; a query may give 0
     * @return this
     */
    public QpAttr portNum(int portNum) {
        this.portNum = Text.range("ibv_qp_attr.port_num", portNum, 0, 255);
        return set(QpAttrMask.PORT);
    }

    /**
     * Sets the queue key of a UD queue pair: senders must know it ({@code qkey}).
     *
     * @param qkey 32 bits; the highest bit needs a privilege
     * @return this
     */
    public QpAttr qkey(int qkey) {
        this.qkey = qkey;
        return set(QpAttrMask.QKEY);
    }

    /**
     * Sets how long to wait for an acknowledgement ({@code timeout}).
     *
     * @param timeout the timeout
     * @return this
     */
    public QpAttr timeout(AckTimeout timeout) {
        this.timeout = Objects.requireNonNull(timeout, "timeout");
        return set(QpAttrMask.TIMEOUT);
    }

    /**
     * Sets how often to repeat after a timeout ({@code retry_cnt}).
     *
     * @param retryCnt 0 to 7; Soft-RoCE takes 7 as for ever
     * @return this
     */
    public QpAttr retryCnt(int retryCnt) {
        this.retryCnt = Text.range("ibv_qp_attr.retry_cnt", retryCnt, 0, 7);
        return set(QpAttrMask.RETRY_CNT);
    }

    /**
     * Sets how often to repeat when the peer has no receive ({@code rnr_retry}).
     *
     * @param rnrRetry 0 to 7; 7 means for ever
     * @return this
     */
    public QpAttr rnrRetry(int rnrRetry) {
        this.rnrRetry = Text.range("ibv_qp_attr.rnr_retry", rnrRetry, 0, 7);
        return set(QpAttrMask.RNR_RETRY);
    }

    /**
     * Sets the sequence number expected in the first packet from the peer ({@code rq_psn}).
     *
     * @param rqPsn 24 bits; the peer's {@code sq_psn}
     * @return this
     */
    public QpAttr rqPsn(int rqPsn) {
        this.rqPsn = Text.bits24("ibv_qp_attr.rq_psn", rqPsn);
        return set(QpAttrMask.RQ_PSN);
    }

    /**
     * Sets the reads and atomics outstanding as requester ({@code max_rd_atomic}).
     *
     * @param maxRdAtomic 0 to 255; with 0 a read never completes
     * @return this
     */
    public QpAttr maxRdAtomic(int maxRdAtomic) {
        this.maxRdAtomic = Text.range("ibv_qp_attr.max_rd_atomic", maxRdAtomic, 0, 255);
        return set(QpAttrMask.MAX_QP_RD_ATOMIC);
    }

    /**
     * Sets how long the peer shall wait when there is no receive here ({@code min_rnr_timer}).
     *
     * @param minRnrTimer the timer
     * @return this
     */
    public QpAttr minRnrTimer(RnrTimer minRnrTimer) {
        this.minRnrTimer = Objects.requireNonNull(minRnrTimer, "minRnrTimer");
        return set(QpAttrMask.MIN_RNR_TIMER);
    }

    /**
     * Sets the sequence number of the first packet sent ({@code sq_psn}).
     *
     * @param sqPsn 24 bits
     * @return this
     */
    public QpAttr sqPsn(int sqPsn) {
        this.sqPsn = Text.bits24("ibv_qp_attr.sq_psn", sqPsn);
        return set(QpAttrMask.SQ_PSN);
    }

    /**
     * Sets the reads and atomics answered at a time ({@code max_dest_rd_atomic}).
     *
     * @param maxDestRdAtomic 0 to 255, at most {@link DeviceAttr#maxQpRdAtom()}
     * @return this
     */
    public QpAttr maxDestRdAtomic(int maxDestRdAtomic) {
        this.maxDestRdAtomic =
                Text.range("ibv_qp_attr.max_dest_rd_atomic", maxDestRdAtomic, 0, 255);
        return set(QpAttrMask.MAX_DEST_RD_ATOMIC);
    }

    /**
     * Sets the queue capacities, where the device can resize ({@code cap}).
     *
     * @param cap the capacities
     * @return this
     */
    public QpAttr cap(QpCap cap) {
        this.cap = Objects.requireNonNull(cap, "cap");
        return set(QpAttrMask.CAP);
    }

    /**
     * Sets the queue pair number of the peer ({@code dest_qp_num}).
     *
     * @param destQpNum 24 bits
     * @return this
     */
    public QpAttr destQpNum(int destQpNum) {
        this.destQpNum = Text.bits24("ibv_qp_attr.dest_qp_num", destQpNum);
        return set(QpAttrMask.DEST_QPN);
    }

    /**
     * Sets the rate of a raw packet queue pair, in kbit/s ({@code rate_limit}).
     *
     * @param rateLimit unsigned; 0 for no limit
     * @return this
     */
    public QpAttr rateLimit(int rateLimit) {
        this.rateLimit = rateLimit;
        return set(QpAttrMask.RATE_LIMIT);
    }

    /**
     * Unsets attributes, for example those of a factory that a UC queue pair does not take.
     *
     * @param attributes what to leave out of the mask; the values stay readable
     * @return this
     */
    public QpAttr without(QpAttrMask... attributes) {
        for (QpAttrMask attribute : Objects.requireNonNull(attributes, "attributes")) {
            mask &= ~attribute.value();
        }
        return this;
    }

    /** {@return an independent copy} */
    public QpAttr copy() {
        QpAttr copy = new QpAttr();
        copy.take(this);
        return copy;
    }

    /** {@return what is set, by the C names} */
    @Override
    public String toString() {
        return QpAttrText.of(this);
    }
}
