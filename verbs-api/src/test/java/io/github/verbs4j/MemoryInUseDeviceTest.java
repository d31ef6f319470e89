package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.PendingRead;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions that are closed while Java is inside their memory, as in a read from a socket. */
@RequiresDevice
class MemoryInUseDeviceTest {

    @ParameterizedTest(name = "interrupted: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("R an allocated region closes during a read into it, and is freed after it")
    void closedDuringRead(boolean interrupted) throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
                ProtectionDomain pd = context.allocPd()) {
            MemoryRegion mr = pd.allocateMr(1 << 20, LOCAL_WRITE);
            MemorySegment memory = mr.segment();
            try (PendingRead _ = new PendingRead(memory)) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                mr.close();
                assertEquals(interrupted, Thread.interrupted());
                assertFalse(mr.isOpen());
                mr.close();
                assertTrue(memory.scope().isAlive());
            }
            PendingRead.awaitFreed(memory);
        }
    }

    @Test
    @DisplayName("R a context closes with all that is in it during a read into one of its regions")
    void contextClosedDuringRead() throws Exception {
        Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
        ProtectionDomain pd = context.allocPd();
        MemorySegment memory = pd.allocateMr(4096, LOCAL_WRITE).segment();
        try (PendingRead _ = new PendingRead(memory)) {
            context.close();
            assertFalse(pd.isOpen());
        }
        PendingRead.awaitFreed(memory);
    }
}
