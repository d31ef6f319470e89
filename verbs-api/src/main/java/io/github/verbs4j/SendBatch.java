package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Send requests for a {@link QueuePairEx}, built by the {@code ibv_wr_…} functions. Call {@link
 * #wrId} and {@link #wrFlags}, which hold until they are called again; then an operation, which
 * begins a request; then what sets its data and address. {@link #complete} posts all requests
 * together: all are posted, or none. Built and posted as often as wanted, without allocating. For
 * one thread at a time.
 *
 * <p>Everything is checked before the first native call, so a batch that is not wanted can simply
 * be left. The data belongs to the device until the request completes, except inline data, which is
 * copied at once.
 */
public final class SendBatch {

    private static final int KNOWN_FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.IP_CSUM;
    private static final long MAX_LENGTH = 0xffffffffL;

    private final QueuePairEx qp;
    private final SendRecord[] requests;
    private final long sendOps;
    private final int maxSge;
    private final int maxInline;
    private final int maxTsoHeader;

    private long wrId;
    private int wrFlags = SendFlags.SIGNALED;
    private int count;
    private SendRecord current;
    private int traits = SendWr.ANY;
    private boolean lent;
    private boolean own = true;
    private SendWrArray classic;

    SendBatch(QueuePairEx qp, int capacity, int maxTsoHeader) {
        Check.range("capacity", capacity, 1, 1 << 16);
        this.qp = qp;
        this.sendOps = SendOp.bits(qp.sendOps());
        this.maxSge = qp.cap().maxSendSge();
        this.maxInline = qp.cap().maxInlineData();
        this.maxTsoHeader = maxTsoHeader;
        this.requests = new SendRecord[capacity];
        long sges = maxSge * SendRecord.sgeSize();
        long data = (Math.max(maxInline, maxTsoHeader) + 7L) / 8 * 8;
        long size = sges + SendRecord.SCRATCH + data;
        MemorySegment memory = Arena.ofAuto().allocate(size * capacity, 64);
        for (int i = 0; i < capacity; i++) {
            MemorySegment part = memory.asSlice(i * size, size);
            requests[i] =
                    new SendRecord(
                            part.asSlice(0, sges),
                            part.asSlice(sges, SendRecord.SCRATCH),
                            part.asSlice(sges + SendRecord.SCRATCH, data));
        }
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

    // ---- what holds for the requests that follow

    /**
     * Sets the number that completions carry back.
     *
     * @param id any 64 bits; 0 in an empty batch
     * @return this
     */
    public SendBatch wrId(long id) {
        wrId = id;
        return this;
    }

    /**
     * Sets the flags.
     *
     * @param flags bits of {@link SendFlags} except INLINE, which {@link #setInlineData} sees to;
     *     SIGNALED in an empty batch
     * @return this
     * @throws IllegalArgumentException when a bit is none of them
     */
    public SendBatch wrFlags(int flags) {
        if ((flags & ~KNOWN_FLAGS) != 0) {
            throw new IllegalArgumentException(
                    (flags & SendFlags.INLINE) != 0
                            ? "INLINE follows from setInlineData; leave it out"
                            : "unknown send flags 0x" + Integer.toHexString(flags & ~KNOWN_FLAGS));
        }
        wrFlags = flags;
        return this;
    }

    // ---- operations

    /**
     * Begins a SEND.
     *
     * @return this
     * @throws IllegalStateException when the batch is full, or the queue pair was created without
     *     the operation
     * @verbs.calls ibv_wr_send
     */
    public SendBatch send() {
        begin(SendOp.SEND);
        return this;
    }

    /**
     * Begins a SEND_WITH_IMM.
     *
     * @param imm the immediate data, 32 bits in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_imm
     */
    public SendBatch sendImm(int imm) {
        begin(SendOp.SEND_WITH_IMM).imm = imm;
        return this;
    }

    /**
     * Begins a SEND_WITH_INV.
     *
     * @param peerRkey the rkey of a type 2 memory window of the peer's, to be invalidated; refused
     *     as in {@link QueuePair#peerRebound}
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_inv
     */
    public SendBatch sendInv(int peerRkey) {
        begin(SendOp.SEND_WITH_INV).rkey = peerRkey;
        traits |= SendWr.WINDOW;
        return this;
    }

    /**
     * Begins a TSO: a long TCP segment that the device cuts into packets.
     *
     * @param header the headers that each packet begins with; copied
     * @param mss how much data a packet carries, in bytes, 1 to 65535
     * @return this
     * @throws IllegalArgumentException when the headers are longer than the queue pair's {@code
     *     max_tso_header}
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_send_tso
     */
    public SendBatch sendTso(MemorySegment header, int mss) {
        Check.range("length of the TSO header", header.byteSize(), 0, maxTsoHeader);
        Check.range("mss", mss, 1, 0xffff);
        SendRecord request = begin(SendOp.TSO);
        request.header(header);
        request.operand = mss;
        return this;
    }

    /**
     * Begins an RDMA_WRITE.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write
     */
    public SendBatch rdmaWrite(RemoteBuffer target, long offset) {
        return rdmaWrite(target.rkey(), target.address(offset));
    }

    /**
     * Begins an RDMA_WRITE by key and address, unchecked: the peer's device refuses what the key
     * does not allow.
     *
     * @param rkey the peer's key
     * @param remoteAddr in the peer's memory
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write
     */
    public SendBatch rdmaWrite(int rkey, long remoteAddr) {
        remote(SendOp.RDMA_WRITE, rkey, remoteAddr);
        return this;
    }

    /**
     * Begins an RDMA_WRITE_WITH_IMM.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param imm the immediate data, 32 bits in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_write_imm
     */
    public SendBatch rdmaWriteImm(RemoteBuffer target, long offset, int imm) {
        remote(SendOp.RDMA_WRITE_WITH_IMM, target.rkey(), target.address(offset)).imm = imm;
        return this;
    }

    /**
     * Begins an RDMA_READ.
     *
     * @param source the peer's buffer
     * @param offset in bytes from its start
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_rdma_read
     */
    public SendBatch rdmaRead(RemoteBuffer source, long offset) {
        remote(SendOp.RDMA_READ, source.rkey(), source.address(offset));
        return this;
    }

    /**
     * Begins an ATOMIC_CMP_AND_SWP on 8 bytes of the peer's, aligned to 8. Its data is where the
     * old value goes: 8 bytes.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param compare what the peer's memory must hold for the swap to happen, in host order
     * @param swap what to store then, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_cmp_swp
     */
    public SendBatch atomicCmpSwp(RemoteBuffer target, long offset, long compare, long swap) {
        SendRecord request =
                remote(SendOp.ATOMIC_CMP_AND_SWP, target.rkey(), target.address(offset));
        request.operand = compare;
        request.swap = swap;
        return this;
    }

    /**
     * Begins an ATOMIC_FETCH_AND_ADD on 8 bytes of the peer's, aligned to 8. Its data is where the
     * old value goes: 8 bytes.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param add what to add, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_fetch_add
     */
    public SendBatch atomicFetchAdd(RemoteBuffer target, long offset, long add) {
        remote(SendOp.ATOMIC_FETCH_AND_ADD, target.rkey(), target.address(offset)).operand = add;
        return this;
    }

    /**
     * Begins an ATOMIC_WRITE of 8 bytes, aligned to 8. It needs no data beside the value.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param value what to store, in host order
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_atomic_write
     */
    public SendBatch atomicWrite(RemoteBuffer target, long offset, long value) {
        remote(SendOp.ATOMIC_WRITE, target.rkey(), target.address(offset)).atomicValue(value);
        return this;
    }

    /**
     * Begins a FLUSH of what was written to a part of the peer's memory before. It needs no data.
     *
     * @param target the peer's buffer
     * @param offset in bytes from its start
     * @param length in bytes
     * @param type C's {@code IBV_FLUSH_GLOBAL} (1), {@code IBV_FLUSH_PERSISTENT} (2), or both
     * @param level C's {@code IBV_FLUSH_RANGE} (0) or {@code IBV_FLUSH_MR} (1)
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_flush
     */
    public SendBatch flush(RemoteBuffer target, long offset, long length, int type, int level) {
        Objects.checkFromIndexSize(offset, length, target.length());
        Check.range("type", type, 1, 3);
        Check.range("level", level, 0, 1);
        SendRecord request = remote(SendOp.FLUSH, target.rkey(), target.address(offset));
        request.operand = length;
        request.flushType = type;
        request.flushLevel = level;
        return this;
    }

    /**
     * Begins a BIND_MW of a type 2 window, whose rkey is the new one as soon as the batch is
     * posted.
     *
     * @param mw the window, not bound
     * @param bind the region, the part and what peers may do with it
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_bind_mw
     */
    public SendBatch bindMw(MemoryWindow mw, MwBind bind) {
        Objects.requireNonNull(mw, "mw");
        Objects.requireNonNull(bind, "bind");
        SendRecord request = begin(SendOp.BIND_MW);
        request.window = mw;
        request.bind = bind;
        traits |= SendWr.WINDOW;
        return this;
    }

    /**
     * Begins a LOCAL_INV: takes a type 2 window of this side's back.
     *
     * @param mw the window, bound on this queue pair
     * @return this
     * @throws IllegalStateException as {@link #send}
     * @verbs.calls ibv_wr_local_inv
     */
    public SendBatch localInv(MemoryWindow mw) {
        Objects.requireNonNull(mw, "mw");
        begin(SendOp.LOCAL_INV).window = mw;
        traits |= SendWr.WINDOW;
        return this;
    }

    private SendRecord remote(SendOp op, int rkey, long remoteAddr) {
        SendRecord request = begin(op);
        request.rkey = rkey;
        request.remoteAddress = remoteAddr;
        switch (op) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {}
            default -> traits |= SendWr.RD_ATOMIC;
        }
        return request;
    }

    private SendRecord begin(SendOp op) {
        if ((sendOps & op.value()) == 0) {
            throw new IllegalStateException(
                    "the queue pair was created without " + op + "; see QpInitAttrEx.sendOps");
        }
        if (!own && !lent) {
            throw new IllegalStateException("the batch may be used inside post only");
        }
        if (count == requests.length) {
            throw new IllegalStateException("the batch is full, it holds " + count + " requests");
        }
        SendRecord request = requests[count++];
        request.begin(op, wrId, wrFlags);
        current = request;
        return request;
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
     *     max_send_sge}
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
        if (request.isInline()) {
            throw new IllegalStateException("the request has inline data");
        }
        if (length < 0 || length > MAX_LENGTH) {
            Check.range("length", length, 0, MAX_LENGTH);
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
     * @verbs.calls ibv_wr_set_inline_data_list
     */
    public SendBatch addInlineData(MemorySegment data) {
        SendRecord request = data();
        if (request.hasElements()) {
            throw new IllegalStateException("the request has data that is not inline");
        }
        switch (request.op) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {}
            default -> throw new IllegalArgumentException(request.op + " takes no inline data");
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
        if (!request.goesToPeer()) {
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
        current.streamId = streamId;
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

    private SendRecord data() {
        SendRecord request = begun();
        if (!request.takesData()) {
            throw new IllegalStateException(request.op + " takes no data");
        }
        return request;
    }

    private SendRecord begun() {
        if (current == null) {
            throw new IllegalStateException("begin a request first: send, rdmaWrite, …");
        }
        return current;
    }

    // ---- posting

    /**
     * Posts all requests, and empties the batch.
     *
     * @throws PostException ENOMEM: the send queue has no room for all of them, and none was
     *     posted; another errno: the device refused one, and none was posted. On Soft-RoCE a batch
     *     with a list of elements of different lengths is posted by {@code ibv_post_send}, and the
     *     exception may name a later request: those before it were posted
     * @throws IllegalStateException when the queue pair is closed or in a state that takes no
     *     sends, a request could never complete or lacks its address, or it would bind or
     *     invalidate a window wrongly; none was posted
     * @throws IllegalArgumentException when a datagram is longer than the port's active MTU; none
     *     was posted
     * @verbs.calls ibv_wr_start, ibv_wr_complete, ibv_wr_abort
     */
    public void complete() {
        try {
            if (!post()) {
                throw failure(Errno.ENOMEM);
            }
        } finally {
            abort();
        }
    }

    /**
     * Posts all requests and empties the batch, unless the send queue has no room for all of them:
     * then the batch stays as it is.
     *
     * @return false when there is no room
     * @throws PostException as {@link #complete}, except ENOMEM; the batch stays as it is
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
        count = 0;
        current = null;
        traits = SendWr.ANY;
        wrId = 0;
        wrFlags = SendFlags.SIGNALED;
    }

    private boolean post() {
        if (lent) {
            throw new IllegalStateException("post posts the batch when the code returns");
        }
        for (int i = 0; i < count; i++) {
            check(requests[i]);
        }
        int errno = qp.post(this);
        return switch (errno) {
            case 0 -> true;
            // rxe says it has no space, mlx5 that it has no memory.
            case Errno.ENOMEM, Errno.ENOSPC -> false;
            default -> throw failure(errno);
        };
    }

    private PostException failure(int errno) {
        return new PostException(
                "ibv_wr_complete",
                errno,
                0,
                errno == Errno.ENOMEM
                        ? "the send queue has no room for " + count + " more requests"
                        : "an operation, flag or element that the device does not take");
    }

    private void check(SendRecord request) {
        switch (request.op) {
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
                if (request.length() != Long.BYTES) {
                    throw new IllegalStateException(
                            request.op
                                    + " needs 8 bytes for the old value, it has "
                                    + request.length());
                }
            }
            default -> {}
        }
        if (qp.qpType() == QpType.UD) {
            if (request.ah == null) {
                throw new IllegalStateException("a datagram needs an address");
            }
            if (request.op != SendOp.TSO) { // which the device cuts into packets
                qp.sendQueue().checkDatagram(request.length());
            }
        }
        if (qp.qpType() == QpType.DRIVER && request.ah == null && request.goesToPeer()) {
            throw new IllegalStateException("a DC request needs its target: setDcAddr");
        }
        if (qp.qpType() == QpType.XRC_SEND && request.srqn < 0) {
            throw new IllegalStateException("an XRC request needs an SRQ number: setXrcSrqn");
        }
    }

    // ---- for the queue pair

    /**
     * Lent by {@link QueuePairEx#post}, the batch can be filled but not posted; else the reverse.
     */
    void lend(boolean now) {
        own = false;
        lent = now;
    }

    int traits() {
        return traits;
    }

    void enterAddressHandle(int index) {
        if (requests[index].ah != null) {
            requests[index].enterAddressHandle();
        }
    }

    void leaveAddressHandle(int index) {
        requests[index].leaveAddressHandle();
    }

    boolean isUneven() {
        for (int i = 0; i < count; i++) {
            if (requests[i].isUneven()) {
                return true;
            }
        }
        return false;
    }

    void apply(BatchWindows windows) {
        for (int i = 0; i < count; i++) {
            windows.apply(requests[i]);
        }
    }

    void replay(MemorySegment qpEx, MemorySegment mlx5Qp, boolean inlineFlag) {
        for (int i = 0; i < count; i++) {
            requests[i].replay(qpEx, mlx5Qp, inlineFlag);
        }
    }

    SendWrArray classic() {
        if (classic == null) {
            classic = new SendWrArray(requests.length, Math.max(maxSge, 1));
        }
        for (int i = 0; i < count; i++) {
            requests[i].copyTo(classic.get(i));
        }
        return classic;
    }
}
