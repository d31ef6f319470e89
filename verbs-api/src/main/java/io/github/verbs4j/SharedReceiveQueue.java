package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ffi.SharedReceiveVerbs;
import io.github.verbs4j.ffi.ibv_srq_attr;
import io.github.verbs4j.ffi.ibv_srq_init_attr_ex;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.MemlockLimit;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.SrqAttr;
import io.github.verbs4j.types.SrqType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives for several queue pairs: C's {@code struct ibv_srq}. A message to any of them takes the
 * oldest; its completion says which one it was. Safe for any thread. Closing it closes the queue
 * pairs that use it first.
 */
public final class SharedReceiveQueue implements AutoCloseable {

    private final ProtectionDomain pd;
    private final SrqType type;
    private final NativeHandle handle;
    private final int maxSge;
    private final ReceiveQueue receives;

    SharedReceiveQueue(ProtectionDomain pd, SrqInitAttr attr) {
        this.pd = pd;
        this.type = attr.type();
        DeviceAttr limits = pd.context().attributes();
        Check.range("maxWr", attr.maxWr(), 1, limits.maxSrqWr());
        Check.range("maxSge", attr.maxSge(), 0, limits.maxSrqSge());
        Check.range("srqLimit", attr.srqLimit(), 0, Integer.MAX_VALUE);
        // First here: failing in its ReceiveQueue's constructor, later, would leave the native
        // object behind.
        DataPath.linkPostRecv(pd.context().operations().postSrqRecv());
        AsyncEvents events = pd.context().asyncEvents();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_srq_init_attr_ex.allocate(arena);
            this.handle =
                    NativeHandle.create(
                            "SharedReceiveQueue",
                            () -> create(attr, init),
                            pointer -> {
                                events.closing(pointer);
                                Check.zero(
                                        "ibv_destroy_srq",
                                        SharedReceiveVerbs.ibv_destroy_srq(pointer));
                            },
                            parents(attr));
            events.watch(handle, this);
            this.maxSge = ibv_srq_attr.max_sge(ibv_srq_init_attr_ex.attr(init));
        }
        this.receives =
                new ReceiveQueue(
                        "ibv_post_srq_recv",
                        "a scatter element that the device does not take",
                        handle,
                        pd.context().operations().postSrqRecv(),
                        maxSge);
        LeakDetector.watch(this, handle);
    }

    private NativeHandle[] parents(SrqInitAttr attr) {
        List<NativeHandle> parents = new ArrayList<>(List.of(pd.nativeHandle()));
        if (attr.xrcd() != null) {
            Check.sameContext("xrcd", attr.xrcd().context(), pd.context());
            parents.add(attr.xrcd().nativeHandle());
        }
        if (attr.cq() != null) {
            Check.sameContext("cq", attr.cq().context(), pd.context());
            parents.add(attr.cq().nativeHandle());
        }
        return parents.toArray(NativeHandle[]::new);
    }

    private MemorySegment create(SrqInitAttr attr, MemorySegment init) {
        SrqInitAttrCodec.write(attr, pd, init);
        boolean basic = type == SrqType.BASIC;
        return Check.notNull(
                basic ? "ibv_create_srq" : "ibv_create_srq_ex",
                basic
                        ? SharedReceiveVerbs.ibv_create_srq(pd.handle(), init)
                        : SharedReceiveVerbs.ibv_create_srq_ex(pd.context().handle(), init),
                errno ->
                        String.format(
                                        "%s, max_wr %d, max_sge %d",
                                        type, attr.maxWr(), attr.maxSge())
                                + (errno == Errno.ENOMEM ? "; " + MemlockLimit.explain(-1) : ""));
    }

    /**
     * The domain it was created in.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * What it serves.
     *
     * @return the type
     */
    public SrqType type() {
        return type;
    }

    /**
     * How many scatter elements a receive may have, which may be more than was asked for.
     *
     * @return in elements
     */
    public int maxSge() {
        return maxSge;
    }

    /**
     * The number by which messages over an extended reliable connection name it ({@link
     * SendWr#xrcRemoteSrqn}).
     *
     * @return the number
     * @throws io.github.verbs4j.types.UnsupportedVerbException it has none: it is not for XRC, or
     *     the device lacks it
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_get_srq_num
     */
    public int srqNum() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            Check.zero(
                    "ibv_get_srq_num",
                    handle.call(srq -> SharedReceiveVerbs.ibv_get_srq_num(srq, number)));
            return number.get(JAVA_INT, 0);
        }
    }

    /**
     * Asks the device for size and limit.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_srq
     */
    public SrqAttr query() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_srq_attr.allocate(arena);
            Check.zero(
                    "ibv_query_srq",
                    handle.call(srq -> SharedReceiveVerbs.ibv_query_srq(srq, attr)));
            return SrqAttr.queried(
                    ibv_srq_attr.max_wr(attr),
                    ibv_srq_attr.max_sge(attr),
                    ibv_srq_attr.srq_limit(attr));
        }
    }

    /**
     * Changes the size, arms the limit, or both.
     *
     * @param attr what to change
     * @throws IllegalArgumentException when the device allows no such size
     * @throws VerbsException EINVAL: more receives are outstanding, or the limit is above the size
     * @verbs.calls ibv_modify_srq
     */
    public void modify(SrqAttr attr) {
        if (attr.maxWr() != 0) {
            Check.range("maxWr", attr.maxWr(), 1, pd.context().attributes().maxSrqWr());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_srq_attr.allocate(arena);
            ibv_srq_attr.max_wr(struct, attr.maxWr());
            ibv_srq_attr.srq_limit(struct, attr.srqLimit());
            Check.zero(
                    "ibv_modify_srq",
                    handle.call(srq -> SharedReceiveVerbs.ibv_modify_srq(srq, struct, attr.mask())),
                    errno ->
                            errno == Errno.EINVAL
                                    ? "more receives are outstanding, or the limit is above the"
                                            + " size: "
                                            + attr
                                    : attr.toString());
        }
    }

    /**
     * Posts a receive request. Allocates nothing.
     *
     * @param wr the request
     * @throws PostException ENOMEM: the queue is full; EINVAL: an element the device does not take
     * @throws IllegalStateException when the queue is closed
     * @throws IllegalArgumentException when the request has too many elements, or they have 4 GiB
     *     together or more
     * @verbs.calls ibv_post_srq_recv
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
     * @verbs.calls ibv_post_srq_recv
     */
    public boolean tryPostRecv(RecvWr wr) {
        return receives.tryPost(wr);
    }

    /**
     * Posts a chain of receive requests by one call.
     *
     * @param wrs the requests
     * @throws PostException as {@link #postRecv(RecvWr)}; names the first one that was not posted,
     *     and those before it were
     * @verbs.calls ibv_post_srq_recv
     */
    public void postRecv(RecvWrArray wrs) {
        receives.post(wrs);
    }

    /**
     * Posts the first requests of a chain, as many as the queue has room for.
     *
     * @param wrs the requests
     * @param count how many of them, 1 to the chain's capacity
     * @return how many were posted
     * @throws PostException as {@link #postRecv(RecvWrArray)}, except ENOMEM
     * @verbs.calls ibv_post_srq_recv
     */
    public int tryPostRecv(RecvWrArray wrs, int count) {
        return receives.tryPost(wrs, count);
    }

    /**
     * Changes the list of tagged buffers, in order and by one call. Each request then says under
     * which {@linkplain OpsWr#handle() handle} the device keeps its buffer.
     *
     * @param ops the requests, each different
     * @throws PostException EINVAL: the device does not take the request; ENOMEM: too many are
     *     outstanding; names the first one that was not posted
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no tag matching
     * @throws IllegalStateException when the queue is closed, or has no tag matching
     * @verbs.calls ibv_post_srq_ops
     */
    public void postOps(OpsWr... ops) {
        if (type != SrqType.TM) {
            throw new IllegalStateException(this + " has no tag matching, it is of type " + type);
        }
        OpsWr.post(handle, ops);
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
     * The native {@code struct ibv_srq *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queue pairs that use the queue, newest first, and the queue. Receives that no
     * message took end without a completion.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_destroy_srq
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
