package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_open_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Opens the receiving half of an extended reliable connection that exists already. */
record OpenedQp(XrcDomain xrcd, int qpNum) implements QpMaker {

    @Override
    public String verb() {
        return "ibv_open_qp";
    }

    @Override
    public MemorySegment create(MemorySegment noPd, MemorySegment init) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_qp_open_attr.allocate(arena);
            ibv_qp_open_attr.comp_mask(
                    attr,
                    verbs_h.IBV_QP_OPEN_ATTR_NUM()
                            | verbs_h.IBV_QP_OPEN_ATTR_XRCD()
                            | verbs_h.IBV_QP_OPEN_ATTR_TYPE());
            ibv_qp_open_attr.qp_num(attr, qpNum);
            ibv_qp_open_attr.xrcd(attr, xrcd.handle());
            ibv_qp_open_attr.qp_type(attr, QpType.XRC_RECV.value());
            return Check.notNull(
                    verb(),
                    QueuePairVerbs.ibv_open_qp(xrcd.context().handle(), attr),
                    errno -> String.format("queue pair 0x%06x", qpNum));
        }
    }

    @Override
    public void destroy(MemorySegment qp) {
        Check.zero("ibv_destroy_qp", QueuePairVerbs.ibv_destroy_qp(qp));
    }

    @Override
    public NativeHandle owner() {
        return xrcd.nativeHandle();
    }
}
