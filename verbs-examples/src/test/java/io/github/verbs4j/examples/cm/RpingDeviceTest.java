package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.SendFlags;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class RpingDeviceTest {

    private String address;
    private int port;

    @BeforeEach
    void choosePort() {
        address = RdmaPorts.address().getHostAddress();
        port = RdmaPorts.free(PortSpace.TCP);
    }

    private String[] command(String role, String options) {
        return Stream.of(("rping " + role + " -a " + address + " -p " + port + " " + options))
                .flatMap(line -> Stream.of(line.trim().split(" +")))
                .toArray(String[]::new);
    }

    private void awaitServer() throws Exception {
        RdmaPorts.awaitListener(PortSpace.TCP, port);
    }

    private static void assertPings(String out, String prefix, int count) {
        assertEquals(count, out.lines().filter(line -> line.startsWith(prefix)).count(), out);
        assertTrue(out.startsWith(prefix + "rdma-ping-0: ABCDEF"), out);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"-v -V -C 5", "-v -V -C 3 -S 26", "-v -V -C 3 -S 65535", "-v -V -C 3 -q"})
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC(String options) throws Exception {
        Example server = Example.start(command("-s", options));
        awaitServer();
        try (Tool client = Tool.start(command("-c", options))) {
            Result c = client.await();
            assertEquals(0, c.status(), c.toString());
            int count = options.contains("-C 5") ? 5 : 3;
            assertPings(c.out(), "ping data: ", count);
            assertPings(server.await().succeeded().out(), "server ping data: ", count);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"-v -V -C 5", "-v -V -C 3 -S 26", "-v -V -C 3 -S 65535", "-v -V -C 3 -q"})
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC(String options) throws Exception {
        try (Tool server = Tool.start(command("-s", options))) {
            awaitServer();
            Example client = Example.start(command("-c", options));
            int count = options.contains("-C 5") ? 5 : 3;
            assertPings(client.await().succeeded().out(), "ping data: ", count);
            assertPings(server.await().out(), "server ping data: ", count);
        }
    }

    @Test
    @DisplayName("both sides of ours, each with a queue pair of its own making")
    void bothSidesOfOursWithOwnQueuePairs() throws Exception {
        try (Tool server = JavaTool.start(command("-s", "-v -C 3 -q"))) {
            awaitServer();
            Example client = Example.start(command("-c", "-v -V -C 3 -q -I " + address));
            assertPings(client.await().succeeded().out(), "ping data: ", 3);
            assertPings(server.await().succeeded().out(), "server ping data: ", 3);
        }
    }

    @Test
    void eachStepIsShown() throws Exception {
        try (Tool server = Tool.start(command("-s", "-C 1"))) {
            awaitServer();
            String out = Example.run(command("-c", "-C 1 -d")).succeeded().out();
            String each =
                    "RDMA addr [0-9a-f]+ rkey [0-9a-f]+ len 64\\n"
                            + "send completion\\nrecv completion\\n";
            assertTrue(out.matches("created qp 0x[0-9a-f]{6}\\n(" + each + "){2}"), out);
            assertEquals(0, server.await().status());
        }
    }

    @Test
    void aServerThatIsKilledEndsTheClientWithItsOwnQueuePair() throws Exception {
        try (Tool server = Tool.start(command("-s", ""))) {
            awaitServer();
            Example client = Example.start(command("-c", "-v -q"));
            client.awaitOutput("rdma-ping-5");
            server.kill();
            client.await().failed(1, "rping: the peer has disconnected");
        }
    }

    @Test
    void aPersistentServerServesOneClientAfterAnother() throws Exception {
        try (Tool server = JavaTool.start(command("-s", "-P"))) {
            awaitServer();
            assertEquals(0, Tool.run(command("-c", "-V -C 3")).status());
            try (Tool tooLarge = Tool.start(command("-c", "-S 100 -C 2"))) {
                Result c = Tool.run(command("-c", "-v -V -C 2"));
                assertEquals(0, c.status(), c.toString());
                assertPings(c.out(), "ping data: ", 2);
                tooLarge.kill();
            }
            server.kill();
        }
    }

    @Test
    void thePersistentServerInCServesOurClients() throws Exception {
        try (Tool server = Tool.start(command("-s", "-P"))) {
            awaitServer();
            Example.run(command("-c", "-V -C 3")).succeeded();
            Example.run(command("-c", "-V -C 3")).succeeded();
            server.kill();
        }
    }

    @Test
    void aServerThatIsKilledEndsTheClient() throws Exception {
        try (Tool server = Tool.start(command("-s", ""))) {
            awaitServer();
            Example client = Example.start(command("-c", "-v"));
            client.awaitOutput("rdma-ping-5");
            server.kill();
            client.await().failed(1, "rping: the peer has disconnected");
        }
    }

    @Test
    void aClientThatSpeaksAnotherProtocolIsSaid() throws Exception {
        Example server = Example.start(command("-s", ""));
        awaitServer();
        try (RdmaConnection client =
                        RdmaConnection.connect(
                                new InetSocketAddress(RdmaPorts.address(), port),
                                new ConnectionOptions());
                MemoryRegion text = client.pd().allocateMr(16)) {
            client.verbs().postSend(1, text, 0, 5, SendFlags.SIGNALED);
            client.verbs().getSendComp(Duration.ofSeconds(10));
            server.await().failed(1, "Received bogus data, size 5: the peer is no rping");
        }
    }

    @Test
    void aClientWithLargerPingsIsSaid() throws Exception {
        Example server = Example.start(command("-s", "-S 64"));
        awaitServer();
        try (Tool client = Tool.start(command("-c", "-S 100 -C 2"))) {
            server.await()
                    .failed(1, "the client pings with 100 bytes, this server has room for 64");
            client.kill();
        }
    }

    @Test
    void aServerThatIsNotThereIsSaid() throws Exception {
        Example.run(command("-c", "")).failed(1, "rping: ");
        Example.run(command("-c", "-q")).failed(1, "REJECTED");
        Example.run(command("-c", "-I 192.0.2.1")).failed(1, "EADDRNOTAVAIL");
        Example.run("rping", "-c").failed(2, "the client needs the server's address (-a)");
        Example.run("rping", "-c", "-a", "no.such.host.invalid").failed(1, "there is no host no.s");
        Example.run("rping", "-s", "-p", String.valueOf(port), "--patience", "1")
                .failed(1, "CONNECT_REQUEST");
    }
}
