package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.Device;
import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_event_channel;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DeviceDiagnosis;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Reports the events of the ids made on it: C's {@code struct rdma_event_channel}. Safe for any
 * thread. Closing it closes its ids first, and ends the waits on it.
 *
 * <p>An event is copied and acknowledged as it is taken. Those that a wait for one id finds on the
 * way are kept for the waits for the others, so several threads may share a channel, each waiting
 * with {@link CmId#await}; {@link #getCmEvent} and {@link #await} take the events of all ids.
 */
public final class EventChannel implements AutoCloseable {

    /** How long waits last when nothing is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final long SIZE = rdma_cm_event.sizeof();
    private static final AtomicLong COUNT = new AtomicLong();

    private final NativeHandle handle;
    private final int fd;

    /** Two channels are locked in the order of their numbers. */
    private final long number = COUNT.getAndIncrement();

    /**
     * Held during every native call on the channel's ids: taking an event moves their queue pairs,
     * which must not be destroyed at that moment.
     */
    private final ReentrantLock lock = new ReentrantLock();

    /** Events taken but not yet wanted. Guarded by the lock. */
    private final Deque<CmEvent> events = new ArrayDeque<>();

    private EventChannel() {
        this.handle =
                NativeHandle.create(
                        "EventChannel",
                        () ->
                                Check.notNull(
                                        "rdma_create_event_channel",
                                        RdmaCm.rdma_create_event_channel(),
                                        EventChannel::explain),
                        RdmaCm::rdma_destroy_event_channel);
        this.fd =
                rdma_event_channel.fd(Structs.view(handle.pointer(), rdma_event_channel.sizeof()));
        Posix.setNonBlocking(fd);
        LeakDetector.watch(this, handle);
    }

    /**
     * Creates a channel.
     *
     * @return the channel; close it
     * @throws VerbsException ENODEV: no RDMA device, or EPERM, ENOENT, EACCES: no connection
     *     manager in the kernel, or no permission on {@code /dev/infiniband/rdma_cm}; EMFILE: too
     *     many open files
     * @throws io.github.verbs4j.types.LibraryMissingException when librdmacm is not installed
     * @verbs.calls rdma_create_event_channel
     */
    public static EventChannel create() {
        return new EventChannel();
    }

    static String explain(int errno) {
        return switch (errno) {
            case Errno.ENODEV -> DeviceDiagnosis.explain("RDMA device", deviceNames());
            case Errno.EPERM, Errno.EACCES, Errno.ENOENT ->
                    "needs the kernel module rdma_ucm and permission to read and write"
                            + " /dev/infiniband/rdma_cm (in a container, pass it in)";
            case Errno.EMFILE -> "too many open files; a channel needs one (ulimit -n)";
            default -> CmErrno.meaning(errno);
        };
    }

    /** An explanation must not fail itself: without kernel support, listing does. */
    private static List<String> deviceNames() {
        try {
            return Device.list().stream().map(Device::name).toList();
        } catch (VerbsException e) {
            return List.of();
        }
    }

    /**
     * Creates an id that reports on this channel.
     *
     * @param ps where its ports are counted, and what it connects
     * @return the id; close it
     * @throws VerbsException ENODEV: no RDMA device
     * @verbs.calls rdma_create_id
     */
    public CmId createId(PortSpace ps) {
        return CmId.create(this, ps);
    }

    /**
     * Takes the next event of any id.
     *
     * @param timeout how long to wait at most; zero only looks
     * @return the event, or null when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @throws VerbsException when the connection manager fails
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent getCmEvent(Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        return next(event -> true, handle, () -> true, timeout);
    }

    /**
     * Waits {@linkplain #DEFAULT_TIMEOUT some seconds} for an event of a type.
     *
     * @param type the type
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type) throws InterruptedException, TimeoutException {
        return await(type, DEFAULT_TIMEOUT);
    }

    /**
     * Waits for an event of a type, of any id.
     *
     * @param type the type
     * @param timeout how long at most
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type, Duration timeout)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(type, "type");
        CmEvent event = getCmEvent(timeout);
        if (event == null) {
            throw new TimeoutException("no event within " + timeout + ", waited for " + type);
        }
        return event.expect(type);
    }

    /** Waits for an event of one id, as long as that is on this channel, and a condition holds. */
    CmEvent next(CmId id, BooleanSupplier goesOn, Duration timeout) throws InterruptedException {
        return next(
                event -> event.subject() == id,
                id.nativeHandle(),
                () -> id.channel() == this && goesOn.getAsBoolean(),
                timeout);
    }

    /** Waits for an event; closing the channel or {@code owner} ends the wait. */
    private CmEvent next(
            Predicate<CmEvent> wanted, NativeHandle owner, BooleanSupplier here, Duration timeout)
            throws InterruptedException {
        ReadableWait wait = new ReadableWait(handle, fd, timeout);
        MemorySegment scratch = Arena.ofAuto().allocate(ADDRESS);
        while (here.getAsBoolean()) {
            owner.pointer(); // throws when it is closed
            CmEvent event = take(wanted, scratch);
            if (event != null) {
                return event;
            }
            if (wait.isOver()) {
                return null;
            }
            wait.look();
        }
        return null;
    }

    private CmEvent take(Predicate<CmEvent> wanted, MemorySegment scratch) {
        lock.lock();
        MemorySegment channel = null;
        try {
            channel = handle.acquire();
            for (Iterator<CmEvent> kept = events.iterator(); kept.hasNext(); ) {
                CmEvent event = kept.next();
                if (wanted.test(event)) {
                    kept.remove();
                    return event;
                }
            }
            while (hasNext(channel, scratch)) {
                CmEvent event = accept(Structs.view(scratch.get(ADDRESS, 0), SIZE));
                if (event != null && wanted.test(event)) {
                    return event;
                }
                if (event != null) {
                    events.add(event);
                }
            }
            return null;
        } finally {
            if (channel != null) {
                handle.release();
            }
            lock.unlock();
        }
    }

    private static boolean hasNext(MemorySegment channel, MemorySegment out) {
        if (RdmaCm.rdma_get_cm_event(channel, out) == 0) {
            return true;
        }
        int errno = io.github.verbs4j.ffi.Errno.last();
        if (errno == Errno.EAGAIN || errno == Errno.EINTR) {
            return false;
        }
        throw new VerbsException("rdma_get_cm_event", errno, explain(errno));
    }

    /**
     * Copies an event and finds its ids before it is acknowledged: until then they cannot be
     * destroyed, and a new id cannot get the address of one.
     */
    private CmEvent accept(MemorySegment event) {
        try {
            return deliver(RawEvent.copy(event));
        } finally {
            RdmaCm.rdma_ack_cm_event(event);
        }
    }

    /** Makes the event that the program gets, or null when it came for an id that closes. */
    private CmEvent deliver(RawEvent raw) {
        if (raw.type() == CmEventType.CONNECT_REQUEST) {
            MemorySegment pointer = MemorySegment.ofAddress(raw.id());
            CmId listener = CmIds.find(raw.listenId());
            if (listener == null) {
                RdmaCm.rdma_destroy_id(pointer);
                return null;
            }
            PortSpace ps = PortSpace.of(rdma_cm_id.ps(Structs.view(pointer, rdma_cm_id.sizeof())));
            return new CmEvent(raw, CmId.requested(this, ps, pointer), listener, null);
        }
        CmId id = CmIds.find(raw.id());
        if (id == null) {
            return CmIds.isOurs(raw.id()) ? null : new CmEvent(raw, null, null, null);
        }
        CmEvent event = new CmEvent(raw, id, null, id.core().group(raw));
        id.core().happened(event);
        return event;
    }

    /** Drops what is kept for a closed id, and rejects the peers that had asked it. */
    void forget(long id) {
        Deque<CmId> orphans = new ArrayDeque<>();
        lock.lock();
        try {
            events.removeIf(
                    event -> {
                        if (event.listenId() != null && event.listenId().core().address() == id) {
                            orphans.add(event.id());
                            return true;
                        }
                        return event.id() != null && event.id().core().address() == id;
                    });
        } finally {
            lock.unlock();
        }
        orphans.forEach(CmId::close);
    }

    /**
     * Hands over what is kept for an id that moves to another channel; both are locked.
     *
     * @return what was handed over
     */
    List<CmEvent> moveEvents(CmId id, EventChannel to) {
        List<CmEvent> moving = events.stream().filter(event -> event.subject() == id).toList();
        events.removeAll(moving);
        to.events.addAll(moving);
        return moving;
    }

    /** Drops an event whose id turned out to be closed; the channel is locked. */
    void drop(CmEvent event) {
        events.remove(event);
    }

    long number() {
        return number;
    }

    ReentrantLock lock() {
        return lock;
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
     * The native {@code struct rdma_event_channel *}, for calls that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the ids that report on the channel, newest first, and the channel.
     *
     * @verbs.calls rdma_destroy_event_channel
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
