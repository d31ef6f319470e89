package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Makes the receiving half of an extended reliable connection. */
record XrcRecvQp(XrcDomain xrcd) implements QpMaker {

    @Override
    public String verb() {
        return "ibv_create_qp_ex";
    }

    @Override
    public MemorySegment create(MemorySegment noPd, MemorySegment init) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment extended = ibv_qp_init_attr_ex.allocate(arena);
            long common = ibv_qp_init_attr.sq_sig_all$offset() + Integer.BYTES;
            MemorySegment.copy(init, 0, extended, 0, common);
            ibv_qp_init_attr_ex.comp_mask(extended, verbs_h.IBV_QP_INIT_ATTR_XRCD());
            ibv_qp_init_attr_ex.xrcd(extended, xrcd.handle());
            return QueuePairVerbs.ibv_create_qp_ex(xrcd.context().handle(), extended);
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
