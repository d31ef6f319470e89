package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.MainFriend;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Operations;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.SiwMappings;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * An open device: C's {@code struct ibv_context}. Everything else is made from it, and closing it
 * closes everything made from it, newest first. Safe for any thread.
 */
public final class Context extends ContextObjects implements AutoCloseable {

    static {
        MainFriend.offer(new MainSupport());
    }

    private final Device device;
    private final NativeHandle handle;
    private final int numCompVectors;
    private final DeviceAttr attributes;
    private final Provider provider;
    private final Operations operations;
    private final MemoryWindows windows;
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
        this(device, opener, new SiwMappings());
    }

    private Context(Device device, Supplier<MemorySegment> opener, SiwMappings mappings) {
        this(
                device,
                NativeHandle.create(
                        "Context of " + device.name(),
                        opener,
                        pointer -> {
                            mappings.release();
                            Check.zero("ibv_close_device", DeviceVerbs.ibv_close_device(pointer));
                        }),
                mappings,
                false);
        LeakDetector.watch(this, handle);
    }

    private Context(Device device, NativeHandle handle, SiwMappings mappings, boolean shared) {
        this.device = device;
        this.handle = handle;
        this.shared = shared;
        this.windows = new MemoryWindows(handle);
        try {
            MemorySegment struct = Structs.view(handle.pointer(), ibv_context.sizeof());
            this.numCompVectors = ibv_context.num_comp_vectors(struct);
            this.operations = Operations.of(handle.pointer());
            this.asyncEvents = new AsyncEvents(handle);
            this.attributes = queryDevice();
            this.provider = Provider.of(device.transportType(), attributes);
            if (provider == Provider.SIW) {
                mappings.prepare(handle.pointer());
            }
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
        return new Context(device, handle, new SiwMappings(), true);
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

    @Override
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

    @Override
    NativeHandle nativeHandle() {
        return handle;
    }

    @Override
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
