package io.github.verbs4j.internal;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * One wait for a file descriptor that belongs to a native object. It waits in slices, so that the
 * object can be closed, and the thread interrupted, meanwhile; a virtual thread holds its carrier
 * for no longer than a look.
 */
public final class ReadableWait {

    /** A wait looks this often whether it was interrupted or the object closed. */
    private static final int SLICE_MILLIS = 20;

    private final NativeHandle owner;
    private final int fd;
    private final MemorySegment pollfd = Posix.newPollfd();

    /** What is left of the time, in nanoseconds, until the clock is first read. */
    private long left;

    private boolean clockRead;
    private long deadline;

    /**
     * Waits one after the other; each starts with {@link #begin}.
     *
     * @param owner the object
     * @param fd the descriptor
     */
    public ReadableWait(NativeHandle owner, int fd) {
        this.owner = owner;
        this.fd = fd;
    }

    /**
     * A single wait, which has begun.
     *
     * @param owner the object
     * @param fd the descriptor
     * @param timeout how long at most; zero only looks
     */
    public ReadableWait(NativeHandle owner, int fd, Duration timeout) {
        this(owner, fd);
        begin(timeout);
    }

    /**
     * Begins a wait.
     *
     * @param timeout how long at most; zero only looks
     */
    public void begin(Duration timeout) {
        left = Timeouts.nanos(timeout);
        clockRead = false;
    }

    /**
     * Waits for a slice.
     *
     * @return true when there is something to read
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the object is closed
     */
    public boolean look() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean virtual = Thread.currentThread().isVirtual();
        long nanos = clockRead ? left() : left;
        int millis = (int) Math.clamp(Math.ceilDiv(nanos, 1_000_000L), 0L, SLICE_MILLIS);
        int slice = virtual ? 0 : millis;
        int ready;
        owner.acquire();
        try {
            ready = Posix.awaitReadable(pollfd, fd, slice);
        } finally {
            owner.release();
        }
        if (ready > 0) {
            return true;
        }
        if (ready == 0 && !clockRead) {
            left -= slice * 1_000_000L;
        }
        if (virtual && millis > 0) {
            readClock();
            Thread.sleep(1);
        }
        return false;
    }

    /**
     * Tells whether the time is up.
     *
     * @return true when the wait is over
     */
    public boolean isOver() {
        return left() <= 0;
    }

    /**
     * In a guest that costs as much as the rest of a wait that finds something, so it is put off.
     */
    private void readClock() {
        if (!clockRead) {
            clockRead = true;
            deadline = System.nanoTime() + left;
        }
    }

    private long left() {
        readClock();
        return deadline - System.nanoTime();
    }
}
