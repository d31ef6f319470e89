package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmState.FAILED;
import static io.github.verbs4j.cm.CmState.IDLE;
import static io.github.verbs4j.cm.CmState.REQUESTED;
import static java.lang.foreign.ValueLayout.ADDRESS;

import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * One end of a connection, or a listener: C's {@code struct rdma_cm_id}. Its calls start something
 * and return; an event on its channel tells how it ended ({@link #await}). Safe for any thread.
 *
 * <p>A call that does not fit the {@linkplain #state state} throws {@code IllegalStateException};
 * in C some of them crash. Closing an id closes its queue pair first, leaves its multicast groups,
 * and tells the peer.
 *
 * <p>{@link SyncCmId} is an id whose calls wait by themselves; {@link RdmaListener} and {@link
 * RdmaConnection} do all of it for the common case.
 */
public final class CmId extends CmIdConnecting implements AutoCloseable {

    private CmId(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        super(channel, ps, state, handle);
        LeakDetector.watch(this, handle);
    }

    static CmId create(EventChannel channel, PortSpace ps) {
        Objects.requireNonNull(ps, "ps");
        NativeHandle owner = channel.nativeHandle();
        NativeHandle handle =
                NativeHandle.create(
                        "CmId",
                        () -> {
                            try (Arena arena = Arena.ofConfined()) {
                                MemorySegment out = arena.allocate(ADDRESS);
                                int result =
                                        RdmaCm.rdma_create_id(
                                                owner.pointer(),
                                                out,
                                                MemorySegment.NULL,
                                                ps.value());
                                if (result != 0) {
                                    throw Check.failure(
                                            "rdma_create_id",
                                            IdCore.lastErrno(),
                                            CmErrno.about("port space " + ps));
                                }
                                return out.get(ADDRESS, 0);
                            }
                        },
                        destroyer(channel),
                        owner);
        return new CmId(channel, ps, IDLE, handle);
    }

    /** An id that librdmacm made, on a channel of ours. */
    static CmId over(EventChannel channel, PortSpace ps, CmState state, MemorySegment pointer) {
        try {
            NativeHandle handle =
                    NativeHandle.create(
                            "CmId", () -> pointer, destroyer(channel), channel.nativeHandle());
            return new CmId(channel, ps, state, handle);
        } catch (IllegalStateException e) {
            // The channel closes at this moment: nobody else would destroy the id.
            RdmaCm.rdma_destroy_id(pointer);
            throw e;
        }
    }

    static CmId requested(EventChannel channel, PortSpace ps, MemorySegment pointer) {
        return over(channel, ps, REQUESTED, pointer);
    }

    /** Refers to no CmId: that would keep the lost ones from being noticed. */
    private static NativeHandle.Destroyer destroyer(EventChannel made) {
        return pointer -> {
            CmId id = CmIds.find(pointer.address());
            EventChannel channel = id == null ? made : id.core.channel();
            // In this order: no event taken after it was forgotten may be kept for it.
            Object closing = CmIds.closing(pointer.address());
            channel.forget(pointer.address());
            try {
                Check.notMinusOne("rdma_destroy_id", RdmaCm.rdma_destroy_id(pointer));
            } finally {
                CmIds.remove(pointer.address(), closing);
            }
        };
    }

    /**
     * Waits {@linkplain EventChannel#DEFAULT_TIMEOUT some seconds} for an event of this id.
     *
     * @param type the type of the event
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type) throws InterruptedException, TimeoutException {
        return await(type, EventChannel.DEFAULT_TIMEOUT);
    }

    /**
     * Waits for the next event of this id, or request to it. The events of other ids are kept for
     * their waits. Each event goes to one thread: of two that wait for the same one, the other gets
     * what comes after it.
     *
     * @param type the type of the event
     * @param timeout how long at most
     * @return the event
     * @throws CmException when another event came, for example REJECTED
     * @throws TimeoutException when none came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the id or channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent await(CmEventType type, Duration timeout)
            throws InterruptedException, TimeoutException {
        Objects.requireNonNull(type, "type");
        CmEvent event = getCmEvent(timeout);
        if (event == null) {
            throw late(type, timeout);
        }
        return event.expect(type);
    }

    /**
     * Takes the next event of this id, or request to it.
     *
     * @param timeout how long to wait at most; zero only looks
     * @return the event, or null when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the id or channel is closed, also during the wait
     * @verbs.calls rdma_get_cm_event, rdma_ack_cm_event
     */
    public CmEvent getCmEvent(Duration timeout) throws InterruptedException {
        return next(() -> true, timeout);
    }

    /**
     * Takes the next event while a condition holds. Once it does not, the answer is the event that
     * ended the connection, whoever took it, or null when there was none.
     */
    CmEvent nextWhile(BooleanSupplier goesOn, Duration timeout) throws InterruptedException {
        CmEvent event = next(goesOn, timeout);
        return event == null ? core.end() : event;
    }

    /** Waits for a request; that the listener's device went, every thread is told. */
    CmEvent awaitRequest(Duration timeout) throws InterruptedException, TimeoutException {
        CmEvent event = nextWhile(() -> state() != FAILED, timeout);
        if (event == null) {
            throw late(CONNECT_REQUEST, timeout);
        }
        return event.expect(CONNECT_REQUEST);
    }

    private TimeoutException late(CmEventType type, Duration timeout) {
        return new TimeoutException(
                "no event within " + timeout + ", waited for " + type + " on " + this);
    }

    private CmEvent next(BooleanSupplier goesOn, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        long begin = System.nanoTime();
        Duration left = timeout;
        while (true) {
            EventChannel channel = core.channel();
            try {
                CmEvent event = channel.next(this, goesOn, left);
                if (event != null) {
                    return event;
                }
            } catch (IllegalStateException e) {
                if (core.channel() == channel || !isOpen()) {
                    throw e;
                }
                // The channel was closed after the id had left it.
            }
            left = Duration.ofNanos(Timeouts.nanos(timeout) - (System.nanoTime() - begin));
            // Time may be left on the same channel: the id has been away and come back.
            if (!goesOn.getAsBoolean() || !left.isPositive() && core.channel() == channel) {
                return null;
            }
        }
    }

    /**
     * Moves the id to another channel, with the events that wait there for it; a listener also with
     * the ids of the requests among them. A thread that waits for an event of this id goes on
     * waiting, now on the new channel.
     *
     * @param to the new channel
     * @throws IllegalStateException when the channel is closed
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_migrate_id
     */
    public void migrate(EventChannel to) {
        core.migrate(Objects.requireNonNull(to, "to"));
    }

    /**
     * Puts an event of the program's own on the id's channel, of type USER.
     *
     * @param status what {@link CmEvent#status} tells
     * @param argument what {@link CmEvent#argument} tells
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 60, or the
     *     kernel cannot
     * @verbs.calls rdma_write_cm_event
     */
    public void writeCmEvent(int status, long argument) {
        core.call(
                "rdma_write_cm_event",
                id ->
                        Check.present(
                                () ->
                                        RdmaCm.rdma_write_cm_event(
                                                id, CmEventType.USER.value(), status, argument)),
                IdCore::noDetail,
                null);
    }

    /**
     * Closes its queue pair and the id. A peer that is connected gets DISCONNECTED, one whose
     * request was not answered REJECTED.
     *
     * @throws VerbsException when the connection manager reports a failure
     * @verbs.calls rdma_destroy_id
     */
    @Override
    public void close() {
        nativeHandle().close();
    }
}
