package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A region that a prepared request names is in use: it must not be reported as lost. */
@RequiresDevice
class RequestReachabilityDeviceTest {

    @Test
    @DisplayName(
            "R a send request keeps the region that it names reachable, until it names another")
    void send() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            SendWr wr = new SendWr(1);
            WeakReference<MemoryRegion> region = named(pair, mr -> wr.send(mr, 0, 8));
            assertReachable(region, wr);
            wr.send(pair.mrA, 0, 8);
            assertCollected(region);
        }
    }

    @Test
    @DisplayName("R a receive request keeps the region that it names reachable")
    void receive() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RecvWr wr = new RecvWr(2);
            WeakReference<MemoryRegion> region = named(pair, mr -> wr.sge(1, mr, 0, 8));
            assertReachable(region, wr);
            wr.sge(1, 0, 0, 0);
            assertCollected(region);
        }
    }

    @Test
    @DisplayName("R a batch keeps the regions of its requests reachable")
    void batch() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            SendBatch batch = pair.a.sendBatch(1);
            WeakReference<MemoryRegion> region =
                    named(pair, mr -> batch.rdmaWrite(target, 0).setSge(mr, 0, 8));
            assertReachable(region, batch);
            batch.abort();
            batch.rdmaWrite(target, 0).setSge(pair.mrA, 0, 8);
            assertCollected(region);
        }
    }

    private static WeakReference<MemoryRegion> named(ExtendedPair pair, Consumer<MemoryRegion> by) {
        MemoryRegion mr = pair.pd.allocateMr(4096, AccessFlag.LOCAL_WRITE);
        by.accept(mr);
        return new WeakReference<>(mr);
    }

    private static void assertReachable(WeakReference<MemoryRegion> region, Object request) {
        System.gc();
        System.gc();
        assertNotNull(region.get());
        Reference.reachabilityFence(request);
    }

    private static void assertCollected(WeakReference<MemoryRegion> region) {
        for (int tries = 0; tries < 20 && region.get() != null; tries++) {
            System.gc();
        }
        assertNull(region.get());
    }
}
