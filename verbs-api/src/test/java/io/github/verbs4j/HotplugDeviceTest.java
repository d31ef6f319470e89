package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.Command;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Adds and removes a Soft-RoCE device while the process runs; root only. */
@RequiresDevice(TestDevice.Kind.RXE)
class HotplugDeviceTest {

    private static final String NAME = "v4jhot";
    private static final String ADD = "rdma link add " + NAME + " type rxe netdev v4j-hot";
    private static final String DELETE = "rdma link delete " + NAME;

    @BeforeAll
    static void rootOnly() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root adds devices");
    }

    @BeforeEach
    void netDevice() throws Exception {
        Command.run("ip link add v4j-hot type dummy");
        Command.run("ip addr add 10.80.0.1/24 dev v4j-hot");
        Command.run("ip link set v4j-hot up");
    }

    @AfterEach
    void remove() throws Exception {
        Command.tryRun(DELETE);
        Command.tryRun("ip link delete v4j-hot");
    }

    private static boolean isListed() {
        return Device.list().stream().anyMatch(device -> device.name().equals(NAME));
    }

    @Test
    @DisplayName("TH-07 a device that is added is listed at the next call, one removed is not")
    void listFollows() throws Exception {
        assertFalse(isListed());
        for (int i = 0; i < 2; i++) {
            Command.run(ADD);
            assertTrue(isListed());
            Device device = Device.named(NAME);
            try (Context context = device.open()) {
                assertEquals(1, context.queryDevice().physPortCnt());
            }
            Command.run(DELETE);
            assertFalse(isListed());
            VerbsException e = assertThrows(VerbsException.class, device::open);
            assertEquals(Errno.ENODEV, e.errno());
        }
    }

    @Test
    @DisplayName("TH-08 removing a device waits for its context, which can still be closed")
    void removalWaitsForContext() throws Exception {
        Command.run(ADD);
        Process removal;
        try (Context context = Device.named(NAME).open()) {
            ProtectionDomain pd = context.allocPd();
            pd.allocateMr(4096);
            context.createCq(4);
            removal = Command.start(DELETE);
            assertFalse(removal.waitFor(300, TimeUnit.MILLISECONDS));
        }
        Command.finish(removal, DELETE);
        assertFalse(isListed());
    }
}
