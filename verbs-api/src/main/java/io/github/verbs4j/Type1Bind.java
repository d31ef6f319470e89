package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_mw_bind;
import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.AccessFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Binds windows of type 1, which have a verb of their own. */
final class Type1Bind {

    private Type1Bind() {}

    /** Posts the binding; the caller is inside the queue pair. Returns 0 or errno. */
    static int post(
            SendQueue queue,
            MemorySegment qp,
            MemoryWindow mw,
            MwBind bind,
            long wrId,
            int sendFlags) {
        queue.requireClassic();
        WindowBinding binding = mw.binding();
        synchronized (binding) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment struct = ibv_mw_bind.allocate(arena);
                ibv_mw_bind.wr_id(struct, wrId);
                ibv_mw_bind.send_flags(struct, sendFlags);
                MemorySegment info = ibv_mw_bind.bind_info(struct);
                ibv_mw_bind_info.addr(info, bind.mr().iova() + bind.offset());
                ibv_mw_bind_info.length(info, bind.length());
                ibv_mw_bind_info.mw_access_flags(info, AccessFlag.bits(bind.access()));
                NativeHandle region = bind.mr().nativeHandle();
                return region.call(
                        mr -> {
                            ibv_mw_bind_info.mr(info, mr);
                            int errno = callBind(qp, mw, struct);
                            if (errno == 0) {
                                binding.boundType1(region, mw.nativeRkey());
                            }
                            return errno;
                        });
            }
        }
    }

    private static int callBind(MemorySegment qp, MemoryWindow mw, MemorySegment struct) {
        return mw.nativeHandle().call(w -> DeviceMemoryVerbs.ibv_bind_mw(qp, w, struct));
    }
}
