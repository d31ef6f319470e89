package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;

/**
 * Gives another library the extended attributes of a queue pair.
 *
 * @param attr what the queue pair is created with
 * @param maker takes a filled {@code struct ibv_qp_init_attr_ex}
 */
record ExtendedInit(QpInitAttrEx attr, QpMaker maker) implements QpMaker {

    @Override
    public String verb() {
        return maker.verb();
    }

    @Override
    public MemorySegment create(MemorySegment pd, MemorySegment init) {
        return create(attr, pd, init, extended -> maker.create(pd, extended));
    }

    /**
     * Lends the extended attributes to a call, which starts from the common ones and fills them.
     */
    static MemorySegment create(
            QpInitAttrEx attr,
            MemorySegment pd,
            MemorySegment init,
            UnaryOperator<MemorySegment> call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment extended = ibv_qp_init_attr_ex.allocate(arena);
            long common = ibv_qp_init_attr.sq_sig_all$offset() + Integer.BYTES;
            MemorySegment.copy(init, 0, extended, 0, common);
            attr.write(pd, extended);
            MemorySegment qp = call.apply(extended);
            MemorySegment.copy(extended, 0, init, 0, common);
            return qp;
        }
    }

    @Override
    public void destroy(MemorySegment qp) {
        maker.destroy(qp);
    }

    @Override
    public NativeHandle owner() {
        return maker.owner();
    }
}
