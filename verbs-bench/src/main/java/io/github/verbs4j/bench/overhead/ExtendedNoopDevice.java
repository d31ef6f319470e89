package io.github.verbs4j.bench.overhead;

import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.CqInitAttrEx;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import java.util.Set;

/** Extended queues of the device that does nothing. */
final class ExtendedNoopDevice implements AutoCloseable {

    private final NoopDevice device = new NoopDevice();
    final MemoryRegion mr = device.mr;
    final CompletionQueueEx cq;
    final QueuePairEx qp;

    /** Queues for WRITEs that go and complete in batches. */
    ExtendedNoopDevice(int batch) {
        // The device fills a poll with one less than the queue was created for.
        cq = device.context.createCqEx(new CqInitAttrEx(batch + 1).wcFlags(Set.of()));
        qp =
                device.connected(
                        device.pd.createQpEx(
                                new QpInitAttrEx(QpType.RC, cq)
                                        .maxSendWr(batch)
                                        .sendOps(SendOp.RDMA_WRITE)));
    }

    @Override
    public void close() {
        device.close();
    }
}
