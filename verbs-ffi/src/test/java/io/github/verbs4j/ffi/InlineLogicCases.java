package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.MarshallingMain.anyObject;
import static io.github.verbs4j.ffi.MarshallingMain.check;
import static io.github.verbs4j.ffi.MarshallingMain.context;
import static io.github.verbs4j.ffi.MarshallingMain.object;
import static io.github.verbs4j.ffi.MarshallingMain.recorder;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The inline functions that choose what to call, or do more than call. */
final class InlineLogicCases {

    private static final Arena ARENA = Arena.global();

    private InlineLogicCases() {}

    static void run() {
        registration();
        queries();
        creation();
        memoryWindows();
        fields();
        MarshallingMain.run(
                "rfcntl passes its variable argument",
                () -> {
                    recorder().expect(0, 5);
                    check(5, RSocket.rfcntl(3, 4, 0x800), "result");
                    check(0x800L, recorder().argument(2), "argument");
                });
    }

    private static void registration() {
        MemorySegment pd = MemorySegment.ofAddress(0x1000);
        MemorySegment addr = MemorySegment.ofAddress(0x2000);
        int plain = verbs_h.IBV_ACCESS_LOCAL_WRITE() | verbs_h.IBV_ACCESS_HUGETLB();
        for (int bit = 20; bit < 30; bit++) {
            int access = plain | 1 << bit;
            MarshallingMain.run(
                    "ibv_reg_mr with optional access bit " + bit + " goes to ibv_reg_mr_iova2",
                    () -> {
                        recorder().expect(0, 0);
                        MemoryVerbs.ibv_reg_mr(pd, addr, 5L << 30, access);
                        check("ibv_reg_mr_iova2", recorder().trace(), "called");
                        check(5L << 30, recorder().argument(2), "length");
                        check(0x2000L, recorder().argument(3), "iova");
                        check((long) access, recorder().argument(4), "access");
                    });
        }
        MarshallingMain.run(
                "ibv_reg_mr_iova with an optional access bit goes to ibv_reg_mr_iova2",
                () -> {
                    recorder().expect(0, 0);
                    int access = verbs_h.IBV_ACCESS_RELAXED_ORDERING();
                    MemoryVerbs.ibv_reg_mr_iova(pd, addr, 4096, 0x3000, access);
                    check("ibv_reg_mr_iova2", recorder().trace(), "called");
                    check(0x3000L, recorder().argument(3), "iova");
                });
        MarshallingMain.run(
                "ibv_reg_mr without optional access bits goes to ibv_reg_mr",
                () -> {
                    recorder().expect(0, 0);
                    MemoryVerbs.ibv_reg_mr(pd, addr, 4096, plain);
                    check("ibv_reg_mr", recorder().trace(), "called");
                });
    }

    private static void queries() {
        long portOp = ContextOpCases.sizes().get("query_port");
        long deviceOp = ContextOpCases.sizes().get("query_device_ex");
        MarshallingMain.run(
                "ibv_query_port of an old provider clears the struct and calls ibv_query_port",
                () -> {
                    ContextOpCases.setSize(portOp - 1);
                    MemorySegment attr = filled(ibv_port_attr.sizeof() + 8);
                    recorder().expect(0, 0);
                    check(0, PortVerbs.ibv_query_port(context(), (byte) 1, attr), "result");
                    check("ibv_query_port", recorder().trace(), "called");
                    check(-1L, firstNonZero(attr, ibv_port_attr.sizeof()), "non-zero byte");
                    check(
                            (byte) -1,
                            attr.get(ValueLayout.JAVA_BYTE, ibv_port_attr.sizeof()),
                            "end");
                });
        MarshallingMain.run(
                "ibv_query_device_ex of an old provider clears the struct, calls ibv_query_device",
                () -> {
                    ContextOpCases.setSize(deviceOp - 1);
                    MemorySegment attr = filled(ibv_device_attr_ex.sizeof());
                    recorder().expect(0, 0);
                    check(0, queryDevice(attr), "result");
                    check("ibv_query_device", recorder().trace(), "called");
                    check(-1L, firstNonZero(attr, attr.byteSize()), "non-zero byte");
                });
        for (int refusal : new int[] {verbs_h.EOPNOTSUPP(), verbs_h.ENOSYS()}) {
            MarshallingMain.run(
                    "ibv_query_device_ex refused with " + refusal + " calls ibv_query_device",
                    () -> {
                        recorder().expect(0, refusal, 0);
                        check(0, queryDevice(filled(ibv_device_attr_ex.sizeof())), "result");
                        check("query_device_ex ibv_query_device", recorder().trace(), "called");
                    });
        }
        MarshallingMain.run(
                "ibv_query_device_ex refused with EIO returns it",
                () -> {
                    recorder().expect(0, verbs_h.EIO());
                    MemorySegment attr = filled(ibv_device_attr_ex.sizeof());
                    check(verbs_h.EIO(), queryDevice(attr), "result");
                    check("query_device_ex", recorder().trace(), "called");
                });
        MarshallingMain.run(
                "ibv_query_device_ex with an input mask is EINVAL",
                () -> {
                    MemorySegment input = ibv_query_device_ex_input.allocate(ARENA);
                    ibv_query_device_ex_input.comp_mask(input, 1);
                    recorder().expect(0, 0);
                    MemorySegment attr = filled(ibv_device_attr_ex.sizeof());
                    int result = DeviceVerbs.ibv_query_device_ex(context(), input, attr);
                    check(verbs_h.EINVAL(), result, "result");
                    check("", recorder().trace(), "called");
                });
    }

