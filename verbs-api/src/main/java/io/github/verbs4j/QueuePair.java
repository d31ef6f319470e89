package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.DataInOrder;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

/**
 * A queue pair: C's {@code struct ibv_qp}. Safe for any thread; requests posted by one thread keep
 * their order. The state is the one this side set last: a failed request moves the queue pair to
 * ERR without telling; {@link #query} asks the device.
 */
public sealed class QueuePair implements AutoCloseable permits QueuePairEx {

    private final Context context;
    private final ProtectionDomain pd;
    private final SharedReceiveQueue srq;
    private final QpType qpType;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final NativeHandle handle;

    /** Of a DC target the device chooses it late. */
    private volatile int qpNum;

    private final QpCap cap;
    private final int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    private final SendQueue sendQueue;
    private final ReceiveQueue receiveQueue;
    private final McastGroups groups;
    private final QpStates states;

    QueuePair(ProtectionDomain pd, QpInitAttr attr) {
        this(pd, attr, new PlainQp());
    }

    QueuePair(ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        this(pd.context(), pd, attr, maker);
    }

    /** The receiving half of an extended reliable connection, which has no protection domain. */
    QueuePair(XrcDomain xrcd, QpMaker maker) {
        this(xrcd.context(), null, QpInitAttr.xrcRecv(), maker);
    }

