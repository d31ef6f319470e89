package io.github.verbs4j.cm;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.internal.NativeHandle;
import java.lang.foreign.MemorySegment;

/** What an id is, and how far it has come: a part of {@link CmId}. */
abstract sealed class CmIdState permits CmIdSettings {

    final IdCore core;

    CmIdState(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        handle.acquire(); // or else the channel has closed meanwhile, and this with it
        try {
            this.core = new IdCore(self(), channel, ps, state, handle);
            CmIds.add(core.address(), self());
        } finally {
            handle.release();
        }
    }

    /** The only class that is one. */
    private CmId self() {
        return (CmId) this;
    }

    /** It waits for an event: nobody else may refer to it meanwhile. */
    final void pin() {
        nativeHandle()
                .within(
                        pointer -> {
                            CmIds.pin(self());
                            return null;
                        });
    }

    /** {@return where its ports are counted, and what it connects} */
    public PortSpace ps() {
        return core.ps();
    }

    /** {@return how far it has come, as of the last event taken} */
    public CmState state() {
        return core.state();
    }

    /** {@return the channel that reports its events} */
    public EventChannel channel() {
        return core.channel();
    }

    /** {@return its queue pair, or null when it has none} */
    public QueuePair qp() {
        return core.qp();
    }

    /**
     * The context of the device that it uses: shared by all ids on the device, one of {@link
     * CmDevices#list}. Completion queues and domains for its queue pair must come from it.
     *
     * @return the context, or null before the id has a device
     */
    public Context context() {
        return core.context();
    }

    /**
     * The default domain of its device, see {@link CmDevices#defaultPd}.
     *
     * @return the domain
     * @throws IllegalStateException when the id has no device yet
     * @verbs.calls ibv_alloc_pd
     */
    public ProtectionDomain pd() {
        core.requireDevice("The default domain");
        return SharedContexts.defaultPd(context());
    }

    /**
     * The port of the device that it uses.
     *
     * @return from 1, or 0 before the id has a device
     */
    public int portNum() {
        return nativeHandle()
                .within(id -> Byte.toUnsignedInt(rdma_cm_id.port_num(IdCore.view(id))));
    }

    /**
     * Tells whether the id has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return nativeHandle().isOpen();
    }

    /**
     * The native {@code struct rdma_cm_id *}, for calls that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return nativeHandle().pointer();
    }

    @Override
    public String toString() {
        return nativeHandle() + "[" + ps() + ", " + state() + "]";
    }

    NativeHandle nativeHandle() {
        return core.handle();
    }

    IdCore core() {
        return core;
    }
}
