package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.MemorySegment;

/**
 * Send requests for a {@link QueuePairEx}, built by the {@code ibv_wr_…} functions. Call {@link
 * #wrId} and {@link #wrFlags}, which hold until they are called again; then an operation, which
 * begins a request; then what sets its data and address. {@link #complete} posts all requests
 * together: all are posted, or none. (On Soft-RoCE, a batch with a list of elements of different
 * lengths has to be posted by {@code ibv_post_send}, and the first requests may be posted without
 * the rest: see {@link #complete} and {@link #tryComplete}.) Built and posted as often as wanted,
 * without allocating. For one thread at a time.
 *
 * <p>Everything is checked before the first native call, so a batch that is not wanted can simply
 * be left. The data belongs to the device until the request completes, except inline data, which is
 * copied at once.
 */
public final class SendBatch extends BatchOperations {

    SendBatch(QueuePairEx qp, int capacity, int maxTsoHeader) {
        super(qp, capacity, maxTsoHeader);
    }

    /**
     * How many requests it can hold.
     *
     * @return the capacity
     */
    public int capacity() {
        return requests.length;
    }

    /**
     * How many requests it holds.
     *
     * @return 0 to the capacity
     */
    public int count() {
        return count;
    }

    // ---- data and address of the request begun last

    /**
     * Makes a part of a region the request's data (of a READ or an atomic: where the result goes).
     *
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when the part is not inside the region
     * @throws IllegalStateException when no request was begun, it takes no data, or the region is
     *     closed
     * @verbs.calls ibv_wr_set_sge
     */
    public SendBatch setSge(MemoryRegion mr, long offset, long length) {
        data().clearData();
        return addSge(mr, offset, length);
    }

    /**
     * Makes memory given by key and address the request's data, unchecked: the device refuses what
     * the key does not allow.
     *
     * @param lkey the local key
     * @param addr where the data is
     * @param length how long it is, in bytes, up to 4 GiB − 1
     * @return this
     * @throws IllegalStateException when no request was begun, or it takes no data
     * @verbs.calls ibv_wr_set_sge
     */
    public SendBatch setSge(int lkey, long addr, long length) {
        data().clearData();
        return add(null, addr, length, lkey);
    }

    /**
     * Adds a part of a region to the request's data: a gather list, or a scatter list of a READ.
     *
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when the part is not inside the region
     * @throws IllegalArgumentException when the list is longer than the queue pair's {@code
     *     max_send_sge}, or has 4 GiB of data or more
     * @throws IllegalStateException when no request was begun, it takes no data or has inline data,
     *     or the region is closed
     * @verbs.calls ibv_wr_set_sge_list
     */
    public SendBatch addSge(MemoryRegion mr, long offset, long length) {
        mr.checkRange(offset, length);
        return add(mr, mr.iova() + offset, length, mr.lkey());
    }

    private SendBatch add(MemoryRegion mr, long address, long length, int lkey) {
        SendRecord request = data();
        if (SendRecord.isInline(request.amount())) {
            throw new IllegalStateException("the request has inline data");
        }
        if (length < 0 || length > WrMemory.MAX_LENGTH) {
            Check.range("length", length, 0, WrMemory.MAX_LENGTH);
        }
        if (SendRecord.hasElements(request.amount())
                && length > WrMemory.MAX_LENGTH - request.length()) {
            throw new IllegalArgumentException(
                    "more than "
                            + WrMemory.MAX_LENGTH
                            + " bytes, which is what the elements of a message may have together");
        }
        if (!request.addSge(mr, address, length, lkey)) {
            throw new IllegalArgumentException(
                    "more than " + maxSge + " elements, which is what the queue pair takes");
        }
        return this;
    }

    /**
     * Makes a copy of memory the request's data. The memory need not be registered, may be on the
     * heap, and is free again at once.
     *
     * @param data the data
     * @return this
     * @throws IllegalArgumentException when it is longer than the queue pair's {@code
     *     max_inline_data}, or the operation takes none
     * @throws WrongThreadException when the data lies in a confined arena of another thread
     * @throws IllegalStateException when no request was begun
     * @verbs.calls ibv_wr_set_inline_data
     */
    public SendBatch setInlineData(MemorySegment data) {
        data().clearData();
        return addInlineData(data);
    }

