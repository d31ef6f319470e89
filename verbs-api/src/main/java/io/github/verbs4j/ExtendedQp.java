package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import java.lang.foreign.MemorySegment;
import java.util.function.BinaryOperator;

/**
 * Makes a queue pair by {@code ibv_create_qp_ex}, or by what a provider has in its place.
 *
 * @param context the context
 * @param attr what the queue pair is created with
 * @param verb the C function
 * @param creator calls it with the context and a filled {@code struct ibv_qp_init_attr_ex}
 */
record ExtendedQp(
        Context context, QpInitAttrEx attr, String verb, BinaryOperator<MemorySegment> creator)
        implements QpMaker {

    ExtendedQp(Context context, QpInitAttrEx attr) {
        this(context, attr, "ibv_create_qp_ex", QueuePairVerbs::ibv_create_qp_ex);
    }

    @Override
    public MemorySegment create(MemorySegment pd, MemorySegment init) {
        return ExtendedInit.create(
                attr, pd, init, extended -> creator.apply(context.handle(), extended));
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
