package io.github.verbs4j.steering;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.Context;
import io.github.verbs4j.ffi.CounterVerbs;
import io.github.verbs4j.ffi.ibv_counter_attach_attr;
import io.github.verbs4j.ffi.ibv_counters_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Counters of packets or bytes: C's {@code struct ibv_counters}. First each index is told what it
 * counts; then a flow is created with {@link FlowSpec.ActionCount}. Values only grow. Safe for any
 * thread.
 */
public final class Counters implements AutoCloseable {

    private static final int MAX_READ = 1 << 16;

    private final Context context;
    private final NativeHandle handle;

    private Counters(Context context) {
        NativeHandle parent = Friend.handleOf(context, "context");
        this.context = context;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_counters_init_attr.allocate(arena);
            this.handle =
                    NativeHandle.create(
                            "Counters",
                            () ->
                                    parent.within(
                                            pointer ->
                                                    Check.notNull(
                                                            "ibv_create_counters",
                                                            CounterVerbs.ibv_create_counters(
                                                                    pointer, attr))),
                            pointer ->
                                    Check.zero(
                                            "ibv_destroy_counters",
                                            CounterVerbs.ibv_destroy_counters(pointer)),
                            parent);
        }
        LeakDetector.watch(this, handle);
    }

    /**
     * Creates counters, all 0.
     *
     * @param context the device
     * @return the counters; close them
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @throws VerbsException ENOMEM
     * @verbs.calls ibv_create_counters
     */
    public static Counters create(Context context) {
        return new Counters(context);
    }

    /**
     * Says what an index counts, for flows that are created afterwards.
     *
     * @param what packets or bytes
     * @param index where {@link #read} tells the value
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device does not count this
     * @throws VerbsException EBUSY: a flow uses the counters already
     * @verbs.calls ibv_attach_counters_point_flow
     */
    public void attach(CounterDescription what, int index) {
        attach(what, index, MemorySegment.NULL);
    }

    /**
     * Has an index count for a flow that exists. Several attached to one index add up.
     *
     * @param what packets or bytes
     * @param index where {@link #read} tells the value
     * @param flow the flow, of the same context
     * @throws IllegalArgumentException when the flow is another context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device does not count this, or
     *     not for flows that exist
     * @throws VerbsException EINVAL
     * @verbs.calls ibv_attach_counters_point_flow
     */
    public void attach(CounterDescription what, int index, Flow flow) {
        Check.sameContext("flow", flow.context(), context);
        flow.nativeHandle()
                .within(
                        pointer -> {
                            attach(what, index, pointer);
                            // The flow uses the counters from now on, so it must end first.
                            handle.adopt(flow.nativeHandle());
                            return null;
                        });
    }

    private void attach(CounterDescription what, int index, MemorySegment flow) {
        Objects.requireNonNull(what, "what");
        Check.range("index", index, 0, Integer.MAX_VALUE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_counter_attach_attr.allocate(arena);
            ibv_counter_attach_attr.counter_desc(attr, what.value());
            ibv_counter_attach_attr.index(attr, index);
            Check.zero(
                    "ibv_attach_counters_point_flow",
                    handle.call(
                            counters ->
                                    CounterVerbs.ibv_attach_counters_point_flow(
                                            counters, attr, flow)),
                    errno -> what + " at index " + index);
        }
    }

    /**
     * Reads the values.
     *
     * @param count how many, from index 0
     * @param preferCached true to take what the driver has read lately, if it has
     * @return the values, unsigned
     * @throws VerbsException EINVAL: more than are attached
     * @verbs.calls ibv_read_counters
     */
    public long[] read(int count, boolean preferCached) {
        Check.range("count", count, 1, MAX_READ);
        int flags = preferCached ? verbs_h.IBV_READ_COUNTERS_ATTR_PREFER_CACHED() : 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(JAVA_LONG, count);
            Check.zero(
                    "ibv_read_counters",
                    handle.call(
                            counters ->
                                    CounterVerbs.ibv_read_counters(counters, values, count, flags)),
                    errno -> count + " values");
            return values.toArray(JAVA_LONG);
        }
    }

    /**
     * The context they belong to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Tells whether the counters have been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_counters *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the flows that use the counters, newest first, and the counters.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_counters
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
