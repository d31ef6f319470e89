package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.GidTable;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.MainFriend;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Operations;
import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.CompCntrCaps;
import io.github.verbs4j.types.CompCntrType;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.EthL2;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.RtValues;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * An open device: C's {@code struct ibv_context}. Everything else is made from it, and closing it
 * closes everything made from it, newest first. Safe for any thread.
 */
public final class Context implements AutoCloseable {

    static {
        MainFriend.offer(new MainSupport());
    }

    private final Device device;
    private final NativeHandle handle;
    private final int numCompVectors;
    private final DeviceAttr attributes;
    private final ContextQueries queries;
    private final Provider provider;
    private final Operations operations;
    private final MemoryWindows windows = new MemoryWindows();
    private final AsyncEvents asyncEvents;

    /** Opened by librdmacm, which alone may close it. */
    private final boolean shared;

    Context(Device device, MemorySegment devicePointer) {
        this(
                device,
                () ->
                        Check.notNull(
                                "ibv_open_device",
                                DeviceVerbs.ibv_open_device(devicePointer),
                                errno -> device.name() + openingFailed(errno)));
    }

    private Context(Device device, Supplier<MemorySegment> opener) {
        this(
                device,
                NativeHandle.create(
                        "Context of " + device.name(),
                        opener,
                        pointer ->
                                Check.zero(
                                        "ibv_close_device", DeviceVerbs.ibv_close_device(pointer))),
                false);
        LeakDetector.watch(this, handle);
    }

