package io.github.verbs4j.examples.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@RequiresDevice
class AsyncWatchDeviceTest {

    @Test
    void addressesThatComeAndGoArePrintedAsByTheCTool() throws Exception {
        String device;
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            assumeTrue(TestDevice.isRxe(context), "changes the addresses of Soft-RoCE only");
            device = context.device().name();
        }
        String netdev =
                Files.readString(Path.of("/sys/class/infiniband", device, "parent")).strip();
        Example ours = Example.start("asyncwatch", "-d", device, "--count", "2");
        ours.awaitOutput("async event FD");
        try (Tool theirs = Tool.start("ibv_asyncwatch", "-d", device)) {
            theirs.awaitOutput("async event FD");
            ip("add", netdev);
            ip("del", netdev);
            String expected = "  event_type IBV_EVENT_GID_CHANGE (18), port 1\n".repeat(2);
            assertEquals(expected, events(ours.await().succeeded().out()));
            theirs.awaitOutput(expected);
        }
    }

    private static String events(String out) {
        return out.substring(out.indexOf('\n') + 1);
    }

    private static void ip(String what, String netdev) throws Exception {
        Tool.run("ip", "address", what, "10.77.9.9/32", "dev", netdev).succeeded();
    }
}
