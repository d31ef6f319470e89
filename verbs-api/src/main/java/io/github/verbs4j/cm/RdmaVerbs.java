package io.github.verbs4j.cm;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * The short forms of {@code rdma/rdma_verbs.h}: registering, posting and waiting on a queue pair,
 * one element and one request at a time. For one thread: it has one request of each kind, which the
 * calls fill and post; posting allocates nothing.
 *
 * <p>The flags are those of {@link SendFlags}: without SIGNALED a send that succeeds does not
 * complete, unless the queue pair was made with {@code sqSigAll}.
 */
public final class RdmaVerbs {

    private static final int UDP_QKEY = verbs_h.RDMA_UDP_QKEY();

    private final QueuePair qp;
    private final SendWr send = new SendWr(1);
    private final RecvWr recv = new RecvWr(1);
    private final WcArray wc = new WcArray(1);

    /**
     * The short forms for an id.
     *
     * @param id an id with a queue pair
     * @throws IllegalStateException when it has none
     */
    public RdmaVerbs(CmId id) {
        this(requireQp(id));
    }

    RdmaVerbs(QueuePair qp) {
        this.qp = qp;
    }

    private static QueuePair requireQp(CmId id) {
        QueuePair qp = id.qp();
        if (qp == null) {
            throw new IllegalStateException("the id has no queue pair");
        }
        return qp;
    }

    /**
     * Registers memory for sends and receives.
     *
     * @param memory off-heap memory
     * @return the region; close it
     * @throws VerbsException as {@link io.github.verbs4j.ProtectionDomain#regMr}
     * @verbs.calls rdma_reg_msgs, ibv_reg_mr
     */
    public MemoryRegion regMsgs(MemorySegment memory) {
        return qp.pd().regMr(memory, AccessFlag.LOCAL_WRITE);
    }

    /**
     * Registers memory for RDMA reads by the peer.
     *
     * @param memory off-heap memory
     * @return the region; close it
     * @throws VerbsException as {@link io.github.verbs4j.ProtectionDomain#regMr}
     * @verbs.calls rdma_reg_read, ibv_reg_mr
     */
    public MemoryRegion regRead(MemorySegment memory) {
        return qp.pd().regMr(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
    }

    /**
     * Registers memory for RDMA writes by the peer.
     *
     * @param memory off-heap memory
     * @return the region; close it
     * @throws VerbsException as {@link io.github.verbs4j.ProtectionDomain#regMr}
     * @verbs.calls rdma_reg_write, ibv_reg_mr
     */
    public MemoryRegion regWrite(MemorySegment memory) {
        return qp.pd().regMr(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    /**
     * Posts a receive.
     *
     * @param wrId what its completion brings back
     * @param mr the region to receive into
     * @param offset where in it
     * @param length how many bytes at most
     * @throws PostException as {@link QueuePair#postRecv(RecvWr)}
     * @verbs.calls rdma_post_recv, ibv_post_recv
     */
    public void postRecv(long wrId, MemoryRegion mr, long offset, long length) {
        qp.postRecv(recv.wrId(wrId).sge(mr, offset, length));
    }

    /**
     * Posts a send.
     *
     * @param wrId what its completion brings back
     * @param mr the region to send from
     * @param offset where in it
     * @param length how many bytes
     * @param flags bits of {@link SendFlags}
     * @throws PostException as {@link QueuePair#postSend(SendWr)}
     * @verbs.calls rdma_post_send, ibv_post_send
     */
    public void postSend(long wrId, MemoryRegion mr, long offset, long length, int flags) {
        send.opcode(WrOpcode.SEND).sge(mr, offset, length);
        qp.postSend(send.wrId(wrId).sendFlags(flags));
    }

    /**
     * Posts an RDMA read.
     *
     * @param wrId what its completion brings back
     * @param mr the region to read into
     * @param offset where in it
     * @param length how many bytes
     * @param flags bits of {@link SendFlags}
     * @param from the peer's memory
     * @param remoteOffset where in it
     * @throws PostException as {@link QueuePair#postSend(SendWr)}
     * @verbs.calls rdma_post_read, ibv_post_send
     */
    public void postRead(
            long wrId,
            MemoryRegion mr,
            long offset,
            long length,
            int flags,
            RemoteBuffer from,
            long remoteOffset) {
        send.opcode(WrOpcode.RDMA_READ).sge(mr, offset, length).remote(from, remoteOffset);
        qp.postSend(send.wrId(wrId).sendFlags(flags));
    }

    /**
     * Posts an RDMA write.
     *
     * @param wrId what its completion brings back
     * @param mr the region to write from
     * @param offset where in it
     * @param length how many bytes
     * @param flags bits of {@link SendFlags}
     * @param to the peer's memory
     * @param remoteOffset where in it
     * @throws PostException as {@link QueuePair#postSend(SendWr)}
     * @verbs.calls rdma_post_write, ibv_post_send
     */
    public void postWrite(
            long wrId,
            MemoryRegion mr,
            long offset,
            long length,
            int flags,
            RemoteBuffer to,
            long remoteOffset) {
        send.opcode(WrOpcode.RDMA_WRITE).sge(mr, offset, length).remote(to, remoteOffset);
        qp.postSend(send.wrId(wrId).sendFlags(flags));
    }

    /**
     * Posts a datagram, with the queue key of the UDP port space.
     *
     * @param wrId what its completion brings back
     * @param mr the region to send from
     * @param offset where in it
     * @param length how many bytes, up to the path MTU
     * @param flags bits of {@link SendFlags}
     * @param to the destination, made from {@link UdParam#ahAttr}
     * @param remoteQpn its queue pair, {@link UdParam#qpNum}
     * @throws PostException as {@link QueuePair#postSend(SendWr)}
     * @verbs.calls rdma_post_ud_send, ibv_post_send
     */
    public void postUdSend(
            long wrId,
            MemoryRegion mr,
            long offset,
            long length,
            int flags,
            AddressHandle to,
            int remoteQpn) {
        send.opcode(WrOpcode.SEND).sge(mr, offset, length).ud(to, remoteQpn, UDP_QKEY);
        qp.postSend(send.wrId(wrId).sendFlags(flags));
    }

    /**
     * Waits for the next completion of the send queue. C waits for ever.
     *
     * @param timeout how long at most
     * @return the completion
     * @throws io.github.verbs4j.types.WorkCompletionException when it failed
     * @throws TimeoutException when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_get_send_comp, ibv_poll_cq
     */
    public WorkCompletion getSendComp(Duration timeout)
            throws InterruptedException, TimeoutException {
        qp.sendCq().await(wc, timeout);
        return wc.get(0).checkSuccess();
    }

    /**
     * Waits for the next completion of the receive queue. C waits for ever. That the peer has
     * disconnected is not noticed here, but by who takes the events of the id, as {@link
     * RdmaConnection#awaitDisconnected} does.
     *
     * @param timeout how long at most
     * @return the completion
     * @throws io.github.verbs4j.types.WorkCompletionException when it failed
     * @throws TimeoutException when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rdma_get_recv_comp, ibv_poll_cq
     */
    public WorkCompletion getRecvComp(Duration timeout)
            throws InterruptedException, TimeoutException {
        qp.recvCq().await(wc, timeout);
        return wc.get(0).checkSuccess();
    }
}
