package io.github.verbs4j.cm;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Soft-iWARP able to make more than some thirty queue pairs in a context. Its library takes
 * the offset 0x90000, at which the kernel offers a queue for mapping, for a sign of failure, and
 * gives up on that queue without an error number; the kernel hands out the lowest offset that is
 * free. So a queue that spans the offset, and is never used, is made before all others.
 */
final class SiwMappings {

    private static final Logger LOG = LoggerFactory.getLogger(SiwMappings.class);

    /** siw's own. */
    private static final int VENDOR_ID = 0x626d74;

    private static final int REFUSED_OFFSET = 0x90000;
    private static final int BYTES_PER_ENTRY = 32;

    private static final List<CompletionQueue> KEPT = new ArrayList<>();

    private SiwMappings() {}

    /** Once for each context, under the lock of those who open them. */
    static void prepare(Context context) {
        if (context.device().transportType() != TransportType.IWARP) {
            return;
        }
        try {
            if (context.queryDevice().vendorId() == VENDOR_ID) {
                KEPT.add(context.createCq(REFUSED_OFFSET / BYTES_PER_ENTRY + 1));
            }
        } catch (VerbsException e) {
            LOG.debug("no queue to span what Soft-iWARP refuses to map", e);
        }
    }
}
