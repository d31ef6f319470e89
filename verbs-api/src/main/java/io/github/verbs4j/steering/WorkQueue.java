package io.github.verbs4j.steering;

import io.github.verbs4j.AsyncEvent;
import io.github.verbs4j.Context;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.ffi.SteeringVerbs;
import io.github.verbs4j.ffi.ibv_wq;
import io.github.verbs4j.ffi.ibv_wq_attr;
import io.github.verbs4j.ffi.ibv_wq_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.ReceivePosts;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A receive queue without a queue pair: C's {@code struct ibv_wq}. An {@link RwqIndTable} puts
 * several behind one {@link RssQueuePair}. It begins in RESET; {@link #modify(WqState)} to RDY
 * makes it take requests and packets. Safe for any thread.
 */
public final class WorkQueue implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;
    private final int wqNum;
    private final int maxWr;
    private final int maxSge;
    private final ReceivePosts<RecvWr, RecvWrArray> receives;

    private WorkQueue(WqInitAttr attr) {
        this.context = attr.pd().context();
        Check.sameContext("cq", attr.cq().context(), context);
        Context owner = context; // the destroyer must not hold this object
        NativeHandle pd = Friend.handleOf(attr.pd(), "pd");
        NativeHandle cq = Friend.handleOf(attr.cq(), "cq");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_wq_init_attr.allocate(arena);
            this.handle =
                    NativeHandle.create(
                            "WorkQueue",
                            () -> create(attr, init),
                            pointer -> destroy(owner, pointer),
                            pd,
                            cq);
            this.maxWr = ibv_wq_init_attr.max_wr(init);
            this.maxSge = ibv_wq_init_attr.max_sge(init);
        }
        Friend.MAIN.watchEvents(context, handle, this);
        LeakDetector.watch(this, handle);
        this.wqNum = read(ibv_wq::wq_num);
        this.receives =
                Friend.MAIN.receives(
                        "ibv_post_wq_recv", handle, handle.within(WorkQueue::poster), maxSge);
    }

    private static void destroy(Context context, MemorySegment wq) {
        Friend.MAIN.keepEvents(context, wq);
        Check.zero("ibv_destroy_wq", SteeringVerbs.ibv_destroy_wq(wq));
    }

    private static MemorySegment poster(MemorySegment wq) {
        return ibv_wq.post_recv(Structs.view(wq, ibv_wq.sizeof()));
    }

    private int read(java.util.function.ToIntFunction<MemorySegment> field) {
        return handle.call(wq -> field.applyAsInt(Structs.view(wq, ibv_wq.sizeof())));
    }

    private MemorySegment create(WqInitAttr attr, MemorySegment init) {
        ibv_wq_init_attr.wq_type(init, verbs_h.IBV_WQT_RQ());
        ibv_wq_init_attr.max_wr(init, attr.maxWr());
        ibv_wq_init_attr.max_sge(init, attr.maxSge());
        ibv_wq_init_attr.pd(init, attr.pd().handle());
        ibv_wq_init_attr.cq(init, attr.cq().handle());
        if (!attr.flags().isEmpty()) {
            ibv_wq_init_attr.comp_mask(init, verbs_h.IBV_WQ_INIT_ATTR_FLAGS());
            ibv_wq_init_attr.create_flags(init, WqFlag.bits(attr.flags()));
        }
        return Check.notNull(
                "ibv_create_wq",
                SteeringVerbs.ibv_create_wq(context.handle(), init),
                errno ->
                        String.format(
                                "max_wr %d, max_sge %d, flags %s",
                                attr.maxWr(), attr.maxSge(), attr.flags()));
    }

    /**
     * Creates a work queue, in state RESET.
     *
     * @param attr its domain, completion queue and size
     * @return the queue; close it
     * @throws IllegalArgumentException when domain and completion queue are of two contexts
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no work queues
     * @throws VerbsException EINVAL: a size or flag that the device lacks; ENOMEM
     * @verbs.calls ibv_create_wq
     */
    public static WorkQueue create(WqInitAttr attr) {
        return new WorkQueue(attr);
    }

    /**
     * The queue that an asynchronous event is about, as WQ_FATAL: also one that was closed before
     * anybody took the event.
     *
     * @param event the event
     * @return the queue, or null when its user lost it
     */
    public static WorkQueue of(AsyncEvent.Wq event) {
        return (WorkQueue) event.wq();
    }

    /**
     * The context it belongs to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Its number.
     *
     * @return C's {@code wq_num}
     */
    public int wqNum() {
        return wqNum;
    }

    /**
     * The depth that the device granted.
     *
     * @return outstanding requests at most
     */
    public int maxWr() {
        return maxWr;
    }

    /**
     * The size of the scatter list that the device granted.
     *
     * @return elements at most
     */
    public int maxSge() {
        return maxSge;
    }

    /**
     * The state as the provider keeps it: the one set last. There is no verb that asks the device.
     *
     * @return the state
     */
    public WqState state() {
        return WqState.of(read(ibv_wq::state));
    }

    /**
     * Moves the queue to a state.
     *
     * @param state RESET, RDY or ERR
     * @throws IllegalArgumentException for UNKNOWN
     * @throws VerbsException EINVAL: not from the present state
     * @verbs.calls ibv_modify_wq
     */
    public void modify(WqState state) {
        if (state == WqState.UNKNOWN) {
            throw new IllegalArgumentException("a queue cannot be moved to UNKNOWN");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_wq_attr.allocate(arena);
            ibv_wq_attr.attr_mask(attr, verbs_h.IBV_WQ_ATTR_STATE());
            ibv_wq_attr.wq_state(attr, state.value());
            modify(attr, "to " + state);
        }
    }

    /**
     * Moves the queue to a state if it is in another one now.
     *
     * @param current the state it must be in
     * @param state RESET, RDY or ERR
     * @throws IllegalArgumentException for UNKNOWN
     * @throws VerbsException EINVAL: it is not in that state, or cannot go from it
     * @verbs.calls ibv_modify_wq
     */
    public void modify(WqState current, WqState state) {
        if (state == WqState.UNKNOWN || current == WqState.UNKNOWN) {
            throw new IllegalArgumentException("a queue cannot be moved from or to UNKNOWN");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_wq_attr.allocate(arena);
            ibv_wq_attr.attr_mask(
                    attr, verbs_h.IBV_WQ_ATTR_STATE() | verbs_h.IBV_WQ_ATTR_CURR_STATE());
            ibv_wq_attr.curr_wq_state(attr, current.value());
            ibv_wq_attr.wq_state(attr, state.value());
            modify(attr, "from " + current + " to " + state);
        }
    }

    /**
     * Switches flags on and off.
     *
     * @param on the flags to set
     * @param off the flags to clear; all others stay
     * @throws IllegalArgumentException when a flag is in both sets, or there is none
     * @throws VerbsException EINVAL: a flag that the device cannot change
     * @verbs.calls ibv_modify_wq
     */
    public void modifyFlags(Set<WqFlag> on, Set<WqFlag> off) {
        EnumSet<WqFlag> changed = EnumSet.noneOf(WqFlag.class);
        changed.addAll(on);
        for (WqFlag flag : off) {
            if (!changed.add(flag)) {
                throw new IllegalArgumentException(flag + " cannot be both on and off");
            }
        }
        if (changed.isEmpty()) {
            throw new IllegalArgumentException("no flag to change");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_wq_attr.allocate(arena);
            ibv_wq_attr.attr_mask(attr, verbs_h.IBV_WQ_ATTR_FLAGS());
            ibv_wq_attr.flags(attr, WqFlag.bits(on));
            ibv_wq_attr.flags_mask(attr, WqFlag.bits(changed));
            modify(attr, "on " + on + ", off " + off);
        }
    }

    private void modify(MemorySegment attr, String what) {
        Check.zero(
                "ibv_modify_wq",
                handle.call(wq -> SteeringVerbs.ibv_modify_wq(wq, attr)),
                errno -> what);
    }

    /**
     * Posts a receive request. Allocates nothing.
     *
     * @param wr the request
     * @throws PostException ENOMEM: the queue is full; EINVAL: the queue is not in RDY
     * @throws IllegalArgumentException when the request has too many elements
     * @throws IllegalStateException when the queue is closed
     * @verbs.calls ibv_post_wq_recv
     */
    public void postRecv(RecvWr wr) {
        receives.post(wr);
    }

    /**
     * Posts a receive request unless the queue is full.
     *
     * @param wr the request
     * @return false when the queue is full
     * @throws PostException as {@link #postRecv(RecvWr)}, except ENOMEM
     * @verbs.calls ibv_post_wq_recv
     */
    public boolean tryPostRecv(RecvWr wr) {
        return receives.tryPost(wr);
    }

    /**
     * Posts a chain of receive requests by one call.
     *
     * @param wrs the requests
     * @throws PostException as {@link #postRecv(RecvWr)}; names the first one that was not posted
     * @verbs.calls ibv_post_wq_recv
     */
    public void postRecv(RecvWrArray wrs) {
        receives.postAll(wrs);
    }

    /**
     * Posts the first requests of a chain, as many as the queue has room for.
     *
     * @param wrs the requests
     * @param count how many of them, 1 to the chain's capacity
     * @return how many were posted
     * @throws PostException as {@link #postRecv(RecvWrArray)}, except ENOMEM
     * @verbs.calls ibv_post_wq_recv
     */
    public int tryPostRecv(RecvWrArray wrs, int count) {
        return receives.tryPostAll(wrs, count);
    }

    /**
     * Tells whether the queue has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_wq *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the indirection tables it is in, newest first, and the queue.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_wq
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle + "[" + wqNum + "]";
    }

    static NativeHandle handleOf(WorkQueue wq) {
        return Objects.requireNonNull(wq, "a work queue").handle;
    }
}
