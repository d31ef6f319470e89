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

    private SiwMappings() {}

    /**
     * Makes that queue in a new context, which closes it.
     *
     * @param context the context, of Soft-iWARP
     */
    public static void prepare(NativeHandle context) {
        try {
            NativeHandle.create(
                    "CompletionQueue over what Soft-iWARP refuses to map",
                    () ->
                            Check.notNull(
                                    "ibv_create_cq",
                                    CompletionVerbs.ibv_create_cq(
                                            context.pointer(),
                                            REFUSED_OFFSET / BYTES_PER_ENTRY + 1,
                                            MemorySegment.NULL,
                                            MemorySegment.NULL,
                                            0)),
                    pointer ->
                            Check.zero("ibv_destroy_cq", CompletionVerbs.ibv_destroy_cq(pointer)),
                    context);
        } catch (VerbsException e) {
            LOG.debug("no queue to span what Soft-iWARP refuses to map", e);
        }
    }
}
