package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.ibv_mw;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;

/**
 * A memory window: C's {@code struct ibv_mw}. It gives peers a part of a region for a time, without
 * a new registration. Safe for any thread.
 *
 * <p>A type 1 window is bound by {@link QueuePair#bindMw}. A type 2 window is bound by a BIND_MW
 * request, belongs to the queue pair it was bound on, and is taken back by a LOCAL_INV request or
 * by the peer's SEND_WITH_INV. When a peer takes it back, this side knows once the completion of
 * that message has been polled; do not post LOCAL_INV while such a message may be under way. After
 * a bind that failed, and after a reset of the queue pair with the window bound, the window is of
 * no more use: close it and allocate another.
 *
 * <p>Whether a LOCAL_INV was carried out only its completion tells, and a queue pair must not end
 * with a window bound to it: it closes the windows that it was asked to invalidate, too.
 */
public final class MemoryWindow implements AutoCloseable {

    private final ProtectionDomain pd;
    private final MwType type;
    private final NativeHandle handle;
    private final WindowBinding binding;

    MemoryWindow(ProtectionDomain pd, MwType type) {
        this.pd = pd;
        this.type = type;
        WindowBinding ties = new WindowBinding(pd.context().windows());
        this.binding = ties;
        this.handle =
                NativeHandle.create(
                        "MemoryWindow",
                        () ->
                                pd.nativeHandle()
                                        .within(
                                                pointer ->
                                                        Check.notNull(
                                                                "ibv_alloc_mw",
                                                                DeviceMemoryVerbs.ibv_alloc_mw(
                                                                        pointer, type.value()))),
                        pointer -> {
                            Check.zero("ibv_dealloc_mw", DeviceMemoryVerbs.ibv_dealloc_mw(pointer));
                            ties.unbound();
                            MemoryWindows.closed(ties.rkey(), ties);
                        },
                        pd.nativeHandle());
        binding.opened(handle, nativeRkey());
        if (type == MwType.TYPE_2) {
            MemoryWindows.opened(binding.rkey(), binding);
        }
        LeakDetector.watch(this, handle);
    }

    /** The library updates it for type 1 only. */
    int nativeRkey() {
        return handle.within(mw -> ibv_mw.rkey(Structs.view(mw, ibv_mw.sizeof())));
    }

    /**
     * The domain it was allocated from.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Which of the two types it is.
     *
     * @return the type
     */
    public MwType type() {
        return type;
    }

    /**
     * The key that a peer needs, as of the latest bind that was posted. Each bind changes it.
     *
     * @return C's {@code rkey}
     */
    public int rkey() {
        return binding.rkey();
    }

    /**
     * Tells whether the window is bound, as far as this side knows: a bind was posted, and neither
     * side has taken it back. A bind that fails later (MW_BIND_ERR), and a reset of the queue pair,
     * leave it true: such a window can be neither bound nor invalidated any more, only closed.
     *
     * @return true when bound
     */
    public boolean isBound() {
        return binding.isBound();
    }

    /**
     * What a peer needs to reach the window: send it there.
     *
     * @param bind what it was bound to
     * @return address, length and rkey
     */
    public RemoteBuffer remote(MwBind bind) {
        return new RemoteBuffer(bind.address(), bind.length(), rkey());
    }

    /**
     * Tells whether the window has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_mw *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Ends the window; peers lose what it gave them.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_dealloc_mw
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

    WindowBinding binding() {
        return binding;
    }
}
