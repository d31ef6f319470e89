package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_alloc_dm_attr;
import io.github.verbs4j.ffi.ibv_dm;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of the device itself: C's {@code struct ibv_dm}. The processor reaches it by copying only;
 * peers and work requests reach it by {@link ProtectionDomain#regDmMr}. Safe for any thread; what a
 * copy sees while another goes on is a matter of the program.
 */
public final class DeviceMemory implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;
    private final long length;

    DeviceMemory(Context context, long length, int logAlignReq) {
        Check.range("length", length, 1, Long.MAX_VALUE);
        Check.range("logAlignReq", logAlignReq, 0, 63);
        this.context = context;
        this.length = length;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_alloc_dm_attr.allocate(arena);
            ibv_alloc_dm_attr.length(attr, length);
            ibv_alloc_dm_attr.log_align_req(attr, logAlignReq);
            this.handle =
                    NativeHandle.create(
                            "DeviceMemory",
                            () -> allocate(context, attr, length),
                            pointer ->
                                    Check.zero(
                                            "ibv_free_dm", DeviceMemoryVerbs.ibv_free_dm(pointer)),
                            context.nativeHandle());
        }
        LeakDetector.watch(this, handle);
    }

    private DeviceMemory(Context context, int dmHandle, long length) {
        Check.range("length", length, 1, Long.MAX_VALUE);
        this.context = context;
        this.length = length;
        this.handle =
                NativeHandle.create(
                        "DeviceMemory (imported)",
                        () ->
                                context.nativeHandle()
                                        .within(pointer -> importFrom(pointer, dmHandle)),
                        DeviceMemoryVerbs::ibv_unimport_dm,
                        context.nativeHandle());
        LeakDetector.watch(this, handle);
    }

    static DeviceMemory imported(Context context, int dmHandle, long length) {
        return new DeviceMemory(context, dmHandle, length);
    }

    private static MemorySegment allocate(Context context, MemorySegment attr, long length) {
        return Check.notNull(
                "ibv_alloc_dm",
                context.nativeHandle()
                        .within(pointer -> DeviceMemoryVerbs.ibv_alloc_dm(pointer, attr)),
                errno -> length + " bytes of the device's memory");
    }

    private static MemorySegment importFrom(MemorySegment context, int dmHandle) {
        return Check.notNull(
                "ibv_import_dm",
                Check.present(() -> DeviceMemoryVerbs.ibv_import_dm(context, dmHandle)));
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
     * Its size.
     *
     * @return in bytes
     */
    public long length() {
        return length;
    }

    /**
     * Copies from memory of this process, on or off the heap, to the device. Devices ask for
     * offsets and lengths that are multiples of 4.
     *
     * @param offset where in the device memory, in bytes
     * @param source the bytes
     * @throws IndexOutOfBoundsException when they do not fit
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot be written so
     * @throws VerbsException EINVAL, EFAULT: an offset or length that the device does not take
     * @verbs.calls ibv_memcpy_to_dm
     */
    public void copyIn(long offset, MemorySegment source) {
        long size = source.byteSize();
        checkRange(offset, size);
        try (Arena arena = Arena.ofConfined()) {
            // A copy of its own: the source may be on the heap, and may be freed meanwhile.
            MemorySegment copy = arena.allocate(Math.max(size, 1), 64);
            MemorySegment.copy(source, 0, copy, 0, size);
            Check.zero(
                    "ibv_memcpy_to_dm",
                    handle.call(dm -> DeviceMemoryVerbs.ibv_memcpy_to_dm(dm, offset, copy, size)),
                    errno -> size + " bytes to offset " + offset);
        }
    }

    /**
     * Copies from the device to memory of this process, on or off the heap.
     *
     * @param target takes as many bytes as it holds
     * @param offset where in the device memory, in bytes
     * @throws IndexOutOfBoundsException when the device memory has not as many
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot be read so
     * @throws VerbsException EINVAL, EFAULT: an offset or length that the device does not take
     * @verbs.calls ibv_memcpy_from_dm
     */
    public void copyOut(MemorySegment target, long offset) {
        long size = target.byteSize();
        checkRange(offset, size);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(size, 1), 64);
            Check.zero(
                    "ibv_memcpy_from_dm",
                    handle.call(dm -> DeviceMemoryVerbs.ibv_memcpy_from_dm(copy, dm, offset, size)),
                    errno -> size + " bytes from offset " + offset);
            MemorySegment.copy(copy, 0, target, 0, size);
        }
    }

    /**
     * The number by which another process can import the memory, see {@link Context#importDm}.
     *
     * @return C's {@code dm->handle}
     */
    public int dmHandle() {
        return handle.within(dm -> ibv_dm.handle(Structs.view(dm, ibv_dm.sizeof())));
    }

    /**
     * Exports the memory as a dma-buf, which other devices can register.
     *
     * @return a file descriptor, which is the caller's to close
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot, or rdma-core is
     *     older than 62
     * @verbs.calls ibv_dm_export_dmabuf_fd
     */
    public int exportDmabufFd() {
        return Check.notMinusOne(
                "ibv_dm_export_dmabuf_fd", handle.call(DeviceMemoryVerbs::ibv_dm_export_dmabuf_fd));
    }

    /**
     * Tells whether the memory has been freed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_dm *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the regions registered over it, newest first, and frees the memory. Imported memory is
     * left to its owner.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_free_dm, ibv_unimport_dm
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle + "[" + length + " bytes]";
    }

    void checkRange(long offset, long size) {
        Objects.checkFromIndexSize(offset, size, length);
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
