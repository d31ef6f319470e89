package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import java.lang.foreign.MemorySegment;

/** A queue pair of libibverbs alone. */
record PlainQp() implements QpMaker {

    @Override
    public String verb() {
        return "ibv_create_qp";
    }

    @Override
    public MemorySegment create(MemorySegment pd, MemorySegment init) {
        return QueuePairVerbs.ibv_create_qp(pd, init);
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
