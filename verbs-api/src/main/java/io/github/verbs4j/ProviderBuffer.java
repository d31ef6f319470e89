package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.RegisteredMemory;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that the driver of a device allocates in its own way, so that the device reaches it also
 * where other memory is protected, in a confidential guest for example: C's {@code struct ibv_buf}.
 * Needs rdma-core 64. Safe for any thread.
 */
public final class ProviderBuffer implements AutoCloseable {

    private final ProtectionDomain pd;
    private final NativeHandle handle;
    private final RegisteredMemory memory;

    ProviderBuffer(ProtectionDomain pd, long size) {
        Check.range("size", size, 1, Long.MAX_VALUE);
        this.pd = pd;
        Allocation allocation = new Allocation(pd.nativeHandle(), size);
        this.handle =
                NativeHandle.create(
                        "ProviderBuffer",
                        () -> pd.nativeHandle().within(allocation::begin),
                        allocation::end,
                        pd.nativeHandle());
        this.memory = allocation.memory;
        LeakDetector.watch(this, handle);
    }

    /** The native side, which must not refer to the object that its user may lose. */
    private static final class Allocation {

        private final NativeHandle domain;
        private final long size;
        private RegisteredMemory memory;

        Allocation(NativeHandle domain, long size) {
            this.domain = domain;
            this.size = size;
        }

        MemorySegment begin(MemorySegment domain) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment out = arena.allocate(ADDRESS);
                MemorySegment address =
                        Check.notNull(
                                "ibv_alloc_buf",
                                DeviceMemoryVerbs.ibv_alloc_buf(domain, size, out),
                                errno -> size + " bytes");
                Arena lifetime = Arena.ofShared();
                memory = new RegisteredMemory(Structs.view(address, size, lifetime), lifetime);
                return out.get(ADDRESS, 0);
            }
        }

        void end(MemorySegment buf) {
            // First, so that nobody is left who could touch what is no longer there.
            if (memory.release(() -> endLate(buf))) {
                DeviceMemoryVerbs.ibv_free_buf(buf);
            }
        }

        private void endLate(MemorySegment buf) {
            domain.call( // throws when it is closed, and the driver perhaps gone
                    _ -> {
                        DeviceMemoryVerbs.ibv_free_buf(buf);
                        return 0;
                    });
        }
    }

    /**
     * The domain it was allocated for; only that one can register it.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * The memory. It cannot be used after the buffer closed.
     *
     * @return as many bytes as were asked for, at the beginning of a page
     */
    public MemorySegment segment() {
        return memory.segment();
    }

    /**
     * The size.
     *
     * @return in bytes
     */
    public long size() {
        return memory.segment().byteSize();
    }

    /**
     * Exports the memory as a dma-buf, which other devices can register.
     *
     * @return a file descriptor, which is the caller's to close
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 65
     * @throws VerbsException ENODATA: the driver took ordinary memory, which is no dma-buf
     * @verbs.calls ibv_export_buf_dmabuf_fd
     */
    public int exportDmabufFd() {
        return Check.notMinusOne(
                "ibv_export_buf_dmabuf_fd",
                handle.call(DeviceMemoryVerbs::ibv_export_buf_dmabuf_fd));
    }

    /**
     * Tells whether the buffer has been freed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_buf *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the regions registered over it, newest first, and frees the memory. While another
     * thread is inside a native call on it, as a read from a socket, the memory outlives this call;
     * it stays allocated for good if the domain closes before that has ended.
     *
     * @throws VerbsException when a region cannot be closed
     * @verbs.calls ibv_free_buf
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle + "[" + size() + " bytes]";
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
