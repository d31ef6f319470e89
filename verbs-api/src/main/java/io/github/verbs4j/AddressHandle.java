package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * Where datagrams go: C's {@code struct ibv_ah}. Requests of a UD queue pair name one ({@link
 * SendWr#ud}), and so do those of a DC initiator ({@link SendBatch#setDcAddr}). Keep it open until
 * they have completed: some devices look at it only when a request goes out (Soft-RoCE does), and
 * fail the request with {@code LOC_QP_OP_ERR}, and with it the queue pair, when it is gone. Safe
 * for any thread.
 */
public final class AddressHandle implements AutoCloseable {

    private final ProtectionDomain pd;
    private final NativeHandle handle;

    /**
     * A handle.
     *
     * @param pd its domain
     * @param creator makes the native handle of the native domain
     */
    AddressHandle(ProtectionDomain pd, Function<MemorySegment, MemorySegment> creator) {
        this.pd = pd;
        this.handle =
                NativeHandle.create(
                        "AddressHandle",
                        () -> creator.apply(pd.handle()),
                        pointer ->
                                Check.zero(
                                        "ibv_destroy_ah", QueuePairVerbs.ibv_destroy_ah(pointer)),
                        pd.nativeHandle());
        LeakDetector.watch(this, handle);
    }

    /**
     * The domain it was created in; queue pairs of other domains cannot use it.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Tells whether the handle has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_ah *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Destroys the handle. Requests that name it must have completed.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_ah
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
