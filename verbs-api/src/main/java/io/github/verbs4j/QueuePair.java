package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;

/**
 * A queue pair: C's {@code struct ibv_qp}. Safe for any thread; requests posted by one thread keep
 * their order. The state is the one this side set last: a failed request moves the queue pair to
 * ERR without telling; {@link #query} asks the device.
 */
public sealed class QueuePair extends QueuePairControl implements AutoCloseable
        permits QueuePairEx {

    QueuePair(ProtectionDomain pd, QpInitAttr attr) {
        this(pd, attr, new PlainQp());
    }

    QueuePair(ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        super(pd.context(), pd, attr, maker);
    }

    /** The receiving half of an extended reliable connection, which has no protection domain. */
    QueuePair(XrcDomain xrcd, QpMaker maker) {
        super(xrcd.context(), null, QpInitAttr.xrcRecv(), maker);
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
     * @throws IllegalArgumentException when the request has too many elements, or 4 GiB of data or
     *     more, or inline data that is too long or does not go with its operation; is an atomic
     *     with another room than 8 bytes for the old value, or a datagram longer than the port's
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
            throw SendFailures.of(Errno.ENOMEM, posted);
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
     * @throws IllegalArgumentException when the request has too many elements, or they have 4 GiB
     *     together or more
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

    /**
     * Closes the type 2 windows bound on the queue pair, leaves its multicast groups, and closes
     * the queue pair. Requests that are outstanding end without a completion; those of completed
     * ones can still be polled.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_detach_mcast, ibv_destroy_qp, rdma_destroy_qp
     */
    @Override
    public void close() {
        handle.close();
    }
}
