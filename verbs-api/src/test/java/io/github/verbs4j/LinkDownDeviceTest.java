package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.Command;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortState;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.WcStatus;
import java.net.NetworkInterface;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Takes the network device down under Soft-RoCE; root only. */
@RequiresDevice(TestDevice.Kind.RXE)
class LinkDownDeviceTest {

    private static void await(String what, BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + LoopbackPair.TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, what);
            Thread.sleep(10);
        }
    }

    @Test
    @DisplayName(
            "ER-34 AS-01 with the link down a request fails here; a new pair works once it is up")
    void linkDown() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root takes a link down");
        try (LoopbackPair pair = LoopbackPair.connected()) {
            NetworkInterface below = NetworkInterface.getByIndex(pair.gid.netdevIndex());
            assumeTrue(below != null, "the device's network interface is not visible here");
            List<GidEntry> gids = pair.context.gidTable();
            Command.run("ip link set " + below.getName() + " down");
            try {
                await(
                        "the port to go down",
                        () -> pair.context.queryPort(1).state() == PortState.DOWN);
                pair.a.postSend(new SendWr(1).wrId(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
                WorkCompletion failed = pair.completionA();
                assertEquals(WcStatus.LOC_QP_OP_ERR, failed.status());
                assertTrue(failed.status().describe().contains("network device"));
            } finally {
                Command.run("ip link set " + below.getName() + " up");
                await(
                        "the port to come up",
                        () -> pair.context.queryPort(1).state() == PortState.ACTIVE);
                await("the GIDs to come back", () -> pair.context.gidTable().equals(gids));
            }
            assertEquals(QpState.ERR, pair.a.query().qpState());
        }
        try (LoopbackPair fresh = LoopbackPair.connected()) {
            fresh.a.postSend(new SendWr(1).write(fresh.mrA, 0, 8, fresh.mrB.remote(), 0));
            fresh.completionA().checkSuccess();
        }
    }
}
