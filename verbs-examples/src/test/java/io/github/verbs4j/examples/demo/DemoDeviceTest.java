package io.github.verbs4j.examples.demo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class DemoDeviceTest {

    private static final String DEVICE =
            TestDevice.find(TestDevice.Kind.ROCE).map(d -> d.name()).orElse("none");

    @ParameterizedTest(name = "of {0} bytes")
    @ValueSource(ints = {8, 4096, 100_003})
    void allSevenOperationsAreVerified(int size) throws Exception {
        Result demo =
                Example.run("demo", "-d", DEVICE, "-n", "3", "-s", String.valueOf(size))
                        .succeeded();
        List<String> verified =
                demo.out().lines().filter(line -> line.contains("  yes: ")).toList();
        assertEquals(
                List.of(
                        "SEND",
                        "SEND_WITH_IMM",
                        "RDMA_WRITE",
                        "RDMA_WRITE_WITH_IMM",
                        "RDMA_READ",
                        "COMPARE_AND_SWAP",
                        "FETCH_AND_ADD"),
                verified.stream().map(line -> line.split(" ")[0]).toList());
        assertTrue(demo.out().endsWith("\nAll 7 operations verified.\n"), demo.out());
        assertTrue(demo.out().contains("device  " + DEVICE + ", port 1\n"), demo.out());
    }

    @Test
    void oneWrongByteFailsTheVerification() {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
                ProtectionDomain pd = context.allocPd()) {
            GuardedRegion region = new GuardedRegion("the target", pd, 100);
            region.fill(1);
            region.verify();
            for (long at : new long[] {0, 63, 64, 163, 164, 227}) {
                byte right = region.mr().segment().get(JAVA_BYTE, at);
                region.mr().segment().set(JAVA_BYTE, at, (byte) (right + 1));
                ExampleException e = assertThrows(ExampleException.class, region::verify);
                assertTrue(e.getMessage().startsWith("byte " + (at - 64) + " of the target is 0x"));
                assertEquals(at < 64 || at > 163, e.getMessage().contains("outside the data"));
                region.mr().segment().set(JAVA_BYTE, at, right);
            }
            region.expectFirst(42);
            assertThrows(ExampleException.class, region::verify);
        }
    }

    @Test
    void aDeviceThatIsNotThereIsSaid() throws Exception {
        Example.run("demo", "-d", "nosuch0").failed(1, "no device nosuch0; this machine has ");
    }
}
