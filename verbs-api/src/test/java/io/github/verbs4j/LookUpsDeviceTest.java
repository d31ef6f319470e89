package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice(TestDevice.Kind.RXE)
class LookUpsDeviceTest {

    private Context context;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.RXE).open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @DisplayName("DEV-13 partition keys are found by value")
    void pkeys() {
        assertEquals(OptionalInt.of(0), context.getPkeyIndex(1, 0xffff));
        assertEquals(OptionalInt.empty(), context.getPkeyIndex(1, 0x1234));
        assertEquals(OptionalInt.empty(), context.getPkeyIndex(1, 0x7fff));
        assertThrows(IllegalArgumentException.class, () -> context.getPkeyIndex(2, 0xffff));
    }

    @Test
    @DisplayName("DEV the kernel's number of a device is the same each time")
    void index() {
        OptionalInt index = context.device().index();
        assertTrue(index.isPresent());
        assertEquals(index, TestDevice.get(TestDevice.Kind.RXE).index());
    }

    @Test
    @DisplayName("DEV a port's speed is told, or the rdma-core that could is named")
    void portSpeed() {
        try {
            assertTrue(context.queryPortSpeed(1) > 0);
        } catch (UnsupportedVerbException e) {
            assertEquals("ibv_query_port_speed", e.verb());
            assertTrue(
                    e.errno() == Errno.EOPNOTSUPP || e.getMessage().contains("62"), e.getMessage());
        }
    }
}