    /**
     * Adds a copy of memory to the request's inline data.
     *
     * @param data the data
     * @return this
     * @throws IllegalArgumentException when all is longer than the queue pair's {@code
     *     max_inline_data}, or the operation takes none
     * @throws WrongThreadException when the data lies in a confined arena of another thread
     * @throws IllegalStateException when no request was begun, or it has data that is not inline
     * @verbs.calls ibv_wr_set_inline_data
     */
    public SendBatch addInlineData(MemorySegment data) {
        SendRecord request = data();
        if (SendRecord.hasElements(request.amount())) {
            throw new IllegalStateException("the request has data that is not inline");
        }
        if (!SendOpKinds.takesInline(request.op)) {
            throw new IllegalArgumentException(request.op + " takes no inline data");
        }
        if (!request.addInline(data, maxInline)) {
            throw new IllegalArgumentException(
                    "more inline data than the queue pair's max_inline_data of "
                            + maxInline
                            + " bytes");
        }
        return this;
    }

    /**
     * Sets where a datagram goes.
     *
     * @param ah the destination, of the same protection domain; must be open when the batch is
     *     posted, and stays open while it is
     * @param remoteQpn the number of the destination's queue pair; 0xffffff of a multicast group
     * @param remoteQkey the Q_Key that the destination expects
     * @return this
     * @throws IllegalStateException when no request was begun, or the queue pair is not UD
     * @throws IllegalArgumentException when the handle is of another domain
     * @verbs.calls ibv_wr_set_ud_addr
     */
    public SendBatch setUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
        SendRecord request = begun();
        if (qp.qpType() != QpType.UD) {
            throw new IllegalStateException("an address goes with UD, not " + qp.qpType());
        }
        request.ah = ofOneDomain(ah);
        request.remoteQpn = remoteQpn;
        request.remoteQkey = remoteQkey;
        return this;
    }

    private AddressHandle ofOneDomain(AddressHandle ah) {
        if (ah.pd() != qp.pd()) {
            throw new IllegalArgumentException(
                    "address handle and queue pair must be of one protection domain");
        }
        return ah;
    }

    /**
     * Sets the target of a request of a DC initiator ({@link io.github.verbs4j.mlx5.Dci}).
     *
     * @param ah the way to the target's port, of the same protection domain; open when the batch is
     *     posted
     * @param remoteDctn the target's number, 24 bits
     * @param remoteDcKey the target's access key
     * @return this
     * @throws IllegalStateException when no request was begun, it goes to no peer, or the queue
     *     pair is no DC initiator
     * @throws IllegalArgumentException when the handle is of another domain
     * @verbs.calls mlx5dv_wr_set_dc_addr
     */
    public SendBatch setDcAddr(AddressHandle ah, int remoteDctn, long remoteDcKey) {
        SendRecord request = begun();
        if (qp.qpType() != QpType.DRIVER) {
            throw new IllegalStateException("a DC target goes with a DCI, not " + qp.qpType());
        }
        if (!SendOpKinds.goesToPeer(request.op)) {
            throw new IllegalStateException(request.op + " goes to no peer");
        }
        request.ah = ofOneDomain(ah);
        request.remoteQpn = (int) Check.range("remoteDctn", remoteDctn, 0, 0xffffff);
        request.remoteDcKey = remoteDcKey;
        request.streamId = -1;
        return this;
    }

    /**
     * Sets the target of a request of a DC initiator, and the stream that it belongs to. Requests
     * of one stream keep their order, those of different streams overtake each other.
     *
     * @param ah as in {@link #setDcAddr}
     * @param remoteDctn as in {@link #setDcAddr}
     * @param remoteDcKey as in {@link #setDcAddr}
     * @param streamId the stream, 0 to 65535; a device has fewer
     * @return this
     * @throws IllegalStateException as {@link #setDcAddr}, or when the initiator was created
     *     without streams
     * @throws IllegalArgumentException as {@link #setDcAddr}
     * @verbs.calls mlx5dv_wr_set_dc_addr_stream
     */
    public SendBatch setDcAddrStream(
            AddressHandle ah, int remoteDctn, long remoteDcKey, int streamId) {
        Check.range("streamId", streamId, 0, 0xffff);
        if (!qp.hasDciStreams()) {
            throw new IllegalStateException("the queue pair was created without streams");
        }
        setDcAddr(ah, remoteDctn, remoteDcKey);
        begun().streamId = streamId;
        return this;
    }

    /**
     * Sets which shared receive queue of the peer's an XRC request is for.
     *
     * @param remoteSrqn its number, 24 bits
     * @return this
     * @throws IllegalStateException when no request was begun, or the queue pair is none of XRC
     * @verbs.calls ibv_wr_set_xrc_srqn
     */
    public SendBatch setXrcSrqn(int remoteSrqn) {
        SendRecord request = begun();
        if (qp.qpType() != QpType.XRC_SEND) {
            throw new IllegalStateException("an SRQ number goes with XRC, not " + qp.qpType());
        }
        request.srqn = (int) Check.range("remoteSrqn", remoteSrqn, 0, 0xffffff);
        return this;
    }

    /**
     * Sets which shared receive queue an XRC request is for, when this process has it.
     *
     * @param srq the queue, of the peer's XRC domain
     * @return this
     * @throws IllegalStateException as {@link #setXrcSrqn(int)}
     * @throws io.github.verbs4j.types.UnsupportedVerbException the queue is not one for XRC
     * @verbs.calls ibv_get_srq_num, ibv_wr_set_xrc_srqn
     */
    public SendBatch setXrcSrqn(SharedReceiveQueue srq) {
        return setXrcSrqn(srq.srqNum());
    }

    // ---- posting

    /**
     * Posts all requests, and empties the batch.
     *
     * @throws PostException ENOMEM: the send queue has no room for all of them, and none was
     *     posted; another errno: the device refused one, and none was posted. On Soft-RoCE with a
     *     list of elements of different lengths, those before the one that {@link
     *     PostException#index} names were posted
     * @throws IllegalStateException when the queue pair is closed or in a state that takes no
     *     sends, a request could never complete or lacks its address, or it would bind or
     *     invalidate a window wrongly; none was posted
     * @throws IllegalArgumentException when a datagram is longer than the port's active MTU; none
     *     was posted
     * @verbs.calls ibv_wr_start, ibv_wr_complete, ibv_wr_abort
     */
    public void complete() {
        int all = count;
        try {
            if (!post()) {
                throw failure(Errno.ENOMEM, all - count);
            }
        } finally {
            abort();
        }
    }

    /**
     * Posts all requests and empties the batch, unless the send queue has no room for all of them:
     * then the batch stays as it is. On Soft-RoCE with a list of elements of different lengths, the
     * requests that there was room for are posted and leave the batch; {@link #count} tells how
     * many are left. Either way, calling it again posts each request once.
     *
     * @return false when there is no room
     * @throws PostException as {@link #complete}, except ENOMEM; the batch keeps what was not
     *     posted
     * @throws IllegalStateException as {@link #complete}; the batch stays as it is
     * @throws IllegalArgumentException as {@link #complete}; the batch stays as it is
     * @verbs.calls ibv_wr_start, ibv_wr_complete, ibv_wr_abort
     */
    public boolean tryComplete() {
        if (!post()) {
            return false;
        }
        abort();
        return true;
    }

    /** Empties the batch; none of its requests is posted. */
    public void abort() {
        empty();
    }

    private boolean post() {
        if (lent) {
            throw new IllegalStateException("post posts the batch when the code returns");
        }
        int errno = qp.post(this);
        return switch (errno) {
            case 0 -> true;
            // rxe says it has no space, mlx5 that it has no memory.
            case Errno.ENOMEM, Errno.ENOSPC -> false;
            default -> throw failure(errno, 0);
        };
    }

    private PostException failure(int errno, int index) {
        return new PostException(
                "ibv_wr_complete",
                errno,
                index,
                errno == Errno.ENOMEM
                        ? "the send queue has no room for " + count + " more requests"
                        : "an operation, flag or element that the device does not take");
    }
}
