package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.TransportType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RequiresDevice
class LackDeviceTest {

    private static Optional<String> lack(String device, Workload load) {
        return Lack.of(new DeviceChoice(Optional.of(device), 1, -1, Optional.empty()), load);
    }

    private static Workload write(int size, int depth, int sges, boolean inline) {
        return new Workload(Operation.WRITE, size, depth, 1, 1, sges, inline, Way.CLASSIC);
    }

    private static String first() {
        return Device.first().name();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMeasuredIsPossible(Way way) {
        assertEquals(Optional.empty(), lack(first(), Workload.single(Operation.WRITE, 8).by(way)));
    }

    @Test
    void limitsOfTheDeviceAreNamed() {
        assertNamed("max_inline", write(1 << 20, 1, 1, true));
        assertNamed("cqe", write(1 << 20, 1 << 20, 1, false));
        assertNamed("max", write(4096, 1, 4096, false));
    }

    private static void assertNamed(String limit, Workload load) {
        String lack = lack(first(), load).orElse("nothing");
        assertTrue(lack.contains(limit), lack);
    }

    @Test
    void whatIsLackingLeavesNothingOpen() throws IOException {
        Workload impossible = write(4096, 1, 4096, false);
        lack(first(), impossible);
        long before = openDevices();
        for (int i = 0; i < 5; i++) {
            assertTrue(lack(first(), impossible).isPresent());
        }
        assertEquals(before, openDevices());
    }

    private static long openDevices() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(LackDeviceTest::isDevice).count();
        }
    }

    private static boolean isDevice(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().contains("/infiniband/");
        } catch (IOException e) {
            return false; // the list itself, closed since
        }
    }

    @Test
    void iwarpIsRefusedInOneLine() {
        for (Device device : Device.list()) {
            DeviceChoice choice =
                    new DeviceChoice(Optional.of(device.name()), 1, -1, Optional.empty());
            if (device.transportType() == TransportType.IWARP) {
                assertTrue(
                        assertThrows(IllegalArgumentException.class, choice::check)
                                .getMessage()
                                .contains("iWARP"));
            }
        }
    }

    @Test
    void atomicsAreKnownFromTheAttributesOfTheDevice() {
        for (Device device : Device.list()) {
            try (Context context = device.open()) {
                boolean none = context.queryDevice().atomicCap() == AtomicCap.NONE;
                assertEquals(
                        none,
                        lack(device.name(), Workload.single(Operation.FETCH_AND_ADD, 8))
                                .isPresent());
            }
        }
    }
}
