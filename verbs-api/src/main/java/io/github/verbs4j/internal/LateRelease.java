package io.github.verbs4j.internal;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory whose owner is closed and which another thread is still inside of, in a read from a socket
 * for example: Java cannot free it before that has ended, however long it takes. One daemon thread
 * tries again for all such memory. It exists only while there is some.
 */
final class LateRelease {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.verbs4j.lifecycle");
    private static final long FIRST_PAUSE_MS = 1;
    private static final long LONGEST_PAUSE_MS = 500;
    private static final long WARN_AFTER = TimeUnit.SECONDS.toNanos(10);

    /** Its lock guards all that is static. */
    private static final List<LateRelease> WAITING = new ArrayList<>();

    private static long pause;
    private static boolean working;

    private final Arena arena;
    private final Runnable then;
    private final String what;
    private final long since = System.nanoTime();
    private boolean warned;

    private LateRelease(Arena arena, Runnable then, String what) {
        this.arena = arena;
        this.then = then;
        this.what = what;
    }

    /**
     * Closes an arena unless a thread is inside its memory.
     *
     * @param arena the arena, shared
     * @return whether it is closed
     */
    static boolean tryClose(Arena arena) {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException e) {
            return !arena.scope().isAlive();
        }
    }

    /**
     * Closes an arena as soon as no thread is inside its memory.
     *
     * @param arena the arena, shared
     * @param then runs after that
     * @param what the memory, for the log
     */
    static void add(Arena arena, Runnable then, String what) {
        LOG.debug("{} is in use by another thread, and freed when that has ended", what);
        synchronized (WAITING) {
            WAITING.add(new LateRelease(arena, then, what));
            pause = FIRST_PAUSE_MS;
            if (working) {
                WAITING.notifyAll();
                return;
            }
            try {
                Thread.ofPlatform()
                        .name("verbs4j-late-release")
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .start(LateRelease::work);
                working = true;
            } catch (OutOfMemoryError e) {
                LOG.warn("{} waits to be freed until a thread can be started: {}", what, e);
            }
        }
    }

    private static void work() {
        synchronized (WAITING) {
            try {
                while (!WAITING.isEmpty()) {
                    try {
                        WAITING.wait(pause);
                    } catch (InterruptedException e) {
                        // Nobody's business here; it only makes the next try come sooner.
                    }
                    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
                    WAITING.removeIf(LateRelease::tryFree);
                }
            } finally {
                working = false;
            }
        }
    }

    private boolean tryFree() {
        try {
            if (tryClose(arena)) {
                then.run();
                LOG.debug("{} is freed", what);
                return true;
            }
        } catch (RuntimeException e) {
            LOG.warn("{} could not be freed: {}", what, e.getMessage());
            return true;
        }
        if (!warned && System.nanoTime() - since > WARN_AFTER) {
            warned = true;
            LOG.warn("{} is still in use by another thread, 10 s after its owner closed", what);
        }
        return false;
    }
}
