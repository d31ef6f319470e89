package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpType;

/**
 * The objects of the device that does nothing. It comes with the stand-in for libibverbs that the
 * library path of the JVM must lead to; with the real one there is no such device.
 */
final class NoopDevice implements AutoCloseable {

    /** Rounds of a loop in one call of a benchmark method. */
    static final int ROUNDS = 1000;

    /** The largest batch. */
    static final int MAX_BATCH = 64;

    final Context context = Device.named("noop0").open();
    final GidEntry gid = context.defaultGid(1);
    final ProtectionDomain pd = context.allocPd();
    final MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    final CompletionQueue emptyCq = context.createCq(1);
    final CompletionQueue fullCq = context.createCq(2);
    final QueuePair qp =
            connected(
                    pd.createQp(
                            new QpInitAttr(QpType.RC, fullCq)
                                    .maxSendWr(MAX_BATCH)
                                    .maxRecvWr(MAX_BATCH)));

    <Q extends QueuePair> Q connected(Q queuePair) {
        QpAddress self = queuePair.localAddress(gid);
        queuePair.connect(gid, self, AccessFlag.REMOTE_WRITE);
        return queuePair;
    }

    @Override
    public void close() {
        context.close();
    }
}
