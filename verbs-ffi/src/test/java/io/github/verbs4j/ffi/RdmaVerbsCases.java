package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.MarshallingMain.anyObject;
import static io.github.verbs4j.ffi.MarshallingMain.check;
import static io.github.verbs4j.ffi.MarshallingMain.recorder;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/** The short forms of rdma_verbs.h: the work requests they build, and how they wait. */
final class RdmaVerbsCases {

    private static final Arena ARENA = Arena.global();
    private static final MemorySegment USER = MemorySegment.ofAddress(0x8877665544332211L);
    private static final MemorySegment ADDR = MemorySegment.ofAddress(0x2010);
    private static final int FLAGS = 2;
    private static final long REMOTE = 0x7fff_0000_1000L;
    private static final int RKEY = 0x8001_0203;

    private RdmaVerbsCases() {}

    static void run() {
        posting();
        registration();
        waiting();
    }

    private static void posting() {
        post(
                "rdma_post_recv",
                "post_recv",
                0,
                id -> RdmaVerbs.rdma_post_recv(id, USER, ADDR, 64, mr()));
        post(
                "rdma_post_recv to a shared queue",
                "post_srq_recv",
                0,
                id -> {
                    rdma_cm_id.srq(id, anyObject());
                    return RdmaVerbs.rdma_post_recv(id, USER, ADDR, 64, mr());
                });
        post(
                "rdma_post_send",
                "post_send",
                verbs_h.IBV_WR_SEND(),
                id -> RdmaVerbs.rdma_post_send(id, USER, ADDR, 64, mr(), FLAGS));
        post(
                "rdma_post_read",
                "post_send",
                verbs_h.IBV_WR_RDMA_READ(),
                id -> RdmaVerbs.rdma_post_read(id, USER, ADDR, 64, mr(), FLAGS, REMOTE, RKEY));
        post(
                "rdma_post_write",
                "post_send",
                verbs_h.IBV_WR_RDMA_WRITE(),
                id -> RdmaVerbs.rdma_post_write(id, USER, ADDR, 64, mr(), FLAGS, REMOTE, RKEY));
        post(
                "rdma_post_ud_send",
                "post_send",
                verbs_h.IBV_WR_SEND(),
                id -> RdmaVerbs.rdma_post_ud_send(id, USER, ADDR, 64, mr(), FLAGS, USER, 0x123456));
        MarshallingMain.run(
                "rdma_post_ud_send addresses a queue pair",
                () -> {
                    recorder().expect(0, 0);
                    RdmaVerbs.rdma_post_ud_send(id(), USER, ADDR, 64, mr(), FLAGS, USER, 0x123456);
                    MemorySegment ud = ibv_send_wr.wr.ud(ibv_send_wr.wr(recorder().wr()));
                    check(USER.address(), ibv_send_wr.wr.ud.ah(ud).address(), "ah");
                    check(0x123456, ibv_send_wr.wr.ud.remote_qpn(ud), "remote_qpn");
                    check(0x01234567, ibv_send_wr.wr.ud.remote_qkey(ud), "remote_qkey");
                });
        MarshallingMain.run(
                "rdma_post_send of inline data needs no region",
                () -> {
                    recorder().expect(0, 0);
                    RdmaVerbs.rdma_post_send(id(), USER, ADDR, 64, MemorySegment.NULL, FLAGS);
                    check(0, ibv_sge.lkey(recorder().sge()), "lkey");
                });
        MarshallingMain.run(
                "rdma_post_recv refuses what is outside of the region",
                () -> {
                    outside(ADDR, 4081);
                    outside(MemorySegment.ofAddress(0x1fff), 1);
                    outside(MemorySegment.ofAddress(0x3000), 1);
                    outside(ADDR, -1);
                });
    }

    private static void outside(MemorySegment addr, long length) {
        try {
            RdmaVerbs.rdma_post_recv(id(), USER, addr, length, mr());
        } catch (IllegalArgumentException e) {
            return;
        }
        throw new AssertionError("accepted " + addr + " " + length);
    }

    private static void post(
            String name, String called, int opcode, ToIntFunction<MemorySegment> call) {
        MarshallingMain.run(
                name,
                () -> {
                    recorder().expect(0, 0);
                    check(0, call.applyAsInt(id()), "result");
                    check(called, recorder().trace(), "called");
                    checkRequest(called.equals("post_send"), opcode);
                    recorder().expect(0, verbs_h.ENOMEM());
                    check(-1, call.applyAsInt(id()), "result of a failure");
                    check(verbs_h.ENOMEM(), Errno.last(), "errno of a failure");
                });
    }

