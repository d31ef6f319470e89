package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams of the connection manager, which iWARP lacks. */
@RequiresDevice(Kind.ROCE)
class UdaddyDeviceTest {

    /** The tool has no option for it. */
    private static final int PORT = 7174;

    private static final List<String> SERVER =
            List.of(
                    "udaddy: starting server",
                    "receiving data transfers",
                    "sending replies",
                    "data transfers complete",
                    "test complete",
                    "return status 0");

    private static final List<String> CLIENT =
            List.of(
                    "udaddy: starting client",
                    "udaddy: connecting",
                    "initiating data transfers",
                    "receiving data transfers",
                    "data transfers complete",
                    "test complete",
                    "return status 0");

    private String address;

    @BeforeEach
    void chooseAddress() {
        address = RdmaPorts.address().getHostAddress();
    }

    private String[] command(String role, String options) {
        return ("udaddy " + role + " " + address + " " + options).trim().split(" +");
    }

    private static void awaitServer() throws Exception {
        RdmaPorts.awaitListener(PortSpace.UDP, PORT);
    }

    private static void assertLines(List<String> expected, Result result) {
        assertEquals(0, result.status(), result.toString());
        assertEquals(expected, result.out().lines().toList());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 1024 -t 0x20"})
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        Example server = Example.start(command("-b", options));
        awaitServer();
        assertLines(CLIENT, Tool.run(command("-s", options)));
        assertLines(SERVER, server.await().succeeded());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-c 2 -C 2 -S 1024 -t 0x20"})
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        try (Tool server = Tool.start(command("-b", options))) {
            awaitServer();
            assertLines(CLIENT, Example.run(command("-s", options)).succeeded());
            assertLines(SERVER, server.await());
        }
    }

    @Test
    void bothSidesOfOurs() throws Exception {
        try (Tool server = JavaTool.start(command("-b", "-c 2 -P udp -p 0x111 -f ip"))) {
            awaitServer();
            assertLines(
                    CLIENT, Example.run(command("-s", "-c 2 -f ipv6 -b " + address)).succeeded());
            assertLines(SERVER, server.await().succeeded());
        }
    }

    @Test
    void withoutMessagesTheTwoOnlyMeet() throws Exception {
        try (Tool server = Tool.start(command("-b", "-S 0"))) {
            awaitServer();
            assertEquals(
                    "udaddy: starting client\nudaddy: connecting\ntest complete\nreturn status 0\n",
                    Example.run(command("-s", "-S 0")).succeeded().out());
            assertEquals(0, server.await().status());
        }
    }

    @Test
    void aPeerWithOtherMessagesIsSaid() throws Exception {
        Example server = Example.start(command("-b", "-S 100"));
        awaitServer();
        try (Tool client = Tool.start(command("-s", "-S 60"))) {
            server.await()
                    .failed(1, "a message of 60 bytes came that is none of 100 from the same tool");
            client.kill();
        }
    }

    @Test
    void aPeerThatIsKilledIsSaid() throws Exception {
        // It expects more messages than come, so it is there, and silent, until it is killed.
        try (Tool server = Tool.start(command("-b", "-C 20"))) {
            awaitServer();
            Example client = Example.start(command("-s", "-C 10 --patience 5"));
            client.awaitOutput("receiving data transfers");
            server.kill();
            client.await().failed(1, "udaddy: 0 of 10 messages came, then none for 5 s");
        }
    }

    @Test
    void aServerThatIsNotThereAndAClientThatDoesNotComeAreSaid() throws Exception {
        Example.run(command("-s", "")).failed(1, "nobody listens on that port");
        Example.run(command("-b", "--patience 1")).failed(1, "CONNECT_REQUEST");
    }

    @Test
    void messagesAboveTheMtuAreRefused() throws Exception {
        try (Tool server = Tool.start(command("-b", ""))) {
            awaitServer();
            Example.run(command("-s", "-S 4097"))
                    .failed(1, "udaddy: message_size 4097 is larger than active mtu ");
            server.kill();
        }
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        Example.run(command("-s", "-c 0")).failed(2, "-c must be 1 to 1000, was 0");
        Example.run(command("-s", "-t 256")).failed(2, "-t must be 0 to 255, was 256");
        Example.run(command("-s", "-t x")).failed(2, "'x' is no number");
        Example.run(command("-s", "-P tcp")).failed(2, "'tcp' is neither udp nor ipoib");
        Example.run(command("-s", "-p 0x106")).failed(2, "'0x106' is neither 0x111 nor 0x2");
        Example.run(command("-s", "-f mac")).failed(2, "'mac' is none of name, ip, ipv6");
        Example.run("udaddy", "-s", "localhost", "-f", "ip").failed(2, "localhost is not a number");
    }

    @Test
    void whatOnlyInfiniBandHasIsRefused() throws Exception {
        Example.run(command("-s", "-P ipoib")).failed(1, "needs an InfiniBand device");
        Example.run(command("-b", "-p 0x2")).failed(1, "needs an InfiniBand device");
        Example.run(command("-s", "-f gid")).failed(2, "option -f gid is not supported");
    }
}
