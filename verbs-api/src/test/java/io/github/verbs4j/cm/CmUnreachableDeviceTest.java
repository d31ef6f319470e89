package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Addresses that no RDMA device serves, as a container's own network has: what users meet first.
 * Needs root, for a network of that kind.
 */
@RequiresDevice(Kind.RXE)
class CmUnreachableDeviceTest {

    private static final String NET = "verbs4jtest";
    private static final String OWN = "172.31.77.1";
    private static final ConnectionOptions SHORT =
            new ConnectionOptions().timeout(Duration.ofSeconds(3));

    private static void ip(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "ip";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    @BeforeAll
    static void makeNetwork() throws Exception {
        ip("link", "add", NET, "type", "dummy");
        ip("addr", "add", OWN + "/24", "dev", NET);
        ip("link", "set", NET, "up");
    }

    @AfterAll
    static void removeNetwork() throws Exception {
        ip("link", "del", NET);
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    @Test
    @DisplayName("a listener on an address without a device is told which addresses have one")
    void listen() {
        VerbsException refused =
                assertThrows(VerbsException.class, () -> RdmaListener.bind(at(OWN, 0)));
        assertEquals("rdma_bind_addr", refused.verb());
        assertTrue(refused.getMessage().contains(OWN), refused::toString);
        assertTrue(
                refused.getMessage().contains(CmAddress.of(Kind.RXE).getHostAddress()),
                refused::toString);
        VerbsException socket =
                assertThrows(VerbsException.class, () -> RServerSocket.bind(at(OWN, 0)));
        assertEquals(refused.errno(), socket.errno());
        assertTrue(socket.getMessage().contains(TestDevice.get(Kind.RXE).name()), socket::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, "172.31.77.9", "127.0.0.1"})
    @DisplayName("connecting through a network without a device fails at once, with a reason")
    void connect(String host) {
        VerbsException refused =
                assertThrows(
                        VerbsException.class, () -> RdmaConnection.connect(at(host, 7000), SHORT));
        assertTrue(refused.errno() != 0, refused::toString);
        assertTrue(refused.getMessage().contains(host), refused::toString);
        VerbsException socket =
                assertThrows(
                        VerbsException.class,
                        () -> RSocket.connectTo(at(host, 7000), Duration.ofSeconds(3)));
        assertTrue(socket.errno() != 0, socket::toString);
        assertTrue(socket.getMessage().contains(host), socket::toString);
    }

    @Test
    @DisplayName("a route that cannot be found ends the wait, and names itself")
    void routeError() {
        RawEvent failed =
                new RawEvent(
                        CmEventType.ROUTE_ERROR,
                        CmEventType.ROUTE_ERROR.value(),
                        -Errno.ETIMEDOUT,
                        0,
                        0,
                        new byte[0],
                        null,
                        null,
                        0,
                        0);
        CmException told =
                assertThrows(
                        CmException.class,
                        () ->
                                new CmEvent(failed, null, null, null)
                                        .expect(CmEventType.ROUTE_RESOLVED));
        assertEquals(Errno.ETIMEDOUT, told.errno());
        assertTrue(
                told.getMessage().contains("waited for ROUTE_RESOLVED, got ROUTE_ERROR"),
                told::toString);
        assertTrue(told.getMessage().contains("no path"), told::toString);
    }
}