    private QueuePair(Context context, ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        this.context = context;
        this.pd = pd;
        this.qpType = attr.qpType();
        this.sendCq = attr.sendCq();
        this.recvCq = attr.recvCq();
        this.srq = attr.srq();
        QpCreation creation = new QpCreation(context, pd, attr, maker);
        McastGroups attached = new McastGroups();
        this.groups = attached;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            AsyncEvents events = context.asyncEvents();
            this.handle =
                    NativeHandle.create(
                            "QueuePair",
                            () -> creation.create(init),
                            pointer -> {
                                events.closing(pointer);
                                attached.detachAll(pointer);
                                maker.destroy(pointer);
                            },
                            creation.parents());
            events.watch(handle, this);
            this.cap = QpAttrCodec.readCap(ibv_qp_init_attr.cap(init));
        }
        this.qpNum = readQpNum();
        this.sendQueue = new SendQueue(this, handle, cap);
        this.states = new QpStates(context, qpType, maker.kind(qpType), handle, sendQueue);
        this.receiveQueue =
                new ReceiveQueue(
                        "ibv_post_recv",
                        context.provider() == Provider.SIW
                                ? "Soft-iWARP takes no receive without elements"
                                : "the queue pair is in RESET",
                        handle,
                        context.operations().postRecv(),
                        cap.maxRecvSge());
        LeakDetector.watch(this, handle);
    }

    private int readQpNum() {
        return handle.within(qp -> ibv_qp.qp_num(Structs.view(qp, ibv_qp.sizeof())));
    }

    /**
     * The domain it was created in.
     *
     * @return the domain; null for XRC_RECV, which belongs to an {@link XrcDomain}
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * The context it belongs to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * The transport.
     *
     * @return its type
     */
    public QpType qpType() {
        return qpType;
    }

    /**
     * The number that peers address it by.
     *
     * @return 24 bits; of a DC target 0 before RTR
     */
    public int qpNum() {
        return qpNum;
    }

    /**
     * What the device granted when the queue pair was created: at least what was asked for.
     *
     * @return the capabilities
     */
    public QpCap cap() {
        return cap;
    }

    /**
     * Takes the completions of the send queue.
     *
     * @return the queue; null for XRC_RECV
     */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Takes the completions of the receive queue.
     *
     * @return the queue; null for XRC
     */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * Where its receives come from.
     *
     * @return the shared queue, or null when it has a receive queue of its own
     */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * The state that this side set last.
     *
     * @return the state
     */
    public QpState state() {
        return states.state();
    }

    // ---- connecting

    /**
     * What a peer needs to connect to this queue pair: send it there.
     *
     * @param local the GID that the peer is to reach, from {@link Context#gidTable()}
     * @return the address, with a packet sequence number chosen at random when the queue pair was
     *     created
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_port
     */
    public QpAddress localAddress(GidEntry local) {
        PortAttr port = context().queryPort(local.port());
        return new QpAddress(port.lid(), qpNum, psn, local.gid(), local.type(), port.activeMtu());
    }

    /**
     * Connects to a peer that does the same: RESET to INIT (unless it is there already, with
     * receives posted), to RTR, to RTS. The path MTU is the smaller of both ports', READs and
     * atomics get a depth of 16 or what the device allows, and timeouts are moderate. For other
     * values use {@link #modify} step by step.
     *
     * @param local the GID to use
     * @param remote the peer's {@link #localAddress}
     * @param access what the peer may do by RDMA: REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC; ignored
     *     if the queue pair is in INIT already
     * @throws IllegalArgumentException when the GIDs are of different types: peers that use
     *     different RoCE versions never hear each other
     * @throws IllegalStateException when the transport knows no connection: UD, DC
     * @throws VerbsException as {@link #modify}
     * @verbs.calls ibv_query_port, ibv_modify_qp
     */
    public void connect(GidEntry local, QpAddress remote, AccessFlag... access) {
        QpConnecting.connect(this, local, remote, psn, access);
    }

    /**
     * Makes a UD queue pair ready to send and receive: RESET to INIT (unless it is there already,
     * with receives posted), to RTR, to RTS.
     *
     * @param port the local port, from 1; ignored if the queue pair is in INIT already
     * @param qkey what senders must present ({@link SendWr#ud}); with the highest bit set it is
     *     privileged; ignored if the queue pair is in INIT already
     * @throws IllegalStateException when the transport is not UD
     * @throws VerbsException as {@link #modify}
     * @verbs.calls ibv_modify_qp
     */
    public void activateUd(int port, int qkey) {
        QpConnecting.activateUd(this, port, qkey, psn);
    }

    /**
     * Joins a multicast group: datagrams to it are received too. On Ethernet the network also has
     * to be told (IGMP, MLD), which the connection manager does. Joining twice counts once.
     *
     * @param group the group's GID: {@code ff..}, or an IPv4 group as {@code ::ffff:224.a.b.c}
     * @param lid the group's LID on InfiniBand, 16 bits; 0 on Ethernet
     * @throws VerbsException EINVAL: no multicast GID, or the transport is not UD; ENOMEM: too many
     *     groups
     * @verbs.calls ibv_attach_mcast
     */
    public void attachMcast(Gid group, int lid) {
        groups.attach(handle, group, lid);
    }

    /**
     * Leaves a multicast group. Closing the queue pair leaves all.
     *
     * @param group the group's GID
     * @param lid the group's LID, as when it was joined
     * @throws VerbsException EINVAL: the queue pair is not in the group
     * @verbs.calls ibv_detach_mcast
     */
    public void detachMcast(Gid group, int lid) {
        groups.detach(handle, group, lid);
    }

    /**
     * Changes the attributes that {@code attr} has set, the state among them.
     *
     * @param attr what to change
     * @throws IllegalArgumentException when a value is outside what the device or port allows
     * @throws io.github.verbs4j.types.QpTransitionException EINVAL: the transition is illegal, or
     *     attributes are missing or not allowed in it; names them
     * @throws VerbsException EINVAL: a value the device refuses; ENODATA: the GID index is empty;
     *     ETIMEDOUT, ENETUNREACH: the peer's GID cannot be reached from the local one; EPERM: a
     *     privileged Q_Key
     * @verbs.calls ibv_modify_qp
     */
    public void modify(QpAttr attr) {
        states.modify(attr);
        if (qpType == QpType.DRIVER && attr.isSet(QpAttrMask.STATE)) {
            qpNum = readQpNum();
        }
    }

    /**
     * Asks the device for the attributes as they are. A provider may fill only those that mean
     * something in the present state.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_qp
     */
    public QpAttr query() {
        return states.query();
    }

    /** One that exists already is in whatever state its creator left it. */
    void adoptState() {
        states.adopt();
    }

    // ---- posting

    /**
     * Posts a send request. Allocates nothing.
     *
     * <p>Not checked here, as each element of each request would cost time: a region of another
     * protection domain, or of another context. The device refuses its key, so the request
     * completes with an error (LOC_QP_OP_ERR on Soft-RoCE) and the queue pair is in ERR.
     *
     * @param wr the request
     * @throws PostException ENOMEM: the send queue is full; EINVAL: the device does not take the
     *     operation, a flag or an element
     * @throws IllegalStateException when the queue pair is closed or in a state that takes no
     *     sends, or the request could never complete
     * @throws IllegalArgumentException when the request has too many elements, inline data that is
     *     too long or does not go with its operation, or is a datagram longer than the port's
     *     active MTU
     * @throws WrongThreadException when inline data lies in a confined arena of another thread
     * @verbs.calls ibv_post_send
     */
    public void postSend(SendWr wr) {
        sendQueue.post(wr);
    }

    /**
     * Posts a send request unless the send queue is full. A device may free a place before the
     * completion is polled, so a queue that is never full does not keep its completion queue from
     * overflowing: post no more signaled requests than that has room for.
     *
     * @param wr the request
     * @return false when the queue is full
     * @throws PostException as {@link #postSend(SendWr)}, except ENOMEM
     * @throws IllegalStateException as {@link #postSend(SendWr)}
     * @throws IllegalArgumentException as {@link #postSend(SendWr)}
     * @verbs.calls ibv_post_send
     */
    public boolean tryPostSend(SendWr wr) {
        return sendQueue.tryPost(wr);
    }

    /**
     * Posts a chain of send requests by one call.
     *
     * @param wrs the requests
     * @throws PostException as {@link #postSend(SendWr)}; names the first one that was not posted,
     *     and those before it were
     * @throws IllegalStateException as {@link #postSend(SendWr)}; none was posted
     * @throws IllegalArgumentException as {@link #postSend(SendWr)}; none was posted
     * @verbs.calls ibv_post_send
     */
    public void postSend(SendWrArray wrs) {
        int posted = sendQueue.tryPost(wrs, wrs.capacity());
        if (posted < wrs.capacity()) {
            throw sendQueue.failure(Errno.ENOMEM, posted);
        }
    }

    /**
     * Posts the first requests of a chain, as many as the send queue has room for.
     *
     * @param wrs the requests
     * @param count how many of them, 1 to the chain's capacity
     * @return how many were posted
     * @throws PostException as {@link #postSend(SendWrArray)}, except ENOMEM
     * @throws IllegalStateException as {@link #postSend(SendWrArray)}
     * @throws IllegalArgumentException as {@link #postSend(SendWrArray)}
     * @verbs.calls ibv_post_send
     */
    public int tryPostSend(SendWrArray wrs, int count) {
        return sendQueue.tryPost(wrs, count);
    }

    /**
     * Posts a receive request. Allocates nothing.
     *
     * @param wr the request
     * @throws PostException ENOMEM: the receive queue is full; EINVAL: the queue pair is in RESET;
     *     on Soft-iWARP, the request has no elements
     * @throws IllegalStateException when the queue pair is closed, or takes its receives from a
     *     {@link SharedReceiveQueue}
     * @throws IllegalArgumentException when the request has too many elements
     * @verbs.calls ibv_post_recv
     */
    public void postRecv(RecvWr wr) {
        receives().post(wr);
    }

    /**
     * Posts a receive request unless the receive queue is full.
     *
     * @param wr the request
     * @return false when the queue is full
     * @throws PostException as {@link #postRecv(RecvWr)}, except ENOMEM
     * @verbs.calls ibv_post_recv
     */
    public boolean tryPostRecv(RecvWr wr) {
        return receives().tryPost(wr);
    }

    /**
     * Posts a chain of receive requests by one call.
     *
     * @param wrs the requests
     * @throws PostException as {@link #postRecv(RecvWr)}; names the first one that was not posted,
     *     and those before it were
     * @verbs.calls ibv_post_recv
     */
    public void postRecv(RecvWrArray wrs) {
        receives().post(wrs);
    }

    /**
     * Posts the first requests of a chain, as many as the receive queue has room for.
     *
     * @param wrs the requests
     * @param count how many of them, 1 to the chain's capacity
     * @return how many were posted
     * @throws PostException as {@link #postRecv(RecvWrArray)}, except ENOMEM
     * @verbs.calls ibv_post_recv
     */
    public int tryPostRecv(RecvWrArray wrs, int count) {
        return receives().tryPost(wrs, count);
    }

    private ReceiveQueue receives() {
        if (qpType == QpType.DRIVER && srq == null) {
            throw new IllegalStateException("a DC initiator takes no receives: a DC target does");
        }
        if (recvCq == null) {
            throw new IllegalStateException(qpType + " takes no receives: post them to an XRC SRQ");
        }
        if (srq != null) {
            throw new IllegalStateException(
                    "the queue pair takes its receives from " + srq + ": post them there");
        }
        return receiveQueue;
    }

    // ---- memory windows

    /**
     * Posts the binding of a type 1 window. The window's rkey changes at once.
     *
     * @param mw the window
     * @param bind what to bind it to; a length of 0 unbinds it
     * @param wrId what the completion carries back
     * @param sendFlags bits of {@link io.github.verbs4j.types.SendFlags}
     * @throws IllegalArgumentException when the window is of type 2, or of another domain
     * @throws IllegalStateException when the queue pair takes no sends
     * @throws VerbsException EINVAL: the region lacks MW_BIND, or the access is not allowed
     * @verbs.calls ibv_bind_mw
     */
    public void bindMw(MemoryWindow mw, MwBind bind, long wrId, int sendFlags) {
        SendWr.checkFlags(sendFlags);
        sendQueue.windows().checkBind(mw, bind, MwType.TYPE_1);
        sendQueue.enter();
        try {
            int errno = handle.call(qp -> Type1Bind.post(sendQueue, qp, mw, bind, wrId, sendFlags));
            Check.zero("ibv_bind_mw", errno);
        } finally {
            sendQueue.leave();
        }
    }

    /**
     * Says that the peer has bound a type 2 window anew under an rkey that this side invalidated
     * before, so that SEND_WITH_INV may name it again. Without that, a second one is refused, also
     * on other queue pairs of this process that are connected to the same address: it brings down a
     * peer on rxe. Not needed for windows of this process.
     *
     * @param peerRkey the rkey
     * @verbs.calls ibv_query_qp
     */
    public void peerRebound(int peerRkey) {
        sendQueue.windows().forget(peerRkey);
    }

    // ---- rarer control calls

    /**
     * Stops the sending: posted requests wait from now on. Returns when the device says that those
     * that had begun have ended ({@code sq_draining}). {@code modify(QpAttr.of(RTS))} resumes; on
     * Soft-RoCE what was posted meanwhile goes out with the request posted next.
     *
     * <p>On Soft-RoCE a request that waits to be repeated, as a SEND does for which the peer has no
     * receive yet, may not be waited for: it has no completion then. To be sure that a request has
     * ended, wait for its completion.
     *
     * @param timeout how long to wait at most; the sending stays stopped when it ends
     * @throws TimeoutException when requests had not completed in time
     * @throws InterruptedException when the thread is interrupted
     * @throws io.github.verbs4j.types.QpTransitionException the queue pair is not in RTS or SQD
     * @verbs.calls ibv_modify_qp, ibv_query_qp
     */
    public void drainSends(Duration timeout) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        modify(QpAttr.of(QpState.SQD));
        for (int tries = 0; query().sqDraining(); tries++) {
            CompletionQueue.pause(tries, deadline, timeout, "the send queue is not drained");
        }
    }

    /**
     * Takes over what the peer's {@link #queryEce} said, between INIT and RTR.
     *
     * @param ece the peer's options
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no such options
     * @throws VerbsException EINVAL: options the device does not take
     * @verbs.calls ibv_set_ece
     */
    public void setEce(Ece ece) {
        QpExtras.setEce(handle, ece);
    }

    /**
     * Tells which vendor options the queue pair would use, or after RTR uses.
     *
     * @return the options
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no such options
     * @verbs.calls ibv_query_ece
     */
    public Ece queryEce() {
        return QpExtras.queryEce(handle);
    }

    /**
     * Has a counter count completions of this queue pair, in RESET or INIT. It stays attached until
     * the queue pair closes.
     *
     * @param counter the counter, of the same context
     * @param ops what to count; no other counter may count it
     * @throws IllegalArgumentException when there is no operation, or the counter is another
     *     context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device does not count this, or
     *     rdma-core is older than 65
     * @throws VerbsException EINVAL: another state, or another counter counts it
     * @verbs.calls ibv_qp_attach_comp_cntr
     */
    public void attachCompCntr(CompletionCounter counter, CompCntrOp... ops) {
        Check.sameContext(
                "counter", Objects.requireNonNull(counter, "counter").context(), pd.context());
        counter.attach(handle, ops);
    }

    /**
     * Limits how fast the queue pair sends, in RTS.
     *
     * @param limit the limit
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: a value that the device does not take
     * @verbs.calls ibv_modify_qp_rate_limit
     */
    public void modifyRateLimit(QpRateLimit limit) {
        QpExtras.modifyRateLimit(handle, limit);
    }

    /**
     * Tells in which order the bytes of a message land in memory, so that a program may watch the
     * last one instead of polling.
     *
     * @param op the operation that carries the message
     * @return the guarantees; empty for none, which is the rule
     * @verbs.calls ibv_query_qp_data_in_order
     */
    public Set<DataInOrder> queryDataInOrder(WrOpcode op) {
        return QpExtras.queryDataInOrder(handle, op);
    }

    /**
     * Tells in which order the device writes the bytes of a message, whatever the processor makes
     * of that: for memory that another device reads.
     *
     * @param op the operation that carries the message
     * @return the guarantees; empty for none, and from an rdma-core that does not know the question
     * @verbs.calls ibv_query_qp_data_in_order
     */
    public Set<DataInOrder> queryDataInOrderOfDevice(WrOpcode op) {
        return QpExtras.queryDataInOrderOfDevice(handle, op);
    }

    /**
     * Tells whether the queue pair has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_qp *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the type 2 windows bound on the queue pair, leaves its multicast groups, and closes
     * the queue pair. Requests that are outstanding end without a completion; those of completed
     * ones can still be polled.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_detach_mcast, ibv_destroy_qp
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return String.format("%s[%s 0x%06x, %s]", handle, qpType, qpNum, state());
    }

    NativeHandle nativeHandle() {
        return handle;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    /** The connection manager moved the queue pair to another state. */
    void moved(QpState newState) {
        states.moved(newState);
    }
}
