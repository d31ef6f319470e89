package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class UcmatoseDeviceTest {

    private static final List<String> SERVER =
            List.of(
                    "cmatose: starting server",
                    "initiating data transfers",
                    "completing sends",
                    "receiving data transfers",
                    "data transfers complete",
                    "cmatose: disconnecting",
                    "disconnected",
                    "test complete",
                    "return status 0");

    private static final List<String> CLIENT =
            List.of(
                    "cmatose: starting client",
                    "cmatose: connecting",
                    "receiving data transfers",
                    "sending replies",
                    "data transfers complete",
                    "test complete",
                    "return status 0");

    private String address;
    private int port;

    @BeforeEach
    void choosePort() {
        address = RdmaPorts.address().getHostAddress();
        port = RdmaPorts.free(PortSpace.TCP);
    }

    private String[] command(String role, String options) {
        return ("ucmatose " + role + " " + address + " -p " + port + " " + options)
                .trim()
                .split(" +");
    }

    private static PortSpace space(String options) {
        return options.contains("-P ib") ? PortSpace.IB : PortSpace.TCP;
    }

    private static void assertLines(List<String> expected, Result result) {
        assertEquals(0, result.status(), result.toString());
        assertEquals(expected, result.out().lines().toList());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 5000", "-C 2 -P ib -t 0x20 -a 14"})
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        Example server = Example.start(command("-b", options));
        RdmaPorts.awaitListener(space(options), port);
        assertLines(CLIENT, Tool.run(command("-s", options)));
        assertLines(SERVER, server.await().succeeded());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 5000", "-C 2 -P ib -t 0x20 -a 14"})
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        try (Tool server = Tool.start(command("-b", options))) {
            RdmaPorts.awaitListener(space(options), port);
            assertLines(CLIENT, Example.run(command("-s", options)).succeeded());
            assertLines(SERVER, server.await());
        }
    }

    @Test
    @DisplayName("both sides of ours move to another event channel; a C client, too")
    void connectionsMoveToAnotherEventChannel() throws Exception {
        try (Tool server = JavaTool.start(command("-b", "-c 2 -C 2 -m"))) {
            RdmaPorts.awaitListener(PortSpace.TCP, port);
            assertLines(
                    migrating(CLIENT, 5),
                    Example.run(command("-s", "-c 2 -C 2 -m -f ip -b " + address)).succeeded());
            assertLines(migrating(SERVER, 5), server.await().succeeded());
        }
        Example server = Example.start(command("-b", "-C 2 -m"));
        RdmaPorts.awaitListener(PortSpace.TCP, port);
        assertLines(migrating(CLIENT, 5), Tool.run(command("-s", "-C 2 -m")));
        assertLines(migrating(SERVER, 5), server.await().succeeded());
    }

    private static List<String> migrating(List<String> lines, int at) {
        List<String> more = new ArrayList<>(lines);
        more.add(at, "migrating to new event channel");
        return more;
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        Example.run(command("-s", "-t 256")).failed(2, "-t must be 0 to 255, was 256");
        Example.run(command("-s", "-a 32")).failed(2, "-a must be 0 to 31, was 32");
        Example.run(command("-s", "-P udp")).failed(2, "'udp' is neither tcp nor ib");
        Example.run(command("-s", "-f gid")).failed(2, "option -f gid is not supported");
        Example.run(command("-s", "-b 192.0.2.1")).failed(1, "EADDRNOTAVAIL");
    }

    @Test
    void aServerThatIsNotThereAndAWrongOptionAreSaid() throws Exception {
        Example.run(command("-s", "")).failed(1, "REJECTED");
        Example.run(command("-s", "-c 0")).failed(2, "-c must be 1 to 1000, was 0");
    }
}
