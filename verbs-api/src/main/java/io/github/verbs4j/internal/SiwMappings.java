package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Soft-iWARP able to make more than some thirty queue pairs in a context. Its library takes
 * the offset 0x90000, at which the kernel offers a queue for mapping, for a sign of failure, and
 * gives up on that queue without an error number; the kernel hands out the lowest offset that is
 * free. So a queue that spans the offset, and is never used, is made before all others.
 */
public final class SiwMappings {

    private static final Logger LOG = LoggerFactory.getLogger(SiwMappings.class);

    private static final int REFUSED_OFFSET = 0x90000;
    private static final int BYTES_PER_ENTRY = 32;

    private MemorySegment queue = MemorySegment.NULL;

    /** For one context. */
    public SiwMappings() {}

    /**
     * Makes that queue.
     *
     * @param context the context, new and of Soft-iWARP
     */
    public void prepare(MemorySegment context) {
        try {
            queue =
                    Check.notNull(
                            "ibv_create_cq",
                            CompletionVerbs.ibv_create_cq(
                                    context,
                                    REFUSED_OFFSET / BYTES_PER_ENTRY + 1,
                                    MemorySegment.NULL,
                                    MemorySegment.NULL,
                                    0));
        } catch (VerbsException e) {
            LOG.debug("no queue to span what Soft-iWARP refuses to map", e);
        }
    }

    /** Destroys the queue if there is one, before its context is closed. */
    public void release() {
        if (queue.address() != 0) {
            Check.zero("ibv_destroy_cq", CompletionVerbs.ibv_destroy_cq(queue));
        }
    }
}
