package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.NewerStructs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.CompCntrType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * Counts completions of queue pairs without a completion each: C's {@code struct ibv_comp_cntr}.
 * {@link QueuePair#attachCompCntr} says what of which queue pair. There are two counts, of what
 * succeeded and of what failed. A changed value may take a moment to be read back. Needs rdma-core
 * 65. Safe for any thread.
 */
public final class CompletionCounter implements AutoCloseable {

    private interface Read {
        int from(MemorySegment counter, MemorySegment value);
    }

    private interface Change {
        int of(MemorySegment counter, long value);
    }

    private final Context context;
    private final NativeHandle handle;

    CompletionCounter(Context context, CompCntrType type) {
        Objects.requireNonNull(type, "type");
        this.context = context;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = NewerStructs.comp_cntr_init_attr(arena, 0, type.value(), 0);
            this.handle =
                    NativeHandle.create(
                            "CompletionCounter",
                            () ->
                                    Check.notNull(
                                            "ibv_create_comp_cntr",
                                            context.nativeHandle()
                                                    .within(
                                                            device ->
                                                                    CompletionVerbs
                                                                            .ibv_create_comp_cntr(
                                                                                    device, attr)),
                                            errno -> "of " + type),
                            counter ->
                                    Check.zero(
                                            "ibv_destroy_comp_cntr",
                                            CompletionVerbs.ibv_destroy_comp_cntr(counter)),
                            context.nativeHandle());
        }
        LeakDetector.watch(this, handle);
    }

    void attach(NativeHandle qp, CompCntrOp... ops) {
        int mask = 0;
        for (CompCntrOp op : ops) {
            mask |= Objects.requireNonNull(op, "op").value();
        }
        if (mask == 0) {
            throw new IllegalArgumentException("no operation to count");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = NewerStructs.qp_attach_comp_cntr_attr(arena, 0, mask);
            handle.within(
                    counter -> {
                        Check.zero(
                                "ibv_qp_attach_comp_cntr",
                                qp.call(
                                        pointer ->
                                                CompletionVerbs.ibv_qp_attach_comp_cntr(
                                                        pointer, counter, attr)),
                                errno -> "to count " + Arrays.toString(ops));
                        // There is no way to detach but the end of the queue pair.
                        qp.join(handle);
                        return null;
                    });
        }
    }

    /**
     * Reads what succeeded.
     *
     * @return requests or bytes, unsigned
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_read_comp_cntr
     */
    public long read() {
        return read("ibv_read_comp_cntr", CompletionVerbs::ibv_read_comp_cntr);
    }

    /**
     * Reads what failed.
     *
     * @return requests or bytes, unsigned
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_read_err_comp_cntr
     */
    public long readErr() {
        return read("ibv_read_err_comp_cntr", CompletionVerbs::ibv_read_err_comp_cntr);
    }

    /**
     * Sets the count of what succeeded. What completes meanwhile may be lost.
     *
     * @param value the new count, unsigned
     * @throws VerbsException EINVAL: more than {@code CompCntrCaps.maxValue}
     * @verbs.calls ibv_set_comp_cntr
     */
    public void set(long value) {
        change("ibv_set_comp_cntr", CompletionVerbs::ibv_set_comp_cntr, value);
    }

    /**
     * Sets the count of what failed. What completes meanwhile may be lost.
     *
     * @param value the new count, unsigned
     * @throws VerbsException as {@link #set}
     * @verbs.calls ibv_set_err_comp_cntr
     */
    public void setErr(long value) {
        change("ibv_set_err_comp_cntr", CompletionVerbs::ibv_set_err_comp_cntr, value);
    }

    /**
     * Adds to the count of what succeeded.
     *
     * @param amount how much, unsigned
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_inc_comp_cntr
     */
    public void inc(long amount) {
        change("ibv_inc_comp_cntr", CompletionVerbs::ibv_inc_comp_cntr, amount);
    }

    /**
     * Adds to the count of what failed.
     *
     * @param amount how much, unsigned
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_inc_err_comp_cntr
     */
    public void incErr(long amount) {
        change("ibv_inc_err_comp_cntr", CompletionVerbs::ibv_inc_err_comp_cntr, amount);
    }

    private long read(String verb, Read read) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_LONG);
            Check.zero(verb, handle.call(counter -> read.from(counter, value)));
            return value.get(JAVA_LONG, 0);
        }
    }

    private void change(String verb, Change change, long value) {
        Check.zero(
                verb,
                handle.call(counter -> change.of(counter, value)),
                errno -> Long.toUnsignedString(value));
    }

    /**
     * The context it was created from.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Tells whether the counter has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_comp_cntr *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queue pairs it is attached to, newest first, and the counter.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_comp_cntr
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
