package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmState.BOUND;
import static io.github.verbs4j.cm.CmState.CONNECTED;
import static io.github.verbs4j.cm.CmState.DISCONNECTED;
import static io.github.verbs4j.cm.CmState.FAILED;
import static io.github.verbs4j.cm.CmState.RESPONDED;
import static io.github.verbs4j.cm.CmState.ROUTE_RESOLVED;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.ffi.Errno;
import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.TransportType;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * What an id is underneath its calls: its channel, its state, its queue pair, and how a call is
 * made so that neither an event nor another call comes in between.
 */
final class IdCore {

    private final CmId id;
    private final PortSpace ps;
    private final QpType qpType;
    private final NativeHandle handle;
    private final long address;

    /** Guarded by the channel's lock. */
    private final MulticastGroups groups = new MulticastGroups();

    private volatile EventChannel channel;
    private volatile CmState state;
    private volatile QueuePair qp;

    /** The event that ended the connection or the listening, whoever took it; or null. */
    private volatile CmEvent end;

    /** Whom it is to reach, for messages; or null. */
    private volatile InetSocketAddress peer;

    /** Guarded by the channel's lock. */
    private SharedReceiveQueue srq;

    IdCore(CmId id, EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        this.id = id;
        this.channel = channel;
        this.ps = ps;
        this.state = state;
        this.handle = handle;
        this.address = handle.pointer().address();
        this.qpType = QpType.of(rdma_cm_id.qp_type(view(handle.pointer())));
    }

    static MemorySegment view(MemorySegment pointer) {
        return Structs.view(pointer, rdma_cm_id.sizeof());
    }

    // ---- calling

    private EventChannel lock() {
        while (true) {
            EventChannel current = channel;
            current.lock().lock();
            if (current == channel) {
                return current;
            }
            current.lock().unlock();
        }
    }

    /** Runs a call in one of the states that allow it; none named stands for all. */
    <T> T inState(String verb, Function<MemorySegment, T> call, CmState... allowed) {
        EventChannel locked = lock();
        try {
            MemorySegment pointer = handle.acquire();
            try {
                if (allowed.length > 0 && !List.of(allowed).contains(state)) {
                    throw new IllegalStateException(
                            verb
                                    + " is not possible in state "
                                    + state
                                    + ", only in "
                                    + useful(allowed));
                }
                return call.apply(view(pointer));
            } finally {
                handle.release();
            }
        } finally {
            locked.lock().unlock();
        }
    }

    /** Where a call makes sense; that it may come too late goes without saying. */
    private static List<CmState> useful(CmState... allowed) {
        return Arrays.stream(allowed).filter(each -> each != FAILED).toList();
    }

    /** Runs a call that returns 0 or sets errno; it leads to the next state unless that is null. */
    void call(
            String verb,
            ToIntFunction<MemorySegment> call,
            IntFunction<String> detail,
            CmState next,
            CmState... allowed) {
        inState(
                verb,
                pointer -> {
                    if (call.applyAsInt(pointer) != 0) {
                        throw Check.failure(verb, lastErrno(), errno -> explain(detail, errno));
                    }
                    state = next == null ? state : next;
                    return null;
                },
                allowed);
    }

    private String explain(IntFunction<String> detail, int errno) {
        String known = detail.apply(errno);
        return (known.isEmpty() ? CmErrno.meaning(errno) : known) + ", on " + id;
    }

    static int lastErrno() {
        return Errno.last();
    }

    static String noDetail(int errno) {
        return "";
    }

    void requireDevice(String verb) {
        if (context() == null) {
            throw new IllegalStateException(
                    verb
                            + " needs a device: resolve an address, or bind to one of a device's"
                            + " own, not to the wildcard or the loopback address");
        }
    }

    void checkParam(ConnParam param, PrivateData kind) {
        kind.check(param.privateDataLength(), ps, context().device().transportType());
        if (qp() == null && param.qpNum() == 0 && !ps.isDatagram()) {
            throw new IllegalArgumentException(
                    "the id has no queue pair: createQp, or name your own by ConnParam.qpNum");
        }
    }

    // ---- what changes it

    /** An event of this id was taken; the channel is locked. */
    void happened(CmEvent event) {
        switch (event.type()) {
            case REJECTED, CONNECT_ERROR, UNREACHABLE, DEVICE_REMOVAL, DISCONNECTED -> end = event;
            default -> {}
        }
        switch (event.type()) {
            case ADDR_RESOLVED -> state = ADDR_RESOLVED;
            case ADDR_ERROR -> state = BOUND;
            case ROUTE_RESOLVED -> state = ROUTE_RESOLVED;
            case ROUTE_ERROR -> state = ADDR_RESOLVED;
            case CONNECT_RESPONSE -> state = RESPONDED;
            case ESTABLISHED -> {
                state = CONNECTED;
                moved(QpState.RTS);
            }
            case REJECTED, CONNECT_ERROR -> {
                state = FAILED;
                moved(QpState.ERR);
            }
            case UNREACHABLE, DEVICE_REMOVAL -> state = FAILED;
            case DISCONNECTED -> {
                state = DISCONNECTED;
                if (isIwarp()) {
                    moved(QpState.ERR);
                }
            }
            default -> {}
        }
    }

