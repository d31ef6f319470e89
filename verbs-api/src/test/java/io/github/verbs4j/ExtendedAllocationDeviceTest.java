package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;

import io.github.verbs4j.testing.Allocations;
import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The extended data path allocates nothing, once compiled. */
@RequiresDevice
class ExtendedAllocationDeviceTest {

    @Test
    @DisplayName("0 B: building, posting and polling allocate nothing")
    void batches() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            RemoteBuffer target = pair.mrB.remote();
            SendBatch batch = pair.a.sendBatch(4);
            MemorySegment inline = pair.mrA.segment().asSlice(0, 16);
            Allocations.assertNone(
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
            Allocations.assertNone(
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
}
