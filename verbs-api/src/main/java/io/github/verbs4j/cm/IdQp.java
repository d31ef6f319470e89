package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.Errno;
import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.internal.Structs;
import java.lang.foreign.MemorySegment;

/** A queue pair that belongs to an id: librdmacm moves it, and only librdmacm may destroy it. */
record IdQp(IdCore id, MemorySegment pointer, boolean extended) implements QpMaker {

    @Override
    public String verb() {
        return extended ? "rdma_create_qp_ex" : "rdma_create_qp";
    }

    @Override
    public MemorySegment create(MemorySegment pd, MemorySegment init) {
        Errno.clear();
        int result =
                extended
                        ? RdmaCm.rdma_create_qp_ex(pointer, init)
                        : RdmaCm.rdma_create_qp(pointer, pd, init);
        if (result != 0) {
            return MemorySegment.NULL;
        }
        return rdma_cm_id.qp(Structs.view(pointer, rdma_cm_id.sizeof()));
    }

    @Override
    public void destroy(MemorySegment qp) {
        id.destroyQp(pointer);
    }

    @Override
    public NativeHandle owner() {
        return id.handle();
    }
}
