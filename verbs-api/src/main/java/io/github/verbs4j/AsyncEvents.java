package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.ibv_async_event;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_wq;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.internal.ReadableWait;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AsyncEventType;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The asynchronous events of a context. Each is acknowledged by the thread that reads it, before
 * anything else happens, because the destruction of an object waits for the acknowledgement of its
 * events.
 *
 * <p>The kernel throws away the events of an object that is destroyed. So an object that closes
 * takes all events off the kernel's queue first, and they wait here for whoever asks.
 */
final class AsyncEvents {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.verbs4j.events");

    /** Nobody asks in many programs; then the oldest are dropped, saying so once. */
    private static final int KEPT = 1024;

    /** A queue that overflows all the time must not keep another from closing. */
    private static final int TAKEN_AT_ONCE = 1 << 16;

    private final NativeHandle context;
    private final int fd;
    private volatile boolean nonBlocking;
    private final Map<Long, WeakReference<AutoCloseable>> elements = new ConcurrentHashMap<>();
    private final Queue<AsyncEvent> kept = new ConcurrentLinkedQueue<>();
    private final AtomicInteger keptCount = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    AsyncEvents(NativeHandle context) {
        this.context = context;
        this.fd = ibv_context.async_fd(Structs.view(context.pointer(), ibv_context.sizeof()));
    }

    /** Lets events name an object. */
    void watch(NativeHandle handle, AutoCloseable element) {
        // Inside it: one that closes meanwhile takes its entry out after this.
        handle.within(pointer -> elements.put(pointer.address(), new WeakReference<>(element)));
    }

    /** Keeps what is queued; to be called before an object is destroyed, inside its closing. */
    void closing(MemorySegment pointer) {
        // Not inside the context: it may be closing itself, and then it waits for this object.
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pollfd = arena.allocate(8, 4);
            MemorySegment event = ibv_async_event.allocate(arena);
            for (int i = 0; i < TAKEN_AT_ONCE && Posix.awaitReadable(pollfd, fd, 0) > 0; i++) {
                AsyncEvent taken = take(context.rawPointer(), event);
                if (taken == null) {
                    break;
                }
                keep(taken);
            }
        } catch (VerbsException e) {
            LOG.warn("events could not be read: {}", e.getMessage());
        }
        elements.remove(pointer.address());
    }

    private void keep(AsyncEvent event) {
        kept.add(event);
        if (keptCount.incrementAndGet() > KEPT) {
            AsyncEvent oldest = pollKept();
            if (oldest != null && dropped.getAndIncrement() == 0) {
                LOG.warn("nobody takes asynchronous events: dropping the oldest, as {}", oldest);
            }
        }
    }

    private AsyncEvent pollKept() {
        AsyncEvent event = kept.poll();
        if (event != null) {
            keptCount.decrementAndGet();
        }
        return event;
    }

    AsyncEvent get(Duration timeout) throws InterruptedException {
        ReadableWait wait = new ReadableWait(context, fd, timeout);
        MemorySegment event = ibv_async_event.allocate(Arena.ofAuto());
        do {
            context.pointer(); // throws when the context is closed
            AsyncEvent earlier = pollKept();
            if (earlier != null) {
                return earlier;
            }
            if (wait.look()) {
                AsyncEvent taken = context.within(pointer -> take(pointer, event));
                if (taken != null) {
                    return taken;
                }
            }
        } while (!wait.isOver());
        return pollKept();
    }

    /** Takes one event if it is still there; null when another thread was faster. */
    private AsyncEvent take(MemorySegment pointer, MemorySegment event) {
        if (!nonBlocking) {
            Posix.setNonBlocking(fd); // only now: most programs see no event
            nonBlocking = true;
        }
        if (DeviceVerbs.ibv_get_async_event(pointer, event) != 0) {
            int errno = io.github.verbs4j.ffi.Errno.last();
            if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
                return null;
            }
            throw new VerbsException("ibv_get_async_event", errno, "");
        }
        try {
            // Before the acknowledgement: until then the native object exists, and its address is
            // not another's.
            return read(event);
        } finally {
            DeviceVerbs.ibv_ack_async_event(event);
        }
    }

    private AsyncEvent read(MemorySegment event) {
        int raw = ibv_async_event.event_type(event);
        AsyncEventType type = AsyncEventType.of(raw);
        MemorySegment element = ibv_async_event.element(event);
        return switch (type.element()) {
            case CQ ->
                    new AsyncEvent.Cq(
                            type, find(ibv_async_event.element.cq(element), CompletionQueue.class));
            case QP -> {
                MemorySegment qp = ibv_async_event.element.qp(element);
                int number = ibv_qp.qp_num(Structs.view(qp, ibv_qp.sizeof()));
                yield new AsyncEvent.Qp(type, find(qp, QueuePair.class), number);
            }
            case SRQ ->
                    new AsyncEvent.Srq(
                            type,
                            find(ibv_async_event.element.srq(element), SharedReceiveQueue.class));
            case WQ -> {
                MemorySegment wq = ibv_async_event.element.wq(element);
                int number = ibv_wq.wq_num(Structs.view(wq, ibv_wq.sizeof()));
                yield new AsyncEvent.Wq(type, find(wq, AutoCloseable.class), number);
            }
            case PORT -> new AsyncEvent.Port(type, ibv_async_event.element.port_num(element));
            case DEVICE -> new AsyncEvent.Device(type, raw);
        };
    }

    private <T> T find(MemorySegment pointer, Class<T> kind) {
        WeakReference<AutoCloseable> reference = elements.get(pointer.address());
        Object element = reference == null ? null : reference.get();
        return kind.isInstance(element) ? kind.cast(element) : null;
    }

    /** Says what nobody took; for the end of the context. */
    void reportUnread() {
        Map<AsyncEvent, Integer> counts = new LinkedHashMap<>();
        for (AsyncEvent event = pollKept(); event != null; event = pollKept()) {
            counts.merge(event, 1, Integer::sum);
        }
        counts.forEach(
                (event, count) ->
                        LOG.atLevel(event.type().isError() ? Level.WARN : Level.DEBUG)
                                .log("nobody took {} of {}", count, event));
        if (dropped.get() > 0) {
            LOG.warn("{} earlier asynchronous events were dropped", dropped.getAndSet(0));
        }
    }
}
