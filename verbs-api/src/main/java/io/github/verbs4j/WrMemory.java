package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The memory of a chain of work requests: the requests, each linked to the next; a place for the
 * address of the one that failed; the elements. Collected with the objects that use it, so nothing
 * posts freed memory.
 */
final class WrMemory {

    /** Elements of a request. */
    static final int MAX_SGE = 1 << 10;

    /** Bytes of an element, and of all together, which providers add up in 32 bits. */
    static final long MAX_LENGTH = 0xffffffffL;

    /** However many elements of this length stay within that. */
    static final long SHORT_LENGTH = MAX_LENGTH / MAX_SGE;

    /** The trait of requests, to send or to receive, whose elements may be more together. */
    static final int LENGTH = 64;

    private static final VarHandle TRAITS;

    static {
        try {
            TRAITS = MethodHandles.lookup().findVarHandle(WrMemory.class, "traits", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final MemorySegment memory;
    private final int count;
    private final int maxSge;
    private final long size;
    private final long next;
    private final long badWr;
    private int traits;

    private WrMemory(int count, int maxSge, long size, long next) {
        Check.range("count", count, 1, 1 << 20);
        Check.range("maxSge", maxSge, 0, MAX_SGE);
        this.count = count;
        this.maxSge = maxSge;
        this.size = size;
        this.next = next;
        long bytes = sges(count);
        this.memory = Arena.ofAuto().allocate(bytes, 64);
        this.badWr = memory.address() + count * size;
        for (int i = 0; i < count; i++) {
            link(i, i + 1 < count);
        }
    }

    static WrMemory ofSends(int count, int maxSge) {
        return new WrMemory(count, maxSge, ibv_send_wr.sizeof(), ibv_send_wr.next$offset());
    }

    static WrMemory ofReceives(int count, int maxSge) {
        return new WrMemory(count, maxSge, ibv_recv_wr.sizeof(), ibv_recv_wr.next$offset());
    }

    MemorySegment memory() {
        return memory;
    }

    int count() {
        return count;
    }

    int maxSge() {
        return maxSge;
    }

    /**
     * What any of the requests has ever been, as the chain is posted: those that one is now, and
     * perhaps more.
     */
    int traits() {
        return traits;
    }

    /**
     * Adds to them, for good. Threads may fill requests of one chain at once, against the rules,
     * and what one of them adds must not be lost: the checks that the request needs go with it.
     */
    void addTraits(int more) {
        if ((traits & more) != more) {
            TRAITS.getAndBitwiseOr(this, more);
        }
    }

    /** Refuses what providers would take for a shorter message. */
    static void checkLength(long ofAll) {
        if (ofAll > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the elements have " + ofAll + " bytes, a message up to " + MAX_LENGTH);
        }
    }

    /** Where a request lies. */
    long wr(int index) {
        return index * size;
    }

    /** Where the elements of a request lie. */
    long sges(int index) {
        return count * size + 16 + index * maxSge * ibv_sge.sizeof();
    }

    /** Where the provider writes which request failed. */
    long badWr() {
        return badWr;
    }

    /** Clears that place: some providers leave it alone when they fail. */
    void clearBad() {
        memory.set(JAVA_LONG, count * size, 0);
    }

    /** What the provider wrote there. */
    long badAddress() {
        return memory.get(JAVA_LONG, count * size);
    }

    /** Which request failed; -1 when the provider did not say, so that any may have been taken. */
    int badIndex() {
        long offset = badAddress() - memory.address();
        return offset >= 0 && offset < count * size ? (int) (offset / size) : -1;
    }

    /** Links a request to the one behind it, or makes it the last. */
    void link(int index, boolean toNext) {
        link(index, toNext ? memory.address() + wr(index + 1) : 0);
    }

    /** Links a request to any other, by address. */
    void link(int index, long address) {
        memory.set(JAVA_LONG, wr(index) + next, address);
    }
}
