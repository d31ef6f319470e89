package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.ibv_comp_channel;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.internal.ReadableWait;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Wakes threads that wait for completions: C's {@code struct ibv_comp_channel}. Several queues may
 * share one. Events are acknowledged as they are taken, so no queue waits for that when it closes.
 * Safe for any thread; closing the channel ends the waits on it.
 */
public final class CompletionChannel implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;
    private final int fd;

    private final Object waitLock = new Object();
    private Wait idle;

    private final CompletionEventTargets targets = new CompletionEventTargets();

    CompletionChannel(Context context) {
        this.context = context;
        DataPath.linkEvents();
        this.handle =
                NativeHandle.create(
                        "CompletionChannel",
                        () ->
                                context.nativeHandle()
                                        .within(
                                                pointer ->
                                                        Check.notNull(
                                                                "ibv_create_comp_channel",
                                                                CompletionVerbs
                                                                        .ibv_create_comp_channel(
                                                                                pointer))),
                        pointer ->
                                Check.zero(
                                        "ibv_destroy_comp_channel",
                                        CompletionVerbs.ibv_destroy_comp_channel(pointer)),
                        context.nativeHandle());
        this.fd =
                handle.within(
                        channel -> {
                            MemorySegment struct = Structs.view(channel, ibv_comp_channel.sizeof());
                            Posix.setNonBlocking(ibv_comp_channel.fd(struct));
                            return ibv_comp_channel.fd(struct);
                        });
        LeakDetector.watch(this, handle);
    }

    /**
     * The context it was created from.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Waits for an event and acknowledges it. The queue it returns must be armed again ({@link
     * CompletionQueue#reqNotify()}) and then polled until it is empty, in this order. A virtual
     * thread holds its carrier for no longer than a look. Allocates nothing.
     *
     * @param timeout how long at most; zero or less only looks
     * @return the queue that has completions, or null when there was no event in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @throws VerbsException when the device is gone
     * @verbs.calls ibv_get_cq_event, ibv_ack_cq_events
     */
    public CompletionQueue getCqEvent(Duration timeout) throws InterruptedException {
        Wait wait = borrow();
        try {
            wait.readable.begin(timeout);
            do {
                if (wait.readable.look()) {
                    CompletionQueue cq = take(wait);
                    if (cq != null) {
                        return cq;
                    }
                }
            } while (!wait.readable.isOver());
            return null;
        } finally {
            giveBack(wait);
        }
    }

    private Wait borrow() {
        synchronized (waitLock) {
            Wait first = idle;
            if (first != null) {
                idle = first.next;
                return first;
            }
        }
        return new Wait(new ReadableWait(handle, fd));
    }

    private void giveBack(Wait wait) {
        synchronized (waitLock) {
            wait.next = idle;
            idle = wait;
        }
    }

    /** Takes one event if it is still there; null when another thread was faster. */
    private CompletionQueue take(Wait scratch) {
        MemorySegment channel = handle.acquire();
        try {
            // When it fails it is called again, to tell errno: capturing that may make an object.
            if (DataPath.getCqEvent(channel.address(), scratch.cq.address(), scratch.slot.address())
                            != 0
                    && CompletionVerbs.ibv_get_cq_event(channel, scratch.cq, scratch.slot) != 0) {
                int errno = io.github.verbs4j.ffi.Errno.last();
                if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
                    return null;
                }
                throw new VerbsException("ibv_get_cq_event", errno, "");
            }
            // The queue cannot vanish, nor its slot go to another, before the acknowledgement: its
            // destruction waits for that.
            CompletionQueue cq = targets.get((int) scratch.slot.get(JAVA_LONG, 0));
            DataPath.ackCqEvent(scratch.cq.get(JAVA_LONG, 0));
            return cq != null && cq.isOpen() ? cq : null;
        } finally {
            handle.release();
        }
    }

    CompletionEventTargets targets() {
        return targets;
    }

    /**
     * Tells whether the channel has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_comp_channel *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queues that report on the channel, newest first, and the channel.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_destroy_comp_channel
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

    /** What one thread needs to wait; used again, so that waiting allocates nothing. */
    private static final class Wait {
        private final ReadableWait readable;
        private final MemorySegment cq;
        private final MemorySegment slot;
        private Wait next;

        Wait(ReadableWait readable) {
            this.readable = readable;
            MemorySegment block = Arena.ofAuto().allocate(16, 8);
            cq = block.asSlice(0, 8);
            slot = block.asSlice(8, 8);
        }
    }
}
