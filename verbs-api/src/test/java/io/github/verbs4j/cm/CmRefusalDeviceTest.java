package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.github.verbs4j.cm.CmEventType.REJECTED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Peers that reject, do not answer, or are not there. */
@RequiresDevice(TestDevice.Kind.RXE)
class CmRefusalDeviceTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration ALL_COME = Duration.ofMillis(1500);

    private static byte[] bytes(int length) {
        byte[] result = new byte[length];
        for (int i = 0; i < length; i++) {
            result[i] = (byte) (i + 1);
        }
        return result;
    }

    @Test
    @DisplayName("CM-15 a closed port rejects with a reason that is explained")
    void closedPort() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve();
            pair.listener.close();
            pair.client.connect(new ConnParam());
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(REJECTED, refused.type());
            assertEquals(8, refused.status());
            assertEquals(RejectReason.INVALID_SERVICE_ID, refused.rejectReason());
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            assertTrue(refused.getMessage().contains("nobody listens"), refused.getMessage());
            assertEquals(QpState.ERR, pair.clientQp.state());
            assertEquals(CmState.FAILED, pair.client.state());
        }
    }

    @Test
    @DisplayName("CM-15 iWARP refuses the call to a closed port")
    void closedPortIwarp() throws Exception {
        try (CmPair pair = new CmPair(Kind.SIW, PortSpace.TCP)) {
            pair.resolve();
            pair.listener.close();
            VerbsException refused =
                    assertThrows(VerbsException.class, () -> pair.client.connect(new ConnParam()));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            assertTrue(refused.getMessage().contains("nobody listens"), refused.getMessage());
            assertEquals(CmState.FAILED, pair.client.state());
        }
    }

    @Test
    @DisplayName("CM-16 a rejection brings its private data; nothing works on either id afterwards")
    void reject() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            pair.server.reject(bytes(148));
            assertThrows(IllegalStateException.class, () -> pair.server.reject());
            assertThrows(IllegalStateException.class, () -> pair.server.accept(new ConnParam()));
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(RejectReason.CONSUMER_DEFINED, refused.rejectReason());
            assertArrayEquals(bytes(148), refused.privateData());
            assertThrows(IllegalStateException.class, () -> pair.client.connect(new ConnParam()));
        }
    }

    @Test
    @DisplayName("CM-16 an iWARP rejection brings its private data and an errno")
    void rejectIwarp() throws Exception {
        try (CmPair pair = new CmPair(Kind.SIW, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            pair.server.reject(bytes(3));
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(REJECTED, refused.type());
            assertEquals(-Errno.ECONNRESET, refused.status());
            assertNull(refused.rejectReason());
            assertArrayEquals(bytes(3), refused.privateData());
        }
    }

    @Test
    @DisplayName("CM-33 a rejection for the vendor options says so")
    void rejectEce() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            pair.server.rejectEce();
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(RejectReason.VENDOR_OPTION_NOT_SUPPORTED, refused.rejectReason());
        }
    }

    @Test
    @DisplayName("CM-17 waiting for a silent host ends with our timeout, and closing does not hang")
    void silentHost() throws Exception {
        byte[] silent = CmAddress.of(Kind.RXE).getAddress();
        silent[3] = 99;
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.client.resolveAddr(
                    new InetSocketAddress(InetAddress.getByAddress(silent), 7), CmPair.RESOLVE);
            pair.client.await(CmEventType.ADDR_RESOLVED);
            pair.resolveRoute();
            pair.client.connect(new ConnParam());
            assertThrows(TimeoutException.class, () -> pair.client.await(ESTABLISHED, SHORT));
        }
    }

    @Test
    @DisplayName("CM-18 waiting for a server that never answers ends with our timeout")
    void silentServer() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            assertThrows(TimeoutException.class, () -> pair.client.await(ESTABLISHED, SHORT));
            pair.client.close();
            assertThrows(
                    VerbsException.class,
                    () -> {
                        pair.server.accept(new ConnParam());
                        pair.server.await(ESTABLISHED);
                    });
        }
    }

    @Test
    @DisplayName("CM-19 a server that closes the request rejects it, and leaves no event")
    void closedRequest() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve().connect(new ConnParam());
            pair.server.close();
            CmException refused =
                    assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertEquals(RejectReason.CONSUMER_DEFINED, refused.rejectReason());
            assertNull(pair.serverEvents.getCmEvent(Duration.ZERO));
        }
    }

    @Test
    @DisplayName("CM-19 a listener that closes rejects the request that nobody took")
    void closedListener() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            pair.resolve();
            pair.client.connect(new ConnParam());
            pair.listener.close();
            assertThrows(CmException.class, () -> pair.client.await(ESTABLISHED));
            assertNull(pair.serverEvents.getCmEvent(Duration.ZERO));
        }
    }

    @Test
    @DisplayName("CM-20 requests beyond the backlog are dropped in silence")
    void backlog() throws Exception {
        try (CmPair pair = new CmPair(Kind.RXE, PortSpace.TCP)) {
            CmId narrow = pair.serverEvents.createId(PortSpace.TCP);
            narrow.bindAddr(CmAddress.of(Kind.RXE, 0));
            narrow.listen(1);
            for (int i = 0; i < 4; i++) {
                CmId client = pair.clientEvents.createId(PortSpace.TCP);
                client.resolveAddr(narrow.getLocalAddr(), CmPair.RESOLVE);
                client.await(CmEventType.ADDR_RESOLVED);
                client.resolveRoute(CmPair.RESOLVE);
                client.await(CmEventType.ROUTE_RESOLVED);
                client.createQp(pair.attr(client));
                client.connect(new ConnParam());
            }
            // Taking the first request makes room for another one, so first let all come.
            // Soft-RoCE sends them again after four seconds.
            assertNull(pair.clientEvents.getCmEvent(ALL_COME));
            CmEvent only = narrow.await(CONNECT_REQUEST);
            assertNull(narrow.getCmEvent(SHORT));
            only.id().close();
        }
    }
}