    private Context(Device device, NativeHandle handle, boolean shared) {
        this.device = device;
        this.handle = handle;
        this.shared = shared;
        try {
            MemorySegment struct = Structs.view(handle.pointer(), ibv_context.sizeof());
            this.numCompVectors = ibv_context.num_comp_vectors(struct);
            this.operations = Operations.of(handle.pointer());
            this.asyncEvents = new AsyncEvents(handle);
            this.queries = new ContextQueries(handle);
            this.attributes = queries.device();
            this.provider = Provider.of(device.transportType(), attributes);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    /** A context that librdmacm opened and keeps open: nothing closes it. */
    static Context shared(MemorySegment pointer) {
        MemorySegment struct = Structs.view(pointer, ibv_context.sizeof());
        Device device = Device.describe(ibv_context.device(struct));
        NativeHandle handle =
                NativeHandle.create(
                        "Context of " + device.name() + " shared by librdmacm",
                        () -> struct,
                        kept -> {});
        return new Context(device, handle, true);
    }

    /**
     * Opens the device that another process has open, sharing its kernel objects: they can then be
     * imported by their handle numbers.
     *
     * @param cmdFd the other context's {@link #cmdFd}, duplicated into this process (by {@code
     *     SCM_RIGHTS} or {@code dup}); the context owns it from now on and closes it
     * @return the context; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot be imported, or
     *     rdma-core is older than 31
     * @throws VerbsException EBADF, EINVAL: the descriptor is not an RDMA device's
     * @verbs.calls ibv_import_device
     */
    public static Context importDevice(int cmdFd) {
        Check.range("cmdFd", cmdFd, 0, Integer.MAX_VALUE);
        MemorySegment imported =
                Check.notNull(
                        "ibv_import_device",
                        Check.present(() -> DeviceVerbs.ibv_import_device(cmdFd)));
        MemorySegment struct = Structs.view(imported, ibv_context.sizeof());
        return new Context(Device.describe(ibv_context.device(struct)), () -> imported);
    }

    private static String openingFailed(int errno) {
        return switch (errno) {
            case Errno.EACCES -> ": no permission on its node under /dev/infiniband";
            case Errno.EMFILE -> ": too many open files; a context needs two (ulimit -n)";
            default -> "";
        };
    }

    /**
     * The device that was opened.
     *
     * @return the device
     */
    public Device device() {
        return device;
    }

    /**
     * How many completion vectors (interrupts) the device offers, C's {@code num_comp_vectors}.
     *
     * @return at least 1
     */
    public int numCompVectors() {
        return numCompVectors;
    }

    /**
     * Asks the device for its attributes and limits.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_device
     */
    public DeviceAttr queryDevice() {
        return queries.device();
    }

    /**
     * Asks the device for its attributes and for what else it can do: on-demand paging, timestamps,
     * offloads, device memory.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_device_ex
     */
    public DeviceAttrEx queryDeviceEx() {
        return queries.deviceEx();
    }

    /**
     * Asks for the state of a port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the port's attributes
     * @throws IllegalArgumentException when there is no such port
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_port
     */
    public PortAttr queryPort(int port) {
        checkPort(port);
        return queries.port(port);
    }

    /**
     * Reads the GID tables of all ports.
     *
     * @return the entries in use, with their types and net devices
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public List<GidEntry> gidTable() {
        return queries.gidTable(attributes.physPortCnt());
    }

    /**
     * Reads the GID table of one port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the entries in use
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public List<GidEntry> gidTable(int port) {
        checkPort(port);
        return gidTable().stream().filter(entry -> entry.port() == port).toList();
    }

    /**
     * Reads one entry of a GID table.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param index its index
     * @return the entry
     * @throws VerbsException ENODATA: the slot is empty; EINVAL: no such index
     * @verbs.calls ibv_query_gid_ex
     */
    public GidEntry queryGid(int port, int index) {
        checkPort(port);
        return handle.within(context -> GidTable.query(context, port, index));
    }

    /**
     * Picks the GID that peers most likely reach each other by: RoCE v2 on an IPv4 address, else
     * RoCE v2 on a routable IPv6 address, else RoCE v2, else the first. Which index that is differs
     * from machine to machine, so it must not be written down anywhere.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the entry
     * @throws VerbsException ENODATA: the port has no GID
     * @verbs.calls ibv_query_gid_table
     */
    public GidEntry defaultGid(int port) {
        return GidTable.best(gidTable(port))
                .orElseThrow(
                        () ->
                                new VerbsException(
                                        "ibv_query_gid_table",
                                        Errno.ENODATA,
                                        "port "
                                                + port
                                                + " of "
                                                + device.name()
                                                + " has no GID; has its net device an address?"));
    }

    /**
     * Reads an entry of the partition key table.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param index 0 to {@link PortAttr#pkeyTblLen} − 1
     * @return the key, 16 bits, in host order; the highest bit means full membership
     * @throws VerbsException when there is no such entry
     * @verbs.calls ibv_query_pkey
     */
    public int queryPkey(int port, int index) {
        checkPort(port);
        return queries.pkey(port, index);
    }

    /**
     * Finds a partition key in the table of a port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param pkey the key, 16 bits, in host order
     * @return its index, or empty when the table does not have it
     * @verbs.calls ibv_get_pkey_index
     */
    public OptionalInt getPkeyIndex(int port, int pkey) {
        checkPort(port);
        Check.range("pkey", pkey, 0, 0xffff);
        return queries.pkeyIndex(port, pkey);
    }

    /**
     * Reads the device's clock, the one of completion timestamps.
     *
     * @return its value now
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot tell
     * @verbs.calls ibv_query_rt_values_ex
     */
    public RtValues queryRtValuesEx() {
        return queries.rtValues();
    }

    /**
     * Asks for the bandwidth that a port has now, of all its lanes and bonded links together.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return in units of 100 Mbit/s
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot tell, or rdma-core
     *     is older than 62
     * @verbs.calls ibv_query_port_speed
     */
    public long queryPortSpeed(int port) {
        checkPort(port);
        return queries.portSpeed(port);
    }

    /**
     * Allocates a thread domain.
     *
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @verbs.calls ibv_alloc_td
     */
    public ThreadDomain allocTd() {
        return new ThreadDomain(this);
    }

    /**
     * Allocates a domain over another one.
     *
     * @param pd the domain whose regions it shares
     * @param td lets objects made in it leave out their locks, or null
     * @return the domain; close it
     * @throws IllegalArgumentException when a domain belongs to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @verbs.calls ibv_alloc_parent_domain
     */
    public ParentDomain allocParentDomain(ProtectionDomain pd, ThreadDomain td) {
        return new ParentDomain(this, pd, td, 0);
    }

    /**
     * Allocates a domain over another one, whose {@link ProviderBuffer}s may be memory that a
     * confidential guest shares with its host, where the device could not reach any other without
     * copying ({@code CC_DMA_BOUNCE}).
     *
     * @param pd the domain whose regions it shares
     * @param td lets objects made in it leave out their locks, or null
     * @return the domain; close it
     * @throws IllegalArgumentException when a domain belongs to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 64
     * @verbs.calls ibv_alloc_parent_domain
     */
    public ParentDomain allocUnprotectedParentDomain(ProtectionDomain pd, ThreadDomain td) {
        return ParentDomain.unprotected(this, pd, td);
    }

    /**
     * Allocates memory of the device.
     *
     * @param length in bytes, 1 or more
     * @param logAlignReq alignment that its address shall have: a power of two, given by its
     *     exponent
     * @return the memory; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @throws VerbsException ENOMEM: the device has not as much left, see {@link
     *     DeviceAttrEx#maxDmSize}; EINVAL: an alignment it cannot give
     * @verbs.calls ibv_alloc_dm
     */
    public DeviceMemory allocDm(long length, int logAlignReq) {
        return new DeviceMemory(this, length, logAlignReq);
    }

    /**
     * Allocates hints for the transfers to and from memory.
     *
     * @param attr the hints
     * @return the handle; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device takes no hints, or
     *     rdma-core is older than 59
     * @throws VerbsException EINVAL: a hint that the device does not take
     * @verbs.calls ibv_alloc_dmah
     */
    public DmaHandle allocDmah(DmahInitAttr attr) {
        return new DmaHandle(this, attr);
    }

    /**
     * Asks what completion counters can count.
     *
     * @return the limits
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 65
     * @verbs.calls ibv_query_comp_cntr_caps
     */
    public CompCntrCaps queryCompCntrCaps() {
        return queries.compCntrCaps();
    }

    /**
     * Creates a counter of completions, at 0.
     *
     * @param type whether it counts requests or bytes
     * @return the counter; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 65
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_create_comp_cntr
     */
    public CompletionCounter createCompCntr(CompCntrType type) {
        return new CompletionCounter(this, type);
    }

    /**
     * Imports a domain of the context that this one shares its device with. Closing it leaves the
     * domain to its owner.
     *
     * @param pdHandle the owner's {@link ProtectionDomain#pdHandle}
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot, or rdma-core is
     *     older than 31
     * @throws VerbsException EINVAL, ENOENT: there is no such domain
     * @verbs.calls ibv_import_pd
     */
    public ProtectionDomain importPd(int pdHandle) {
        return ProtectionDomain.imported(this, pdHandle);
    }

    /**
     * Imports memory of the device that another process allocated. Closing it leaves the memory to
     * its owner.
     *
     * @param dmHandle the owner's {@link DeviceMemory#dmHandle}
     * @param length the owner's {@link DeviceMemory#length}, which the device does not tell
     * @return the memory; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot, or rdma-core is
     *     older than 35
     * @throws VerbsException EINVAL, ENOENT: there is no such memory
     * @verbs.calls ibv_import_dm
     */
    public DeviceMemory importDm(int dmHandle, long length) {
        return DeviceMemory.imported(this, dmHandle, length);
    }

    /**
     * The file descriptor of the device, to be duplicated for another process that shall share it,
     * see {@link #importDevice}.
     *
     * @return C's {@code context->cmd_fd}; it stays this context's
     */
    public int cmdFd() {
        return handle.within(
                context -> ibv_context.cmd_fd(Structs.view(context, ibv_context.sizeof())));
    }

    /**
     * The file descriptor that becomes readable when there is an asynchronous event, for a loop
     * that watches several; {@link #getAsyncEvent} reads the event.
     *
     * @return C's {@code context->async_fd}; it stays this context's
     */
    public int asyncFd() {
        return handle.within(
                context -> ibv_context.async_fd(Structs.view(context, ibv_context.sizeof())));
    }

    /**
     * Allocates a protection domain.
     *
     * @return the domain; close it
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_alloc_pd
     */
    public ProtectionDomain allocPd() {
        return new ProtectionDomain(this);
    }

    /**
     * Creates a completion queue that is polled.
     *
     * @param cqe room for so many completions at least: the sum of the depths of the queues that
     *     complete into it, or it may overflow
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq
     */
    public CompletionQueue createCq(int cqe) {
        return createCq(new CqInitAttr(cqe));
    }

    /**
     * Creates a completion queue.
     *
     * @param attr its size, channel and vector
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size or vector, or the
     *     channel is another context's
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq
     */
    public CompletionQueue createCq(CqInitAttr attr) {
        return new CompletionQueue(this, attr);
    }

    /**
     * Creates an extended completion queue, which has the fields that are asked for.
     *
     * @param attr its size, channel, vector and fields
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size or vector, or the
     *     channel is another context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device lacks a field or an
     *     option, or extended queues altogether; use {@link #createCq(CqInitAttr)} then
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq_ex, ibv_cq_ex_to_cq
     */
    public CompletionQueueEx createCqEx(CqInitAttrEx attr) {
        return new CompletionQueueEx(this, attr);
    }

    /**
     * Creates a completion channel, which wakes threads that wait for completions.
     *
     * @return the channel; close it
     * @throws VerbsException EMFILE: too many open files
     * @verbs.calls ibv_create_comp_channel
     */
    public CompletionChannel createCompChannel() {
        return new CompletionChannel(this);
    }

    /**
     * Waits for an asynchronous event: something happened to an object, a port or the device that
     * no completion tells. The event is acknowledged, so nothing waits for that when it closes. An
     * event of an object that is closed before anybody took it is kept. A virtual thread holds its
     * carrier for no longer than a look.
     *
     * @param timeout how long at most; zero only looks
     * @return the event, or null when there was none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the context is closed, also during the wait
     * @throws VerbsException when the device is gone
     * @verbs.calls ibv_get_async_event, ibv_ack_async_event
     */
    public AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException {
        return asyncEvents.get(timeout);
    }

    /**
     * Opens a domain of extended reliable connections that only this process has.
     *
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd() {
        return new XrcDomain(this, -1, XrcDomain.O_CREAT);
    }

    /**
     * Opens the domain of extended reliable connections that belongs to a file: processes that open
     * the same file share it.
     *
     * @param file a file that exists; what is in it does not matter
     * @param oflags {@link XrcDomain#O_CREAT}, {@link XrcDomain#O_EXCL}, or 0
     * @return the domain; close it
     * @throws IllegalArgumentException when there is another flag
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException ENOENT, EACCES: the file cannot be opened; EAGAIN: it has no domain,
     *     and O_CREAT is not set; EINVAL: it has one, and O_EXCL is set
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd(Path file, int oflags) {
        // The domain belongs to the file's inode, which the kernel holds from then on.
        int fd = Posix.open(file);
        try {
            return openXrcd(fd, oflags);
        } finally {
            Posix.close(fd);
        }
    }

    /**
     * Opens the domain of extended reliable connections that belongs to a file which is open.
     *
     * @param fd its descriptor
     * @param oflags {@link XrcDomain#O_CREAT}, {@link XrcDomain#O_EXCL}, or 0
     * @return the domain; close it
     * @throws IllegalArgumentException when there is another flag
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException as {@link #openXrcd(Path, int)}, and EBADF: it is not open
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd(int fd, int oflags) {
        return new XrcDomain(this, fd, oflags);
    }

    /**
     * Finds the address that answers a datagram.
     *
     * @param port the local port it came in by
     * @param wc holds the completion of its receive
     * @param index which of them, 0 to {@link WcArray#count} − 1
     * @param grh the first 40 bytes of the receive buffer; counts when the completion has the flag
     *     GRH
     * @return the address, for {@link ProtectionDomain#createAh}
     * @throws IllegalArgumentException when there is no such port, or too few bytes
     * @throws IllegalStateException when the receive failed
     * @throws VerbsException ENOENT: no GID of the port is the datagram's destination
     * @verbs.calls ibv_init_ah_from_wc
     */
    public AhAttr initAhFromWc(int port, WcArray wc, int index, MemorySegment grh) {
        return Addressing.initFromWc(this, port, wc, index, grh);
    }

    /**
     * Finds the Ethernet address that packets to a destination are sent to.
     *
     * @param attr the destination
     * @return its MAC and VLAN
     * @throws IllegalArgumentException when there is no such port
     * @throws VerbsException when the destination cannot be reached
     * @verbs.calls ibv_resolve_eth_l2_from_gid
     */
    public EthL2 resolveEthL2FromGid(AhAttr attr) {
        return Addressing.resolve(this, attr);
    }

    /**
     * Tells whether the context has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_context *}, for verbs that this library does not type. Nothing
     * keeps it alive but this object.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes everything made from this context, newest first, and the device. The context of a
     * connection ({@code cm.CmId}) is shared by all connections on the device: closing it does
     * nothing.
     *
     * @throws VerbsException when the library reports a failure
     * @verbs.calls ibv_close_device
     */
    @Override
    public void close() {
        if (!shared) {
            handle.close();
            asyncEvents.reportUnread();
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    void checkPort(int port) {
        // The kernel truncates the number to 8 bits: 257 would be port 1.
        Check.range("port", port, 1, attributes.physPortCnt());
    }

    NativeHandle nativeHandle() {
        return handle;
    }

    /** The attributes as they were when the device was opened: its limits do not change. */
    DeviceAttr attributes() {
        return attributes;
    }

    AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    MemoryWindows windows() {
        return windows;
    }

    Provider provider() {
        return provider;
    }

    Operations operations() {
        return operations;
    }
}