    /** librdmacm moved the queue pair, if there is one. */
    void moved(QpState to) {
        QueuePair moving = qp;
        if (moving != null && !ps.isDatagram()) {
            try {
                SharedContexts.FRIEND.moved(moving, to);
            } catch (IllegalStateException e) {
                // Closed meanwhile: its state is of no interest any more.
                qp = null;
            }
        }
    }

    private boolean isIwarp() {
        try {
            Context context = context();
            return context != null && context.device().transportType() == TransportType.IWARP;
        } catch (IllegalStateException e) {
            // Another thread closes the id; the one that took its event must not suffer.
            return false;
        }
    }

    /** Ends the queue pair, which nobody is inside any more. */
    void destroyQp(MemorySegment pointer) {
        EventChannel locked = lock();
        try {
            groups.leaveAll(pointer);
            RdmaCm.rdma_destroy_qp(pointer);
        } finally {
            locked.lock().unlock();
        }
    }

    void migrate(EventChannel to) {
        EventChannel from;
        while (true) {
            from = channel;
            if (from == to) {
                return;
            }
            // Always in the same order, lest two ids that change places wait for each other.
            boolean inOrder = from.number() < to.number();
            (inOrder ? from : to).lock().lock();
            (inOrder ? to : from).lock().lock();
            if (from == channel) {
                break;
            }
            from.lock().unlock();
            to.lock().unlock();
        }
        try {
            MemorySegment target = to.nativeHandle().acquire();
            try {
                EventChannel left = from;
                handle.within(pointer -> move(pointer, target, left, to));
            } finally {
                to.nativeHandle().release();
            }
        } finally {
            from.lock().unlock();
            to.lock().unlock();
        }
    }

    /** Inside the id, lest its closing looks for its events on the channel that it left. */
    private Void move(
            MemorySegment pointer, MemorySegment target, EventChannel from, EventChannel to) {
        if (RdmaCmOptions.rdma_migrate_id(pointer, target) != 0) {
            throw Check.failure("rdma_migrate_id", lastErrno(), CmErrno.about(id + " to " + to));
        }
        handle.reparent(from.nativeHandle(), to.nativeHandle());
        channel = to;
        for (CmEvent event : from.moveEvents(id, to)) {
            if (event.listenId() == id) {
                moveRequest(event, target, from, to);
            }
        }
        return null;
    }

    /** The id of a request goes where its listener goes, as it does while librdmacm has it. */
    private static void moveRequest(
            CmEvent request, MemorySegment target, EventChannel from, EventChannel to) {
        IdCore asking = request.id().core();
        try {
            asking.handle.within(pointer -> asking.move(pointer, target, from, to));
        } catch (IllegalStateException e) {
            // The channel that is left closes its ids at this moment, this one among them.
            to.drop(request);
        }
    }

    // ---- what it is

    PortSpace ps() {
        return ps;
    }

    QpType qpType() {
        return qpType;
    }

    NativeHandle handle() {
        return handle;
    }

    long address() {
        return address;
    }

    EventChannel channel() {
        return channel;
    }

    CmState state() {
        return state;
    }

    void state(CmState next) {
        state = next;
    }

    /** The event that ended it; set before the state is. */
    CmEvent end() {
        return end;
    }

    /** The queue pair, or null when there is none or it is closed. */
    QueuePair qp() {
        QueuePair current = qp;
        return current != null && current.isOpen() ? current : null;
    }

    InetSocketAddress peer() {
        return peer;
    }

    void peer(InetSocketAddress address) {
        peer = address;
    }

    void srq(SharedReceiveQueue made) {
        srq = made;
    }

    /** Makes the queue pair, on the id's shared receive queue unless it is given one. */
    QueuePair make(ProtectionDomain pd, QpInitAttr attr) {
        IdQp maker = new IdQp(this, handle.pointer(), attr instanceof QpInitAttrEx);
        boolean shares = attr.srq() == null && srq != null && srq.isOpen();
        if (!shares) {
            return SharedContexts.FRIEND.queuePair(pd, attr, maker);
        }
        try {
            return SharedContexts.FRIEND.queuePair(pd, attr.srq(srq), maker);
        } finally {
            attr.srq(null);
        }
    }

    void qp(QueuePair made) {
        qp = made;
    }

    Context context() {
        MemorySegment verbs = handle.within(pointer -> rdma_cm_id.verbs(view(pointer)));
        return verbs.address() == 0 ? null : SharedContexts.of(verbs);
    }

    MulticastGroups groups() {
        return groups;
    }

    /** The group that a MULTICAST event is about, or null. */
    InetAddress group(RawEvent raw) {
        return raw.token() == 0 ? null : groups.group(raw.token());
    }
}
