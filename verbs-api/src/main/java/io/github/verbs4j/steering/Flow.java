package io.github.verbs4j.steering;

import io.github.verbs4j.Context;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.ffi.SteeringVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A rule that brings packets to a queue pair: C's {@code struct ibv_flow}. It works as long as it
 * is open. Safe for any thread.
 */
public final class Flow implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;

    private Flow(Context context, NativeHandle qp, FlowAttr attr) {
        this.context = context;
        Objects.requireNonNull(attr, "attr");
        Check.range("port", attr.port(), 1, context.queryDevice().physPortCnt());
        Set<NativeHandle> parents = new LinkedHashSet<>();
        parents.add(qp);
        for (FlowSpec spec : attr.specs()) {
            switch (spec) {
                case FlowSpec.ActionHandle action -> {
                    Check.sameContext("action", action.action().context(), context);
                    parents.add(action.action().nativeHandle());
                }
                case FlowSpec.ActionCount count -> {
                    Check.sameContext("counters", count.counters().context(), context);
                    parents.add(count.counters().nativeHandle());
                }
                default -> {}
            }
        }
        this.handle =
                NativeHandle.create(
                        "Flow",
                        () -> create(qp, attr),
                        pointer ->
                                Check.zero(
                                        "ibv_destroy_flow",
                                        SteeringVerbs.ibv_destroy_flow(pointer)),
                        parents.toArray(NativeHandle[]::new));
        LeakDetector.watch(this, handle);
    }

    private static MemorySegment create(NativeHandle qp, FlowAttr attr) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = attr.encode(arena);
            return Check.notNull(
                    "ibv_create_flow",
                    qp.within(pointer -> SteeringVerbs.ibv_create_flow(pointer, encoded)),
                    errno -> attr.specs().isEmpty() ? "" : attr.specs().toString());
        }
    }

    /**
     * Brings packets to a queue pair.
     *
     * @param qp the queue pair: raw packet, or UD
     * @param attr which packets, and what is done with them
     * @return the flow; close it
     * @throws IllegalArgumentException when there is no such port, or an action or counters belong
     *     to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot steer
     * @throws VerbsException EINVAL: a specification or an order of them that the device lacks;
     *     EPERM: needs CAP_NET_RAW; ENOMEM, EBUSY: the device has no more, or such a flow exists
     * @verbs.calls ibv_query_device, ibv_create_flow
     */
    public static Flow create(QueuePair qp, FlowAttr attr) {
        return new Flow(qp.context(), Friend.handleOf(qp, "qp"), attr);
    }

    /**
     * Brings packets to a queue pair that distributes them by a hash.
     *
     * @param qp the queue pair
     * @param attr which packets, and what is done with them
     * @return the flow; close it
     * @throws IllegalArgumentException as {@link #create(QueuePair, FlowAttr)}
     * @throws VerbsException as {@link #create(QueuePair, FlowAttr)}
     * @verbs.calls ibv_query_device, ibv_create_flow
     */
    public static Flow create(RssQueuePair qp, FlowAttr attr) {
        return new Flow(qp.context(), qp.nativeHandle(), attr);
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
     * Tells whether the flow has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_flow *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Ends the flow.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_flow
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
