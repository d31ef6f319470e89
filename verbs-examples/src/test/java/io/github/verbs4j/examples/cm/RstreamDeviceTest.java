package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.cm.RSocket;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@RequiresDevice
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RstreamDeviceTest {

    private static final String HEADER =
            "name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer";

    private String address;
    private int port;

    /** The first socket of a process takes its time, in which the peer would give up. */
    @BeforeAll
    static void firstSocket() {
        RSocket.create(false).close();
    }

    @BeforeEach
    void choosePort() {
        address = RdmaPorts.address().getHostAddress();
        port = RdmaPorts.free(PortSpace.TCP);
    }

    private String[] command(String role, String options) {
        return ("rstream " + role + " " + address + " -p " + port + " " + options)
                .trim()
                .split(" +");
    }

    private void awaitServer() throws Exception {
        RdmaPorts.awaitListener(PortSpace.TCP, port);
    }

    private static void assertReport(String name, Result result) {
        assertEquals(0, result.status(), result.toString());
        List<String> lines = result.out().lines().toList();
        assertEquals(HEADER, lines.getFirst());
        String numbers = " +[0-9]+\\.[0-9]{2}s +[0-9]+\\.[0-9]{2} +[0-9]+\\.[0-9]{2}";
        assertTrue(lines.getLast().matches(name + numbers), result.out());
    }

    /** Blocking on the C side: with one processor, spinning takes the time that the peer needs. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "-I 2 -C 10 -S 5000, -T v, custom    4.8k    10      2       195k   ",
        "-C 5 -S 200000, -T v -T b, custom    195k    5       1       1.9m   ",
        "-I 20 -C 1, -T v -T b -T a -B 8192, custom    1000    1       20      39k    ",
        "-C 3, -T v -T a -k 5 -T r, custom    1000    3       1       5.8k   "
    })
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String sizes, String manner, String report) throws Exception {
        Example server = Example.start(command("-b", sizes + " " + manner));
        awaitServer();
        assertReport(report.strip() + " +", Tool.run(command("-s", sizes + " -T b -T v")));
        assertReport(report.strip() + " +", server.await().succeeded());
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "-I 2 -C 10 -S 5000, -T v, custom    4.8k    10      2       195k   ",
        "-C 5 -S 200000, -T v -T b, custom    195k    5       1       1.9m   ",
        "-I 20 -C 1, -T v -T b -T a -B 8192, custom    1000    1       20      39k    ",
        "-C 3, -T v -T a -k 5 -T r, custom    1000    3       1       5.8k   "
    })
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String sizes, String manner, String report) throws Exception {
        try (Tool server = Tool.start(command("-b", sizes + " -T b -T v"))) {
            awaitServer();
            Example client = Example.start(command("-s", sizes + " " + manner));
            assertReport(report.strip() + " +", client.await().succeeded());
            assertReport(report.strip() + " +", server.await());
        }
    }

    @Test
    void bothSidesOfOurs() throws Exception {
        try (Tool server = JavaTool.start(command("-b", "-S 100000 -C 10 -T v -T b -k 7"))) {
            awaitServer();
            Example client =
                    Example.start(command("-s", "-S 100000 -C 10 -T v -T b -k 7 -b " + address));
            assertReport("custom    97k     10      1       1.9m   ", client.await().succeeded());
            String out = server.await().succeeded().out();
            assertTrue(out.startsWith(HEADER + "\nKeepalive: ON\n  time: 7\nKeepalive: ON\n"), out);
        }
    }

    @Test
    void aPeerThatDoesNotVerifyIsSaid() throws Exception {
        Example server = Example.start(command("-b", "-C 2 -T v -T b"));
        awaitServer();
        try (Tool client = Tool.start(command("-s", "-C 2 -T b"))) {
            server.await().failed(1, "rstream: data verification failed byte ");
            client.kill();
        }
    }

    @Test
    void aPeerWithOtherSizesIsSaid() throws Exception {
        Example server = Example.start(command("-b", "-C 3 -T b --patience 5"));
        awaitServer();
        try (Tool client = Tool.start(command("-s", "-C 2 -T b"))) {
            server.await().failed(1, "rstream: no data moves for 5 s: the peer is stuck, or has");
            client.kill();
        }
    }

    @Test
    void aServerOfAnotherKindIsSaid() throws Exception {
        try (Tool server = Tool.start("rping", "-s", "-a", address, "-p", "" + port)) {
            awaitServer();
            Example.run(command("-s", "-C 1")).failed(1, "has no rsockets: no rstream");
            server.kill();
        }
    }

    @Test
    void aPeerThatIsKilledIsSaid() throws Exception {
        try (Tool server = JavaTool.start(command("-b", "-I 1000000 -C 1 -T b -k 5"))) {
            awaitServer();
            Example client = Example.start(command("-s", "-I 1000000 -C 1 -T b"));
            // The second time it is about the accepted socket, so the client is connected.
            server.awaitOutput("Keepalive: ON\n  time: 5\nKeepalive: ON");
            server.kill();
            client.await().failed(1, "rstream: the peer has disconnected");
        }
    }

    @Test
    void aServerThatIsNotThereAndAClientThatDoesNotComeAreSaid() throws Exception {
        Example.run(command("-s", "")).failed(1, "rstream: rconnect failed: ECONNREFUSED");
        Example.run(command("-b", "--patience 1")).failed(1, "raccept");
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        Example.run(command("-s", "-S 0")).failed(2, "'0' is not 1 or more");
        Example.run(command("-s", "-I 0")).failed(2, "-I must be 1 to ");
        Example.run(command("-s", "-T x")).failed(2, "'x' is none of v, b, n, a, r");
        Example.run(command("-s", "-T s")).failed(2, "option -T s is not supported: ");
        Example.run(command("-s", "-T fork")).failed(2, "option -T f is not supported: ");
    }
}
