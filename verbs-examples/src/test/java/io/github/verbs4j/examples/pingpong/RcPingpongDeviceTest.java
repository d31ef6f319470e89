package io.github.verbs4j.examples.pingpong;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class RcPingpongDeviceTest {

    private PingpongPair pair;

    @BeforeEach
    void choosePort() throws Exception {
        pair = new PingpongPair("rc-pingpong");
    }

    // The C tool sleeps (-e) or makes few rounds: polling, it keeps the only processor of a guest
    // from this side for a whole time slice per message.
    @ParameterizedTest(name = "ours {0}, theirs -e")
    @ValueSource(
            strings = {
                "-n 200 -c",
                "-n 200 -c -e",
                "-n 20 -s 100000 -c -m 4096",
                "-n 50 -s 1 -r 2 -l 3 -i 1 -e",
                "-n 100 -c -N",
                "-n 50 -s 16 -N -e"
            })
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        pair.oursServes(options, withEvents(options));
    }

    @ParameterizedTest(name = "ours {0}, theirs -e")
    @ValueSource(
            strings = {
                "-n 200 -c",
                "-n 200 -c -e",
                "-n 20 -s 100000 -c -m 4096",
                "-n 50 -s 1 -r 2 -l 3 -i 1 -e",
                "-n 100 -c -N",
                "-n 50 -s 16 -N -e"
            })
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        pair.theirsServes(options, withEvents(options));
    }

    @Test
    void bothPoll() throws Exception {
        pair.theirsServes("-n 20", "-n 20");
    }

    private static String withEvents(String options) {
        return options.contains("-e") ? options : options + " -e";
    }

    @Test
    void aDeviceWithoutTimestampsIsSaid() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            if (TestDevice.isRxe(context)) {
                Example server = pair.ours("-t");
                server.await()
                        .failed(1, context.device().name() + " has no completion timestamps (-t)");
            }
        }
    }

    @Test
    void dataOfAPeerThatDoesNotMarkItIsCalledInvalid() throws Exception {
        Example server = pair.ours("-n 5 -s 8192 -c");
        Ports.awaitListener(pair.port);
        try (Tool client = pair.theirs("-n 5 -s 8192 -e", "127.0.0.1")) {
            client.await().succeeded();
            Result result = server.await().failed(1, "2 pages arrived damaged");
            assertTrue(result.out().contains("\ninvalid data in page 1\n"), result.out());
        }
    }

    @Test
    void aPeerThatIsKilledEndsTheExchange() throws Exception {
        Example server = pair.ours("-n 100000000 -e --patience 3");
        Ports.awaitListener(pair.port);
        try (Tool client = pair.theirs("-n 100000000 -e", "127.0.0.1")) {
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
        try (ServerSocket server = new ServerSocket(pair.port);
                Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            Example client = pair.ours("-n 5 -e", "127.0.0.1");
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
        Example server = pair.ours("");
        Ports.awaitListener(pair.port);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), pair.port)) {
            client.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes("US-ASCII"));
            server.await().failed(1, "the peer is no ping-pong tool: it sent \"GET / HTTP/1.1..\"");
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        pair.ours("", "127.0.0.1").await().failed(1, "could not connect to 127.0.0.1:" + pair.port);
        pair.ours("", "no.such.host.invalid").await().failed(1, "there is no host no.such.host");
    }
}
