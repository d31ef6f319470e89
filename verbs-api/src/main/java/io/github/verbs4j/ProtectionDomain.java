package io.github.verbs4j;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.ibv_pd;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;

/**
 * A protection domain: C's {@code struct ibv_pd}. Queue pairs reach the memory regions of their own
 * domain only. Closing it closes what was made in it, newest first. Safe for any thread.
 */
public sealed class ProtectionDomain extends DomainMemory implements AutoCloseable
        permits ParentDomain {

    private final Context context;
    private final NativeHandle handle;

    /** The default domain of the connections on a device: stays while the process runs. */
    private final boolean shared;

    ProtectionDomain(Context context) {
        this(
                context,
                "ProtectionDomain",
                pointer -> Check.notNull("ibv_alloc_pd", MemoryVerbs.ibv_alloc_pd(pointer)),
                pointer -> Check.zero("ibv_dealloc_pd", MemoryVerbs.ibv_dealloc_pd(pointer)),
                context.nativeHandle());
    }

    ProtectionDomain(
            Context context,
            String name,
            UnaryOperator<MemorySegment> allocator,
            NativeHandle.Destroyer destroyer,
            NativeHandle... parents) {
        this(context, name, false, allocator, destroyer, parents);
    }

    private ProtectionDomain(
            Context context,
            String name,
            boolean shared,
            UnaryOperator<MemorySegment> allocator,
            NativeHandle.Destroyer destroyer,
            NativeHandle... parents) {
        this.context = context;
        this.shared = shared;
        this.handle =
                NativeHandle.create(
                        name,
                        () -> context.nativeHandle().within(allocator::apply),
                        destroyer,
                        parents);
        LeakDetector.watch(this, handle);
    }

    static ProtectionDomain shared(Context context) {
        return new ProtectionDomain(
                context,
                "ProtectionDomain shared by connections",
                true,
                pointer -> Check.notNull("ibv_alloc_pd", MemoryVerbs.ibv_alloc_pd(pointer)),
                pointer -> Check.zero("ibv_dealloc_pd", MemoryVerbs.ibv_dealloc_pd(pointer)),
                context.nativeHandle());
    }

    static ProtectionDomain imported(Context context, int pdHandle) {
        return new ProtectionDomain(
                context,
                "ProtectionDomain (imported)",
                pointer ->
                        Check.notNull(
                                "ibv_import_pd",
                                Check.present(() -> MemoryVerbs.ibv_import_pd(pointer, pdHandle))),
                MemoryVerbs::ibv_unimport_pd,
                context.nativeHandle());
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
     * The number by which another process can import the domain, see {@link Context#importPd}.
     *
     * @return C's {@code pd->handle}
     */
    public int pdHandle() {
        return handle.within(pd -> ibv_pd.handle(Structs.view(pd, ibv_pd.sizeof())));
    }

    /**
     * Allocates a memory window, which gives a peer a part of a region for a time.
     *
     * @param type which of the two types
     * @return the window; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no windows
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_alloc_mw
     */
    public MemoryWindow allocMw(MwType type) {
        return new MemoryWindow(this, type);
    }

    /**
     * Creates a queue pair, in state RESET.
     *
     * @param attr its type, completion queues and capabilities
     * @return the queue pair; close it
     * @throws IllegalArgumentException when a completion queue belongs to another context
     * @throws VerbsException EINVAL: a capability above the device's limit, which the message
     *     names; ENOMEM: not enough memory, or more than RLIMIT_MEMLOCK allows
     * @verbs.calls ibv_create_qp
     */
    public QueuePair createQp(QpInitAttr attr) {
        return new QueuePair(this, attr);
    }

    /**
     * Creates a shared receive queue.
     *
     * @param attr its type and size
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size, or an object belongs to
     *     another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no queues of the type
     * @throws VerbsException EINVAL; ENOMEM: not enough memory, or more than RLIMIT_MEMLOCK allows
     * @verbs.calls ibv_create_srq, ibv_create_srq_ex
     */
    public SharedReceiveQueue createSrq(SrqInitAttr attr) {
        return new SharedReceiveQueue(this, attr);
    }

    /**
     * Creates an address handle.
     *
     * @param attr the destination
     * @return the handle; close it
     * @throws IllegalArgumentException when there is no such port
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no datagrams
     * @throws VerbsException EINVAL: no global route on RoCE, or GIDs of two families, or too many
     *     handles; ENODATA: the GID index is empty; ETIMEDOUT, ENETUNREACH: the destination does
     *     not answer
     * @verbs.calls ibv_create_ah
     */
    public AddressHandle createAh(AhAttr attr) {
        return Addressing.create(this, attr);
    }

    /**
     * Creates the address handle that answers a datagram.
     *
     * @param wc holds the completion of its receive
     * @param index which of them, 0 to {@link WcArray#count} − 1
     * @param grh the first 40 bytes of the receive buffer; counts when the completion has the flag
     *     GRH
     * @param port the local port it came in by
     * @return the handle; close it
     * @throws IllegalArgumentException when there is no such port, or too few bytes
     * @throws IllegalStateException when the receive failed
     * @throws VerbsException when no GID of the port is the datagram's destination, or as {@link
     *     #createAh}
     * @verbs.calls ibv_create_ah_from_wc
     */
    public AddressHandle createAhFromWc(WcArray wc, int index, MemorySegment grh, int port) {
        return Addressing.createFromWc(this, wc, index, grh, port);
    }

    /**
     * Creates an extended queue pair, in state RESET.
     *
     * @param attr its type, completion queues, capabilities and extensions
     * @return the queue pair; close it
     * @throws IllegalArgumentException when a completion queue belongs to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device lacks an operation or a
     *     feature, or extended queue pairs altogether; use {@link #createQp} then
     * @throws VerbsException EINVAL: a capability above the device's limit, which the message
     *     names; ENOMEM: not enough memory, or more than RLIMIT_MEMLOCK allows
     * @verbs.calls ibv_create_qp_ex, ibv_qp_to_qp_ex
     */
    public QueuePairEx createQpEx(QpInitAttrEx attr) {
        return new QueuePairEx(this, attr);
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
     * The native {@code struct ibv_pd *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes what was made in the domain, newest first, and the domain. An imported domain is left
     * to its owner. The default domain of the connections on a device ({@code cm.CmId}) is shared
     * by them all: closing it does nothing.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_dealloc_pd, ibv_unimport_pd
     */
    @Override
    public void close() {
        if (!shared) {
            handle.close();
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
