package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.IBV_ACCESS_LOCAL_WRITE;
import static io.github.verbs4j.ffi.verbs_h.IBV_ACCESS_REMOTE_READ;
import static io.github.verbs4j.ffi.verbs_h.IBV_ACCESS_REMOTE_WRITE;
import static io.github.verbs4j.ffi.verbs_h.IBV_WR_RDMA_READ;
import static io.github.verbs4j.ffi.verbs_h.IBV_WR_RDMA_WRITE;
import static io.github.verbs4j.ffi.verbs_h.IBV_WR_SEND;
import static io.github.verbs4j.ffi.verbs_h.RDMA_UDP_QKEY;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The short forms of rdma/rdma_verbs.h: registering, posting and waiting on the queues of an
 * rdma_cm_id.
 *
 * <p>They are conveniences as in C: each post builds its work request anew.
 */
public final class RdmaVerbs {

    private static final NativeFunction RDMA_CREATE_SRQ =
            rdmacm("rdma_create_srq", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_CREATE_SRQ_EX =
            rdmacm("rdma_create_srq_ex", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_DESTROY_SRQ =
            rdmacm("rdma_destroy_srq", null, C_POINTER);

    private RdmaVerbs() {}

    /** Turns a returned errno value into the other convention: -1 with errno set, or 0. */
    public static int rdma_seterrno(int ret) {
        if (ret == 0) {
            return 0;
        }
        Errno.set(ret);
        return -1;
    }

    /** Calls {@code rdma_create_srq}. Returns 0, or -1 with errno set. */
    public static int rdma_create_srq(MemorySegment id, MemorySegment pd, MemorySegment attr) {
        try {
            return (int) RDMA_CREATE_SRQ.handle().invokeExact(Errno.state(), id, pd, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_create_srq_ex}. Returns 0, or -1 with errno set. */
    public static int rdma_create_srq_ex(MemorySegment id, MemorySegment attr) {
        try {
            return (int) RDMA_CREATE_SRQ_EX.handle().invokeExact(Errno.state(), id, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_destroy_srq}. */
    public static void rdma_destroy_srq(MemorySegment id) {
        try {
            RDMA_DESTROY_SRQ.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Registers memory for sends and receives. Returns NULL on failure, with errno set. */
    public static MemorySegment rdma_reg_msgs(MemorySegment id, MemorySegment addr, long length) {
        int access = IBV_ACCESS_LOCAL_WRITE();
        return MemoryVerbs.ibv_reg_mr(rdma_cm_id.pd(id), addr, length, access);
    }

    /** Registers memory for RDMA reads by the peer. Returns NULL on failure, with errno set. */
    public static MemorySegment rdma_reg_read(MemorySegment id, MemorySegment addr, long length) {
        int access = IBV_ACCESS_LOCAL_WRITE() | IBV_ACCESS_REMOTE_READ();
        return MemoryVerbs.ibv_reg_mr(rdma_cm_id.pd(id), addr, length, access);
    }

    /** Registers memory for RDMA writes by the peer. Returns NULL on failure, with errno set. */
    public static MemorySegment rdma_reg_write(MemorySegment id, MemorySegment addr, long length) {
        int access = IBV_ACCESS_LOCAL_WRITE() | IBV_ACCESS_REMOTE_WRITE();
        return MemoryVerbs.ibv_reg_mr(rdma_cm_id.pd(id), addr, length, access);
    }

    /** Deregisters memory. Returns 0, or -1 with errno set. */
    public static int rdma_dereg_mr(MemorySegment mr) {
        return rdma_seterrno(MemoryVerbs.ibv_dereg_mr(mr));
    }

    /**
     * Posts a receive with several elements, to the shared queue if the identifier has one. Returns
     * 0, or -1 with errno set.
     */
    public static int rdma_post_recvv(
            MemorySegment id, MemorySegment context, MemorySegment sgl, int nsge) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = ibv_recv_wr.allocate(arena);
            ibv_recv_wr.wr_id(wr, context.address());
            ibv_recv_wr.sg_list(wr, sgl);
            ibv_recv_wr.num_sge(wr, nsge);
            MemorySegment bad = arena.allocate(C_POINTER);
            MemorySegment srq = rdma_cm_id.srq(id);
            return rdma_seterrno(
                    srq.address() != 0
                            ? PostVerbs.ibv_post_srq_recv(srq, wr, bad)
                            : PostVerbs.ibv_post_recv(rdma_cm_id.qp(id), wr, bad));
        }
    }

    /** Posts a send with several elements. Returns 0, or -1 with errno set. */
    public static int rdma_post_sendv(
            MemorySegment id, MemorySegment context, MemorySegment sgl, int nsge, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = sendWr(arena, context, sgl, nsge, IBV_WR_SEND(), flags);
            return post(arena, id, wr);
        }
    }

    /** Posts an RDMA read with several elements. Returns 0, or -1 with errno set. */
    public static int rdma_post_readv(
            MemorySegment id,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = sendWr(arena, context, sgl, nsge, IBV_WR_RDMA_READ(), flags);
            MemorySegment rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr));
            ibv_send_wr.wr.rdma.remote_addr(rdma, remote_addr);
            ibv_send_wr.wr.rdma.rkey(rdma, rkey);
            return post(arena, id, wr);
        }
    }

    /** Posts an RDMA write with several elements. Returns 0, or -1 with errno set. */
    public static int rdma_post_writev(
            MemorySegment id,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wr = sendWr(arena, context, sgl, nsge, IBV_WR_RDMA_WRITE(), flags);
            MemorySegment rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr));
            ibv_send_wr.wr.rdma.remote_addr(rdma, remote_addr);
            ibv_send_wr.wr.rdma.rkey(rdma, rkey);
            return post(arena, id, wr);
        }
    }

    /**
     * Posts a receive of one element. Returns 0, or -1 with errno set.
     *
     * @throws IllegalArgumentException if the range is not within the region; C asserts it
     */
    public static int rdma_post_recv(
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr) {
        long start = addr.address() - ibv_mr.addr(mr).address();
        if (start < 0 || length < 0 || start > ibv_mr.length(mr) - length) {
            throw new IllegalArgumentException("receive buffer is not within the memory region");
        }
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_recvv(id, context, sge(arena, addr, length, mr), 1);
        }
    }

    /**
     * Posts a send of one element; {@code mr} may be NULL for inline data. Returns 0, or -1 with
     * errno set.
     */
    public static int rdma_post_send(
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return rdma_post_sendv(id, context, sge(arena, addr, length, mr), 1, flags);
        }
    }

    /** Posts an RDMA read of one element. Returns 0, or -1 with errno set. */
    public static int rdma_post_read(
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sgl = sge(arena, addr, length, mr);
            return rdma_post_readv(id, context, sgl, 1, flags, remote_addr, rkey);
        }
    }

    /**
     * Posts an RDMA write of one element; {@code mr} may be NULL for inline data. Returns 0, or -1
     * with errno set.
     */
    public static int rdma_post_write(
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            long remote_addr,
            int rkey) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sgl = sge(arena, addr, length, mr);
            return rdma_post_writev(id, context, sgl, 1, flags, remote_addr, rkey);
        }
    }

    /** Posts a datagram with the queue key of RDMA_PS_UDP. Returns 0, or -1 with errno set. */
    public static int rdma_post_ud_send(
            MemorySegment id,
            MemorySegment context,
            MemorySegment addr,
            long length,
            MemorySegment mr,
            int flags,
            MemorySegment ah,
            int remote_qpn) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sgl = sge(arena, addr, length, mr);
            MemorySegment wr = sendWr(arena, context, sgl, 1, IBV_WR_SEND(), flags);
            MemorySegment ud = ibv_send_wr.wr.ud(ibv_send_wr.wr(wr));
            ibv_send_wr.wr.ud.ah(ud, ah);
            ibv_send_wr.wr.ud.remote_qpn(ud, remote_qpn);
            ibv_send_wr.wr.ud.remote_qkey(ud, RDMA_UDP_QKEY());
            return post(arena, id, wr);
        }
    }

    /** Waits for a send to complete and fills {@code wc}. Returns 1, or -1 with errno set. */
    public static int rdma_get_send_comp(MemorySegment id, MemorySegment wc) {
        return getComp(rdma_cm_id.send_cq(id), rdma_cm_id.send_cq_channel(id), wc);
    }

    /** Waits for a recv to complete and fills {@code wc}. Returns 1, or -1 with errno set. */
    public static int rdma_get_recv_comp(MemorySegment id, MemorySegment wc) {
        return getComp(rdma_cm_id.recv_cq(id), rdma_cm_id.recv_cq_channel(id), wc);
    }

    private static MemorySegment sge(
            Arena arena, MemorySegment addr, long length, MemorySegment mr) {
        MemorySegment sge = ibv_sge.allocate(arena);
        ibv_sge.addr(sge, addr.address());
        ibv_sge.length(sge, (int) length);
        ibv_sge.lkey(sge, mr.address() != 0 ? ibv_mr.lkey(mr) : 0);
        return sge;
    }

    private static MemorySegment sendWr(
            Arena arena,
            MemorySegment context,
            MemorySegment sgl,
            int nsge,
            int opcode,
            int flags) {
        MemorySegment wr = ibv_send_wr.allocate(arena);
        ibv_send_wr.wr_id(wr, context.address());
        ibv_send_wr.sg_list(wr, sgl);
        ibv_send_wr.num_sge(wr, nsge);
        ibv_send_wr.opcode(wr, opcode);
        ibv_send_wr.send_flags(wr, flags);
        return wr;
    }

    private static int post(Arena arena, MemorySegment id, MemorySegment wr) {
        MemorySegment bad = arena.allocate(C_POINTER);
        return rdma_seterrno(PostVerbs.ibv_post_send(rdma_cm_id.qp(id), wr, bad));
    }

    /** Polls, and between two polls arms the queue and waits for its event. */
    private static int getComp(MemorySegment cq, MemorySegment channel, MemorySegment wc) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment eventCq = arena.allocate(C_POINTER);
            MemorySegment eventContext = arena.allocate(C_POINTER);
            while (true) {
                int polled = PollVerbs.ibv_poll_cq(cq, 1, wc);
                if (polled == 0) {
                    int armed = PollVerbs.ibv_req_notify_cq(cq, 0);
                    if (armed != 0) {
                        return rdma_seterrno(armed);
                    }
                    polled = PollVerbs.ibv_poll_cq(cq, 1, wc);
                }
                if (polled != 0) {
                    return polled < 0 ? rdma_seterrno(polled) : polled;
                }
                int waited = CompletionVerbs.ibv_get_cq_event(channel, eventCq, eventContext);
                if (waited != 0) {
                    return waited;
                }
                CompletionVerbs.ibv_ack_cq_events(cq, 1);
            }
        }
    }
}
