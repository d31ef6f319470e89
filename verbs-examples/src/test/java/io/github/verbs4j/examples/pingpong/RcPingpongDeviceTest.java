package io.github.verbs4j.examples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class RcPingpongDeviceTest {

    private static String device;
    private static String gid;
    private int port;

    @BeforeAll
    static void chooseDevice() {
        Device roce = TestDevice.get(TestDevice.Kind.ROCE);
        device = roce.name();
        try (Context context = roce.open()) {
            gid = String.valueOf(context.defaultGid(1).index());
        }
    }

    @BeforeEach
    void choosePort() throws Exception {
        port = Ports.free();
    }

    /** The options of both sides, then those of one. */
    private String[] command(String name, String options, String... host) {
        String common = "-d %s -g %s -p %d %s".formatted(device, gid, port, options).trim();
        return Stream.of(Stream.of(name), Stream.of(common.split(" +")), Stream.of(host))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    private Example ours(String options, String... host) {
        return Example.start(command("rc-pingpong", options, host));
    }

    private Tool theirs(String options, String... host) throws Exception {
        return Tool.start(command("ibv_rc_pingpong", options, host));
    }

    /** The lines of both sides, numbers apart: each must have the C tool's form. */
    private static void assertSameLines(Result c, Result java, String options) {
        long iters = number(options, "-n", 1000);
        long bytes = number(options, "-s", 4096) * iters * 2;
        for (Result result : List.of(c.succeeded(), java.succeeded())) {
            List<String> lines = result.out().lines().toList();
            assertEquals(4, lines.size(), result.out());
            assertTrue(lines.get(2).matches(bytes + " bytes in .* seconds = .* Mbit/sec"));
            assertTrue(lines.get(3).matches(iters + " iters in .* seconds = .* usec/iter"));
        }
        assertEquals(address(c, "local address: "), address(java, "remote address:"));
        assertEquals(address(java, "local address: "), address(c, "remote address:"));
    }

    private static String address(Result result, String which) {
        return result.out()
                .lines()
                .filter(line -> line.startsWith("  " + which + " "))
                .map(line -> line.substring(which.length() + 3))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.toString()));
    }

    // The C tool sleeps (-e) or makes few rounds: polling, it keeps the only processor of a guest
    // from this side for a whole time slice per message.
    @ParameterizedTest(name = "ours {0}, theirs -e")
    @ValueSource(
            strings = {
                "-n 200 -c",
                "-n 200 -c -e",
                "-n 20 -s 100000 -c -m 4096",
                "-n 50 -s 1 -r 2 -e"
            })
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        Example server = ours(options);
        Ports.awaitListener(port);
        try (Tool client = theirs(withEvents(options), "127.0.0.1")) {
            assertSameLines(client.await(), server.await(), options);
        }
    }

    @ParameterizedTest(name = "ours {0}, theirs -e")
    @ValueSource(
            strings = {
                "-n 200 -c",
                "-n 200 -c -e",
                "-n 20 -s 100000 -c -m 4096",
                "-n 50 -s 1 -r 2 -e"
            })
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        try (Tool server = theirs(withEvents(options))) {
            Ports.awaitListener(port);
            Example client = ours(options, "127.0.0.1");
            assertSameLines(server.await(), client.await(), options);
        }
    }

    @Test
    void bothPoll() throws Exception {
        try (Tool server = theirs("-n 20")) {
            Ports.awaitListener(port);
            Example client = ours("-n 20", "127.0.0.1");
            assertSameLines(server.await(), client.await(), "-n 20");
        }
    }

    private static String withEvents(String options) {
        return options.contains("-e") ? options : options + " -e";
    }

    private static long number(String options, String option, long otherwise) {
        List<String> words = List.of(options.split(" "));
        int at = words.indexOf(option);
        return at < 0 ? otherwise : Long.parseLong(words.get(at + 1));
    }

    @Test
    void dataOfAPeerThatDoesNotMarkItIsCalledInvalid() throws Exception {
        Example server = ours("-n 5 -s 8192 -c");
        Ports.awaitListener(port);
        try (Tool client = theirs("-n 5 -s 8192 -e", "127.0.0.1")) {
            client.await().succeeded();
            Result result = server.await().failed(1, "2 pages arrived damaged");
            assertTrue(result.out().contains("\ninvalid data in page 1\n"), result.out());
        }
    }

    @Test
    void aPeerThatIsKilledEndsTheExchange() throws Exception {
        Example server = ours("-n 100000000 -e --patience 20");
        Ports.awaitListener(port);
        try (Tool client = theirs("-n 100000000 -e", "127.0.0.1")) {
            server.awaitOutput("remote address");
            client.kill();
            Result result = server.await();
            boolean noticed =
                    result.err().contains("RETRY_EXC_ERR") || result.err().contains("is gone");
            assertTrue(noticed, result.toString());
            result.failed(1, "rc-pingpong: ");
        }
    }

    @Test
    void aQueuePairThatDoesNotAnswerEndsTheExchange() throws Exception {
        try (ServerSocket server = new ServerSocket(port);
                Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            Example client = ours("-n 5 -e", "127.0.0.1");
            try (Socket peer = server.accept()) {
                peer.getInputStream().readNBytes(PingpongAddress.BYTES);
                peer.getOutputStream()
                        .write(
                                new PingpongAddress(0, 0xfffffe, 1, context.defaultGid(1).gid())
                                        .toBytes());
                client.await().failed(1, "RETRY_EXC_ERR");
            }
        }
    }

    @Test
    void aPeerThatIsNoPingpongToolIsSaid() throws Exception {
        Example server = ours("");
        Ports.awaitListener(port);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes("US-ASCII"));
            server.await().failed(1, "the peer is no ping-pong tool: it sent \"GET / HTTP/1.1..\"");
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        ours("", "127.0.0.1").await().failed(1, "could not connect to 127.0.0.1:" + port);
        ours("", "no.such.host.invalid").await().failed(1, "there is no host no.such.host");
    }
}
