package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.TransportType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ProviderTest {

    @Test
    void softRoceIsRecognizedByItsVendorAndTransport() {
        assertEquals(Provider.RXE, Provider.of(TransportType.IB, vendor(0xffffff)));
        assertEquals(Provider.OTHER, Provider.of(TransportType.IWARP, vendor(0xffffff)));
    }

    @Test
    void softIwarpIsRecognizedByItsVendor() {
        assertEquals(Provider.SIW, Provider.of(TransportType.IWARP, vendor(0x626d74)));
    }

    @Test
    void othersAreOthers() {
        assertEquals(Provider.OTHER, Provider.of(TransportType.IB, vendor(0x2c9)));
    }

    private static DeviceAttr vendor(int id) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr.allocate(arena);
            ibv_device_attr.vendor_id(attr, id);
            return DeviceAttrCodec.read(attr);
        }
    }
}