    private static int queryDevice(MemorySegment attr) {
        return DeviceVerbs.ibv_query_device_ex(context(), MemorySegment.NULL, attr);
    }

    private static void creation() {
        MarshallingMain.run(
                "ibv_create_qp_ex with a protection domain only goes to ibv_create_qp",
                () -> {
                    MemorySegment attr = ibv_qp_init_attr_ex.allocate(ARENA);
                    ibv_qp_init_attr_ex.comp_mask(attr, verbs_h.IBV_QP_INIT_ATTR_PD());
                    ibv_qp_init_attr_ex.pd(attr, MemorySegment.ofAddress(0x1000));
                    recorder().expect(0, 0);
                    QueuePairVerbs.ibv_create_qp_ex(context(), attr);
                    check("ibv_create_qp", recorder().trace(), "called");
                    check(0x1000L, recorder().argument(0), "pd");
                    check(attr.address(), recorder().argument(1), "attributes");
                });
        int pd = verbs_h.IBV_SRQ_INIT_ATTR_PD();
        int type = verbs_h.IBV_SRQ_INIT_ATTR_TYPE();
        int cq = verbs_h.IBV_SRQ_INIT_ATTR_CQ();
        srq(pd, verbs_h.IBV_SRQT_XRC(), "ibv_create_srq");
        srq(pd | type, verbs_h.IBV_SRQT_BASIC(), "ibv_create_srq");
        srq(pd | type, verbs_h.IBV_SRQT_XRC(), "create_srq_ex");
        srq(pd | cq, verbs_h.IBV_SRQT_BASIC(), "create_srq_ex");
        srq(type, verbs_h.IBV_SRQT_BASIC(), "create_srq_ex");
        MarshallingMain.run(
                "ibv_create_wq fills in what C fills in",
                () -> {
                    MemorySegment wq = object("verbs4j_wq");
                    MemorySegment attr = ibv_wq_init_attr.allocate(ARENA);
                    MemorySegment user = MemorySegment.ofAddress(0x4000);
                    ibv_wq_init_attr.wq_context(attr, user);
                    recorder().expect(0, wq.address());
                    check(wq, SteeringVerbs.ibv_create_wq(context(), attr), "result");
                    check(1, wqIsInitialised(user), "initialised");
                });
        MarshallingMain.run(
                "ibv_create_wq that fails touches nothing",
                () -> {
                    recorder().expect(12, 0);
                    MemorySegment attr = ibv_wq_init_attr.allocate(ARENA);
                    MemorySegment wq = SteeringVerbs.ibv_create_wq(context(), attr);
                    check(0L, wq.address(), "result");
                    check(12, Errno.last(), "errno");
                });
        MarshallingMain.run(
                "ibv_post_srq_ops without the op names the first request as the bad one",
                () -> {
                    ContextOpCases.notExtended();
                    MemorySegment bad = ARENA.allocate(ValueLayout.ADDRESS);
                    MemorySegment op = MemorySegment.ofAddress(0x5000);
                    SharedReceiveVerbs.ibv_post_srq_ops(anyObject(), op, bad);
                    check(0x5000L, bad.get(ValueLayout.ADDRESS, 0).address(), "bad_op");
                });
    }

