package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.MissingSymbolException;
import io.github.verbs4j.ffi.NativeLibraryMissingException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one native verbs object: who its parents and children are, which calls are inside it,
 * and how it ends.
 *
 * <p>The public classes each own one. It is kept apart from them so that a parent can hold its
 * children's native objects without keeping the Java objects reachable: an object that its user
 * dropped is then noticed and reported, and yet destroyed in the right order when its parent
 * closes.
 *
 * <p>Any thread may call any method. A call into native code is bracketed by {@link #acquire} and
 * {@link #release}; {@link #close} refuses new calls first, waits for those inside, and only then
 * destroys. That costs two atomic additions a call, and makes use after close, and close during
 * use, exceptions instead of crashes. A thread that catches a StackOverflowError from in between
 * may not have been counted out: {@link #close} then waits for ever.
 */
public final class NativeHandle {

    /** Destroys a native object; throws when the native call reports a failure. */
    @FunctionalInterface
    public interface Destroyer {
        /**
         * Destroys the object.
         *
         * @param pointer the native object
         */
        void destroy(MemorySegment pointer);
    }

    private static final Logger LOG = LoggerFactory.getLogger("io.github.verbs4j.lifecycle");

    private static final long CLOSED = Long.MIN_VALUE;

    /** Counts a call that passes a gate, above the 32 bits that count all calls. */
    private static final long GATED = 1L << 32;

    private static final long GATED_CALL = GATED + 1;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(NativeHandle.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Open objects without a parent. Everything open hangs on one of them, so no Java object that a
     * device depends on (a registered buffer above all) is collected because its user lost it.
     */
    private static final Set<NativeHandle> ROOTS = ConcurrentHashMap.newKeySet();

    private final String name;
    private final MemorySegment pointer;
    private final long address;
    private final Destroyer destroyer;
    private final List<NativeHandle> parents;
    private final LinkedHashSet<NativeHandle> children = new LinkedHashSet<>();

    /** Calls inside, those of them that are gated, and {@link #CLOSED} once closing has begun. */
    @SuppressWarnings("unused") // through STATE
    private volatile long state;

    private final Object closeLock = new Object();
    private boolean destroyed;

    private NativeHandle(
            String name, MemorySegment pointer, Destroyer destroyer, List<NativeHandle> parents) {
        this.name = name;
        this.pointer = pointer;
        this.address = pointer.address();
        this.destroyer = destroyer;
        this.parents = parents;
    }

    /**
     * Creates a native object under its parents.
     *
     * @param name what to call it in messages
     * @param creator makes the native object; the parents stay open while it runs
     * @param destroyer ends it
     * @param parents the handles that must outlive it
     * @return the handle
     * @throws IllegalStateException when a parent is closed
     */
    public static NativeHandle create(
            String name,
            Supplier<MemorySegment> creator,
            Destroyer destroyer,
            NativeHandle... parents) {
        int acquired = 0;
        try {
            for (; acquired < parents.length; acquired++) {
                parents[acquired].acquire();
            }
            NativeHandle handle =
                    new NativeHandle(
                            name,
                            Check.present(creator),
                            destroyer,
                            new CopyOnWriteArrayList<>(parents));
            for (NativeHandle parent : parents) {
                parent.adopt(handle);
            }
            if (parents.length == 0) {
                ROOTS.add(handle);
            }
            LOG.debug("opened {}", handle);
            return handle;
        } finally {
            while (--acquired >= 0) {
                parents[acquired].release();
            }
        }
    }

    /**
     * Makes another open object a child: closing this one closes it first. Used by {@link #create},
     * and for ties that come and go, as that of a memory window to what it is bound to.
     *
     * @param child the object to close before this one
     */
    public void adopt(NativeHandle child) {
        synchronized (children) {
            children.add(child);
        }
    }

    /**
     * Undoes {@link #adopt}.
     *
     * @param child the former child
     */
    public void disown(NativeHandle child) {
        synchronized (children) {
            children.remove(child);
        }
    }

    /**
     * Moves the object from one parent to another.
     *
     * @param from the former parent
     * @param to the new one, entered by the caller
     */
    public void reparent(NativeHandle from, NativeHandle to) {
        to.adopt(this);
        parents.replaceAll(parent -> parent == from ? to : parent);
        from.disown(this);
        if (!isOpen()) {
            // Closed meanwhile, perhaps before the new parent was among those to tell.
            to.disown(this);
        }
    }

    /**
     * Puts the object under one more parent, for a tie that lasts until the object ends.
     *
     * @param parent the parent, entered by the caller
     */
    public void join(NativeHandle parent) {
        parent.adopt(this);
        parents.add(parent);
        if (!isOpen()) {
            // Closed meanwhile, perhaps before the new parent was among those to tell.
            parent.disown(this);
        }
    }

    /**
     * Enters the object: it stays alive until {@link #release}.
     *
     * @return the native object
     * @throws IllegalStateException when it is closed
     */
    public MemorySegment acquire() {
        if ((long) STATE.getAndAdd(this, 1L) < 0) {
            release();
            throw closed();
        }
        return pointer;
    }

    /**
     * Enters the object, for the data path, which needs no more than the address.
     *
     * @return the address of the native object
     * @throws IllegalStateException when it is closed
     */
    public long enter() {
        acquire();
        return address;
    }

    /** Leaves the object. */
    public void release() {
        STATE.getAndAdd(this, -1L);
    }

    /**
     * Enters the object with a call that its owner can make turn back before it enters, and wait
     * for ({@link #awaitGated}). It stays alive until {@link #leaveGate}.
     *
     * @return the address of the native object
     * @throws IllegalStateException when it is closed
     */
    public long enterGate() {
        if ((long) STATE.getAndAdd(this, GATED_CALL) < 0) {
            leaveGate();
            throw closed();
        }
        return address;
    }

    /** Leaves the object after {@link #enterGate}. */
    public void leaveGate() {
        STATE.getAndAdd(this, -GATED_CALL);
    }

    /**
     * Runs a verb inside the object.
     *
     * @param verb the native call
     * @return what it returned
     * @throws IllegalStateException when the object is closed
     */
    public int call(ToIntFunction<MemorySegment> verb) {
        MemorySegment entered = acquire();
        try {
            return verb.applyAsInt(entered);
        } catch (MissingSymbolException | NativeLibraryMissingException e) {
            throw Check.missing(e);
        } finally {
            release();
        }
    }

    /**
     * Runs a piece of code inside the object.
     *
     * @param <T> what it makes
     * @param code the code
     * @return what it made
     * @throws IllegalStateException when the object is closed
     */
    public <T> T within(Function<MemorySegment, T> code) {
        MemorySegment entered = acquire();
        try {
            return code.apply(entered);
        } catch (MissingSymbolException | NativeLibraryMissingException e) {
            throw Check.missing(e);
        } finally {
            release();
        }
    }

    /**
     * Tells whether the object can be used.
     *
     * @return false once closing has begun
     */
    public boolean isOpen() {
        return state >= 0;
    }

    /**
     * The native object, for the escape hatch and for comparisons; nothing keeps it alive.
     *
     * @return the native object
     * @throws IllegalStateException when it is closed
     */
    public MemorySegment pointer() {
        if (!isOpen()) {
            throw closed();
        }
        return pointer;
    }

    /**
     * The native object, also while it is closing: for the closing of its children.
     *
     * @return the native object
     */
    public MemorySegment rawPointer() {
        return pointer;
    }

    private IllegalStateException closed() {
        return new IllegalStateException(name + " is closed");
    }

    /**
     * Closes what is still open below, newest first, then destroys the object. Once: a second call
     * waits for the first to end and does nothing.
     *
     * @throws RuntimeException the first failure, after everything was tried; later ones are
     *     suppressed in it. The object counts as closed all the same.
     */
    public void close() {
        synchronized (closeLock) {
            if (destroyed) {
                return;
            }
            STATE.getAndBitwiseOr(this, CLOSED);
            await(CLOSED, ~0L);
            RuntimeException failure = closeChildren();
            destroyed = true; // whatever is thrown, not twice
            try {
                destroyer.destroy(pointer);
                LOG.debug("closed {}", this);
            } catch (RuntimeException e) {
                LOG.warn("{} could not be destroyed: {}", this, e.getMessage());
                failure = first(failure, e);
            }
            ROOTS.remove(this);
            for (NativeHandle parent : parents) {
                parent.disown(this);
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    private RuntimeException closeChildren() {
        RuntimeException failure = null;
        for (NativeHandle child = newestChild(); child != null; child = newestChild()) {
            LOG.debug("{} closes {}, which was still open", this, child);
            try {
                child.close();
            } catch (RuntimeException e) {
                failure = first(failure, e);
            }
            disown(child);
        }
        return failure;
    }

    private NativeHandle newestChild() {
        synchronized (children) {
            return children.isEmpty() ? null : children.getLast();
        }
    }

    /**
     * Waits until no gated call is inside, whatever other calls are. It ends only if the owner has
     * made new ones turn back before {@link #enterGate}: a count that threads in a loop keep going
     * up and down is hardly ever seen at 0.
     */
    public void awaitGated() {
        await(0, ~CLOSED & -GATED);
    }

    private void await(long empty, long counted) {
        // Calls are short, or wait in bounded slices outside, so this ends; the rare long one
        // (a modify that resolves an address) is worth no more than a polite poll.
        for (int spins = 0; (state & counted) != empty; spins++) {
            if (spins < 100) {
                Thread.onSpinWait();
            } else if (spins < 200) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    private static RuntimeException first(RuntimeException earlier, RuntimeException later) {
        if (earlier == null) {
            return later;
        }
        earlier.addSuppressed(later);
        return earlier;
    }

    @Override
    public String toString() {
        return name + "@" + Long.toHexString(pointer.address());
    }
}
