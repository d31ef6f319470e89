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
    private final long deadline;

    /**
     * A wait.
     *
     * @param owner the object
     * @param fd the descriptor
     * @param timeout how long at most; zero only looks
     */
    public ReadableWait(NativeHandle owner, int fd, Duration timeout) {
        this.owner = owner;
        this.fd = fd;
        this.deadline = System.nanoTime() + Timeouts.nanos(timeout);
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
        long millis = Math.clamp(Math.ceilDiv(left(), 1_000_000L), 0L, SLICE_MILLIS);
        owner.acquire();
        try {
            if (Posix.awaitReadable(pollfd, fd, virtual ? 0 : (int) millis)) {
                return true;
            }
        } finally {
            owner.release();
        }
        if (virtual && millis > 0) {
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

    private long left() {
        return deadline - System.nanoTime();
    }
}
