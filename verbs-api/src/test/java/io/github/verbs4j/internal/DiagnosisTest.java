package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The sentences that say why something is not there or not allowed. */
class DiagnosisTest {

    @Test
    void aMissingDeviceIsExplainedByThoseThereAre() {
        assertEquals(
                "no device mlx5_0; this machine has rxe0, siw0",
                DeviceDiagnosis.explain("device mlx5_0", List.of("rxe0", "siw0")));
    }

    @Test
    void aMachineWithoutDevicesIsToldHowToGetOne() {
        Assumptions.assumeFalse(Files.isDirectory(Path.of("/sys/class/infiniband")));
        String text = DeviceDiagnosis.explain("RDMA device", List.of());
        assertTrue(text.startsWith("no RDMA device: the kernel has no RDMA device"), text);
        assertTrue(text.contains("rdma link add rxe0 type rxe netdev"), text);
    }

    @Test
    void theMemlockLimitIsNamedWithTheBytesAskedFor() {
        String text = MemlockLimit.explain(4711);
        assertTrue(text.startsWith("4711 bytes asked for; RLIMIT_MEMLOCK is "), text);
    }

    @Test
    void theMemlockLimitIsNamedWithoutBytesWhenTheyAreUnknown() {
        String text = MemlockLimit.explain(-1);
        assertTrue(text.startsWith("RLIMIT_MEMLOCK is "), text);
    }

    @Test
    void timeoutsOfAnyLengthAreNanoseconds() {
        assertEquals(0, Timeouts.nanos(Duration.ofSeconds(-5)));
        assertEquals(0, Timeouts.nanos(Duration.ofSeconds(Long.MIN_VALUE)));
        assertEquals(0, Timeouts.nanos(Duration.ZERO));
        assertEquals(1_500_000, Timeouts.nanos(Duration.ofNanos(1_500_000)));
        assertEquals(Long.MAX_VALUE, Timeouts.nanos(ChronoUnit.FOREVER.getDuration()));
    }
}
