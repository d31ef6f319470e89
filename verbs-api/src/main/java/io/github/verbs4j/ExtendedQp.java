package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Makes a queue pair by {@code ibv_create_qp_ex}. */
record ExtendedQp(Context context, QpInitAttrEx attr) implements QpMaker {

    @Override
    public String verb() {
        return "ibv_create_qp_ex";
    }

    @Override
    public MemorySegment create(MemorySegment pd, MemorySegment init) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment extended = ibv_qp_init_attr_ex.allocate(arena);
            long common = ibv_qp_init_attr.sq_sig_all$offset() + Integer.BYTES;
            MemorySegment.copy(init, 0, extended, 0, common);
            attr.write(pd, extended);
            MemorySegment qp = QueuePairVerbs.ibv_create_qp_ex(context.handle(), extended);
            MemorySegment.copy(extended, 0, init, 0, common);
            return qp;
        }
    }

    @Override
    public void destroy(MemorySegment qp) {
        Check.zero("ibv_destroy_qp", QueuePairVerbs.ibv_destroy_qp(qp));
    }

    @Override
    public NativeHandle owner() {
        return null;
    }
}