    private static void checkRequest(boolean send, int opcode) {
        MemorySegment wr = recorder().wr();
        check(USER.address(), ibv_send_wr.wr_id(wr), "wr_id");
        check(0L, ibv_send_wr.next(wr).address(), "next");
        check(1, ibv_send_wr.num_sge(wr), "num_sge");
        check(ADDR.address(), ibv_sge.addr(recorder().sge()), "addr");
        check(64, ibv_sge.length(recorder().sge()), "length");
        check(0x0a0b, ibv_sge.lkey(recorder().sge()), "lkey");
        if (!send) {
            return;
        }
        check(opcode, ibv_send_wr.opcode(wr), "opcode");
        check(FLAGS, ibv_send_wr.send_flags(wr), "send_flags");
        if (opcode != verbs_h.IBV_WR_SEND()) {
            MemorySegment rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr));
            check(REMOTE, ibv_send_wr.wr.rdma.remote_addr(rdma), "remote_addr");
            check(RKEY, ibv_send_wr.wr.rdma.rkey(rdma), "rkey");
        }
    }

    private static void registration() {
        reg("rdma_reg_msgs", 1, RdmaVerbs::rdma_reg_msgs);
        reg("rdma_reg_write", 1 | 2, RdmaVerbs::rdma_reg_write);
        reg("rdma_reg_read", 1 | 4, RdmaVerbs::rdma_reg_read);
        MarshallingMain.run(
                "rdma_dereg_mr",
                () -> {
                    recorder().expect(0, verbs_h.EBUSY());
                    check(-1, RdmaVerbs.rdma_dereg_mr(USER), "result");
                    check(verbs_h.EBUSY(), Errno.last(), "errno");
                    check("ibv_dereg_mr", recorder().trace(), "called");
                });
    }

    private interface Registration {
        MemorySegment reg(MemorySegment id, MemorySegment addr, long length);
    }

    private static void reg(String name, int access, Registration registration) {
        MarshallingMain.run(
                name,
                () -> {
                    recorder().expect(0, 0x9000);
                    MemorySegment id = id();
                    check(0x9000L, registration.reg(id, ADDR, 64).address(), "result");
                    check("ibv_reg_mr", recorder().trace(), "called");
                    check(rdma_cm_id.pd(id).address(), recorder().argument(0), "pd");
                    check(64L, recorder().argument(2), "length");
                    check((long) access, recorder().argument(3), "access");
                });
    }

    private static void waiting() {
        comp("rdma_get_send_comp", RdmaVerbs::rdma_get_send_comp);
        comp("rdma_get_recv_comp", RdmaVerbs::rdma_get_recv_comp);
    }

    private interface Completion {
        int get(MemorySegment id, MemorySegment wc);
    }

    private static void comp(String name, Completion completion) {
        String armed = "poll_cq req_notify_cq";
        String waited = armed + " poll_cq ibv_get_cq_event";
        comp(name + " finds one", completion, 1, 0, "poll_cq", 1);
        comp(name + " finds one after arming", completion, 1, 0, armed + " poll_cq", 0, 0, 1);
        comp(
                name + " waits for one",
                completion,
                1,
                0,
                waited + " ibv_ack_cq_events poll_cq",
                0,
                0,
                0,
                0,
                0,
                1);
        comp(name + " fails to poll", completion, -1, -5, "poll_cq", -5);
        comp(name + " fails to arm", completion, -1, 12, armed, 0, 12);
        comp(name + " fails to wait", completion, -1, 71, waited, 0, 0, 0, -1);
    }

    private static void comp(
            String name,
            Completion completion,
            int expected,
            int errno,
            String trace,
            long... results) {
        MarshallingMain.run(
                name,
                () -> {
                    recorder().expect(71, results);
                    Errno.set(0);
                    check(expected, completion.get(id(), ARENA.allocate(64, 8)), "result");
                    check(trace, recorder().trace(), "called");
                    if (expected < 0) {
                        check(errno, Errno.last(), "errno");
                    }
                });
    }

    private static MemorySegment id() {
        MemorySegment id = rdma_cm_id.allocate(ARENA);
        rdma_cm_id.qp(id, anyObject());
        rdma_cm_id.pd(id, anyObject());
        rdma_cm_id.send_cq(id, anyObject());
        rdma_cm_id.recv_cq(id, anyObject());
        rdma_cm_id.send_cq_channel(id, anyObject());
        rdma_cm_id.recv_cq_channel(id, anyObject());
        return id;
    }

    private static MemorySegment mr() {
        MemorySegment mr = ibv_mr.allocate(ARENA);
        ibv_mr.addr(mr, MemorySegment.ofAddress(0x2000));
        ibv_mr.length(mr, 4096);
        ibv_mr.lkey(mr, 0x0a0b);
        return mr;
    }
}
