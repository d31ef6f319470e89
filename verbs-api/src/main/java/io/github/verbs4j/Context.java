package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DeviceAttrCodec;
import io.github.verbs4j.internal.DeviceAttrExCodec;
import io.github.verbs4j.internal.GidTable;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.Operations;
import io.github.verbs4j.internal.PortAttrCodec;
import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.EthL2;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * An open device: C's {@code struct ibv_context}. Everything else is made from it, and closing it
 * closes everything made from it, newest first. Safe for any thread.
 */
public final class Context implements AutoCloseable {

    private final Device device;
    private final NativeHandle handle;
    private final int numCompVectors;
    private final DeviceAttr attributes;
    private final Provider provider;
    private final Operations operations;
    private final MemoryWindows windows = new MemoryWindows();
    private final AsyncEvents asyncEvents;

    Context(Device device, MemorySegment devicePointer) {
        this.device = device;
        this.handle =
                NativeHandle.create(
                        "Context of " + device.name(),
                        () ->
                                Check.notNull(
                                        "ibv_open_device",
                                        DeviceVerbs.ibv_open_device(devicePointer),
                                        errno -> device.name() + openingFailed(errno)),
                        pointer ->
                                Check.zero(
                                        "ibv_close_device", DeviceVerbs.ibv_close_device(pointer)));
        try {
            MemorySegment struct = Structs.view(handle.pointer(), ibv_context.sizeof());
            this.numCompVectors = ibv_context.num_comp_vectors(struct);
            this.operations = Operations.of(handle.pointer());
            this.asyncEvents = new AsyncEvents(handle);
            this.attributes = queryDevice();
            this.provider = Provider.of(device.transportType(), attributes);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
        LeakDetector.watch(this, handle);
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
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr.allocate(arena);
            Check.zero(
                    "ibv_query_device",
                    handle.call(context -> DeviceVerbs.ibv_query_device(context, attr)));
            return DeviceAttrCodec.read(attr);
        }
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
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr_ex.allocate(arena);
            Check.zero(
                    "ibv_query_device_ex",
                    handle.call(
                            context ->
                                    DeviceVerbs.ibv_query_device_ex(
                                            context, MemorySegment.NULL, attr)));
            return DeviceAttrExCodec.read(attr);
        }
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
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_port_attr.allocate(arena);
            Check.zero(
                    "ibv_query_port",
                    handle.call(context -> DeviceVerbs.ibv_query_port(context, (byte) port, attr)),
                    errno -> "port " + port);
            return PortAttrCodec.read(attr);
        }
    }

    /**
     * Reads the GID tables of all ports.
     *
     * @return the entries in use, with their types and net devices
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public List<GidEntry> gidTable() {
        int slots = 0;
        for (int port = 1; port <= attributes.physPortCnt(); port++) {
            slots += queryPort(port).gidTblLen();
        }
        int capacity = slots;
        return handle.within(context -> GidTable.read(context, capacity));
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
        return gidTable(port).stream()
                .min((a, b) -> Integer.compare(rank(a), rank(b)))
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

    private static int rank(GidEntry entry) {
        Gid gid = entry.gid();
        if (entry.type() != GidType.ROCE_V2) {
            return 3;
        }
        return gid.isIpv4Mapped() ? 0 : gid.isLinkLocal() ? 2 : 1;
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
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(JAVA_SHORT);
            Check.notMinusOne(
                    "ibv_query_pkey",
                    handle.call(
                            context ->
                                    DeviceVerbs.ibv_query_pkey(context, (byte) port, index, pkey)));
            return Short.toUnsignedInt(NetworkOrder.toHost(pkey.get(JAVA_SHORT, 0)));
        }
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
     * Closes everything made from this context, newest first, and the device.
     *
     * @throws VerbsException when the library reports a failure
     * @verbs.calls ibv_close_device
     */
    @Override
    public void close() {
        handle.close();
        asyncEvents.reportUnread();
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
