package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.NewerStructs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Hints for the transfers between a device and memory: C's {@code struct ibv_dmah}. Regions that
 * are registered with it ({@link MrInitAttr#dmah}) follow the hints. Needs rdma-core 59. Safe for
 * any thread.
 */
public final class DmaHandle implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;

    DmaHandle(Context context, DmahInitAttr attr) {
        this.context = context;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = struct(arena, attr);
            this.handle =
                    NativeHandle.create(
                            "DmaHandle",
                            () ->
                                    Check.notNull(
                                            "ibv_alloc_dmah",
                                            context.nativeHandle()
                                                    .within(
                                                            device ->
                                                                    DeviceMemoryVerbs
                                                                            .ibv_alloc_dmah(
                                                                                    device,
                                                                                    struct)),
                                            errno -> attr.toString()),
                            dmah ->
                                    Check.zero(
                                            "ibv_dealloc_dmah",
                                            DeviceMemoryVerbs.ibv_dealloc_dmah(dmah)),
                            context.nativeHandle());
        }
        LeakDetector.watch(this, handle);
    }

    private static MemorySegment struct(Arena arena, DmahInitAttr attr) {
        int mask = 0;
        int cpuId = 0;
        int ph = 0;
        int memType = 0;
        if (attr.cpuId() != null) {
            mask |= NewerStructs.IBV_DMAH_INIT_ATTR_MASK_CPU_ID;
            cpuId = attr.cpuId();
        }
        if (attr.ph() != null) {
            mask |= NewerStructs.IBV_DMAH_INIT_ATTR_MASK_PH;
            ph = attr.ph();
        }
        if (attr.tphMemType() != null) {
            mask |= NewerStructs.IBV_DMAH_INIT_ATTR_MASK_TPH_MEM_TYPE;
            memType = attr.tphMemType().value();
        }
        return NewerStructs.dmah_init_attr(arena, mask, cpuId, (byte) ph, (byte) memType);
    }

    /**
     * The context it was allocated from.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Tells whether the handle has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_dmah *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the regions registered with it, newest first, and the handle.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_dealloc_dmah
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
