package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Guid;
import io.github.verbs4j.types.NodeType;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class DeviceDeviceTest {

    private final Device device = TestDevice.get(TestDevice.Kind.ROCE);

    @Test
    @DisplayName("DEV-01 the list names each device and its node")
    void listNamesDevices() {
        List<Device> devices = Device.list();
        assertTrue(devices.contains(device));
        for (Device each : devices) {
            assertFalse(each.name().isEmpty());
            assertTrue(Files.exists(Path.of("/dev/infiniband", each.devName())), each.devName());
            assertTrue(Files.isDirectory(Path.of("/sys/class/infiniband", each.name())));
        }
        assertEquals(NodeType.CA, device.nodeType());
        assertEquals(TransportType.IB, device.transportType());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("DEV-05 siw is an iWARP device")
    void siwIsIwarp() {
        Device siw = TestDevice.get(TestDevice.Kind.SIW);
        assertEquals(NodeType.RNIC, siw.nodeType());
        assertEquals(TransportType.IWARP, siw.transportType());
    }

    @Test
    @DisplayName("DEV-01 a device is found by name and by GUID")
    void foundByNameAndGuid() {
        assertEquals(device, Device.named(device.name()));
        assertEquals(device.guid(), Device.withGuid(device.guid()).guid());
        assertEquals(Device.list().getFirst(), Device.first());
    }

    @Test
    @DisplayName(
            "DEV-01 a device that is not there is ENODEV, and the message names those that are")
    void missingDeviceNamesTheOthers() {
        VerbsException e = assertThrows(VerbsException.class, () -> Device.named("mlx5_77"));
        assertEquals(Errno.ENODEV, e.errno());
        assertTrue(e.getMessage().contains("mlx5_77"), e.getMessage());
        assertTrue(e.getMessage().contains(device.name()), e.getMessage());
        assertThrows(VerbsException.class, () -> Device.withGuid(new Guid(0x123456789L)));
        assertThrows(NullPointerException.class, () -> Device.named(null));
        assertThrows(NullPointerException.class, () -> Device.withGuid(null));
    }

    @Test
    @DisplayName("DEV-01 a device that is gone cannot be opened")
    void goneDeviceCannotBeOpened() {
        Device gone =
                new Device(
                        "gone0",
                        "uverbs77",
                        device.guid(),
                        NodeType.CA,
                        TransportType.IB,
                        Path.of("/nowhere"));
        VerbsException e = assertThrows(VerbsException.class, gone::open);
        assertEquals(Errno.ENODEV, e.errno());
        assertTrue(e.getMessage().contains("gone0 is gone"), e.getMessage());
    }

    @Test
    @DisplayName("DEV-02 a context outlives the list; many can be open at a time")
    void manyContextsOfOneDevice() {
        List<Context> contexts = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                contexts.add(device.open());
            }
            for (Context context : contexts) {
                assertEquals(device, context.device());
                assertEquals(1, context.queryPort(1).lid() + 1);
            }
        } finally {
            contexts.forEach(Context::close);
        }
    }
}
