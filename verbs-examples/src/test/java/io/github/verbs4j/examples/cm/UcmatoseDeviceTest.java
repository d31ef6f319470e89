package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
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

    private static void assertLines(List<String> expected, Result result) {
        assertEquals(0, result.status(), result.toString());
        assertEquals(expected, result.out().lines().toList());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 5000"})
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        Example server = Example.start(command("-b", options));
        RdmaPorts.awaitListener(PortSpace.TCP, port);
        assertLines(CLIENT, Tool.run(command("-s", options)));
        assertLines(SERVER, server.await().succeeded());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 5000"})
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        try (Tool server = Tool.start(command("-b", options))) {
            RdmaPorts.awaitListener(PortSpace.TCP, port);
            assertLines(CLIENT, Example.run(command("-s", options)).succeeded());
            assertLines(SERVER, server.await());
        }
    }

    @Test
    void aServerThatIsNotThereAndAWrongOptionAreSaid() throws Exception {
        Example.run(command("-s", "")).failed(1, "REJECTED");
        Example.run(command("-s", "-c 0")).failed(2, "-c must be 1 to 1000, was 0");
    }
}
