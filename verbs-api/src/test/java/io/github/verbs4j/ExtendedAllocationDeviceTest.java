package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The extended data path allocates nothing, once compiled. */
@RequiresDevice
class ExtendedAllocationDeviceTest {

    private static final int WINDOW = 2000;
    private static final int WINDOWS = 40;

    /** What the measurement itself may allocate. */
    private static final long NOISE = 512;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @DisplayName("0 B: building, posting and polling allocate nothing")
    void batches() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            SendBatch batch = pair.a.sendBatch(4);
            MemorySegment inline = pair.mrA.segment().asSlice(0, 16);
            assertNothingAllocated(
                    () -> {
                        batch.wrId(1)
                                .rdmaWrite(target, 0)
                                .setSge(pair.mrA, 0, 8)
                                .wrId(2)
                                .rdmaWrite(target, 8)
                                .setInlineData(inline)
                                .wrId(3)
                                .rdmaWrite(target, 64)
                                .addSge(pair.mrA, 0, 8)
                                .addSge(pair.mrA, 16, 8)
                                .complete();
                        take(pair, 3);
                    });
        }
    }

    @Test
    @DisplayName("0 B: posting by a lent batch allocates nothing")
    void lentBatch() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            Consumer<SendBatch> write = b -> b.rdmaWrite(target, 0).setSge(pair.mrA, 0, 8);
            assertNothingAllocated(
                    () -> {
                        pair.a.post(write);
                        take(pair, 1);
                    });
        }
    }

    private static void take(ExtendedPair pair, int count) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        for (int taken = 0; taken < count; ) {
            int n = pair.cqA.poll(pair.wc);
            for (int i = 0; i < n; i++) {
                pair.wc.checkSuccess(i);
                pair.wc.byteLen(i);
                pair.wc.opcode(i);
                pair.wc.wrId(i);
            }
            taken += n;
            if (n == 0) {
                Thread.yield();
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("no completion");
                }
            }
        }
    }

    /** Runs in windows until one allocates nothing: the first ones still run interpreted. */
    private static void assertNothingAllocated(Runnable round) {
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS && least > NOISE; window++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < WINDOW; i++) {
                round.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least <= NOISE, least + " bytes in " + WINDOW + " rounds");
    }
}
