package io.github.verbs4j;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.ibv_td_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A promise of one thread at a time: C's {@code struct ibv_td}. Objects made in a {@link
 * ParentDomain} with a thread domain may leave out their locks, so all of them together are for one
 * thread at a time. The thread domain itself is safe for any thread.
 */
public final class ThreadDomain implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;

    ThreadDomain(Context context) {
        this.context = context;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_td_init_attr.allocate(arena);
            this.handle =
                    NativeHandle.create(
                            "ThreadDomain",
                            () ->
                                    context.nativeHandle()
                                            .within(
                                                    pointer ->
                                                            Check.notNull(
                                                                    "ibv_alloc_td",
                                                                    MemoryVerbs.ibv_alloc_td(
                                                                            pointer, attr))),
                            pointer ->
                                    Check.zero(
                                            "ibv_dealloc_td", MemoryVerbs.ibv_dealloc_td(pointer)),
                            context.nativeHandle());
        }
        LeakDetector.watch(this, handle);
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
     * Tells whether the domain has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_td *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the parent domains made with it, newest first, and the thread domain.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_dealloc_td
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