    private static void srq(int mask, int type, String expected) {
        MarshallingMain.run(
                "ibv_create_srq_ex, mask " + mask + ", type " + type + " goes to " + expected,
                () -> {
                    MemorySegment attr = ibv_srq_init_attr_ex.allocate(ARENA);
                    ibv_srq_init_attr_ex.comp_mask(attr, mask);
                    ibv_srq_init_attr_ex.srq_type(attr, type);
                    recorder().expect(0, 0);
                    SharedReceiveVerbs.ibv_create_srq_ex(context(), attr);
                    check(expected, recorder().trace(), "called");
                });
    }

    private static void memoryWindows() {
        bind("of type 2", 2, false, 0, false, verbs_h.EINVAL(), "");
        bind("with a range but no region", 1, false, 8, false, verbs_h.EINVAL(), "");
        bind("across protection domains", 1, true, 8, true, verbs_h.EPERM(), "");
        bind("as it should be", 1, true, 8, false, 0, "bind_mw");
        bind("to nothing", 1, false, 0, false, 0, "bind_mw");
    }

    private static void bind(
            String how,
            int type,
            boolean withRegion,
            long length,
            boolean foreign,
            int expected,
            String called) {
        MarshallingMain.run(
                "ibv_bind_mw " + how,
                () -> {
                    MemorySegment mw = anyObject();
                    ibv_mw.pd(mw, MemorySegment.ofAddress(0x1000));
                    ibv_mw.type(mw, type);
                    MemorySegment mr = ibv_mr.allocate(ARENA);
                    ibv_mr.pd(mr, MemorySegment.ofAddress(foreign ? 0x2000 : 0x1000));
                    MemorySegment bind = ibv_mw_bind.allocate(ARENA);
                    MemorySegment info = ibv_mw_bind.bind_info(bind);
                    ibv_mw_bind_info.mr(info, withRegion ? mr : MemorySegment.NULL);
                    ibv_mw_bind_info.length(info, length);
                    recorder().expect(0, 0);
                    int result = DeviceMemoryVerbs.ibv_bind_mw(anyObject(), mw, bind);
                    check(expected, result, "result");
                    check(called, recorder().trace(), "called");
                });
    }

    private static void fields() {
        MarshallingMain.run(
                "status and wr_id of an ibv_cq_ex",
                () -> {
                    MemorySegment cq = object("verbs4j_cq");
                    check(verbs_h.IBV_WC_RETRY_EXC_ERR(), Abi.cq_ex_status(cq), "status");
                    check(0x1122334455667788L, Abi.cq_ex_wr_id(cq), "wr_id");
                });
        MarshallingMain.run(
                "wr_id and wr_flags of an ibv_qp_ex",
                () -> {
                    MemorySegment qp = object("verbs4j_qp");
                    Abi.qp_ex_wr_id(qp, 0x8877665544332211L);
                    Abi.qp_ex_wr_flags(qp, 0x0a);
                    check(0x8877665544332211L, object("verbs4j_qp_wr_id").address(), "wr_id");
                    check(0x0aL, object("verbs4j_qp_wr_flags").address(), "wr_flags");
                });
        MarshallingMain.run(
                "verbs_get_ctx finds the struct around the context, or none",
                () -> {
                    long distance = verbs_context.context$offset();
                    MemorySegment verbs = Abi.verbs_get_ctx(context());
                    check(context().address() - distance, verbs.address(), "verbs_context");
                    ContextOpCases.notExtended();
                    check(0L, Abi.verbs_get_ctx(context()).address(), "verbs_context");
                });
    }

    private static int wqIsInitialised(MemorySegment wqContext) {
        try {
            return (int)
                    Linker.nativeLinker()
                            .downcallHandle(
                                    NativeLibrary.IBVERBS.symbol("verbs4j_wq_is_initialised"),
                                    FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER))
                            .invokeExact(wqContext);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static MemorySegment filled(long size) {
        return ARENA.allocate(size, 8).fill((byte) -1);
    }

    private static long firstNonZero(MemorySegment segment, long size) {
        MemorySegment zeros = ARENA.allocate(size);
        return segment.asSlice(0, size).mismatch(zeros);
    }
}
