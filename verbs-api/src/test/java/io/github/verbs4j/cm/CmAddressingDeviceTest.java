package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_ERROR;
import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.ROUTE_RESOLVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Binding, listening and resolving. */
@RequiresDevice(TestDevice.Kind.RXE)
class CmAddressingDeviceTest {

    private static final Duration RESOLVE = CmPair.RESOLVE;

    private final EventChannel events = EventChannel.create();

    @AfterEach
    void close() {
        events.close();
    }

    private CmId id() {
        return events.createId(PortSpace.TCP);
    }

    private static int errno(Runnable code) {
        return assertThrows(VerbsException.class, code::run).errno();
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    @ParameterizedTest
    @EnumSource(
            value = TestDevice.Kind.class,
            names = {"RXE", "SIW"})
    @DisplayName("CM-04 binding to a device's address gives the id its device and a port")
    void bindsToDevice(TestDevice.Kind kind) {
        CmId id = id();
        assertNull(id.context());
        assertNull(id.getLocalAddr());
        assertEquals(0, id.getSrcPort());
        id.bindAddr(CmAddress.of(kind, 0));
        assertEquals(TestDevice.get(kind).name(), id.context().device().name());
        assertEquals(1, id.portNum());
        assertEquals(CmState.BOUND, id.state());
        assertNotEquals(0, id.getSrcPort());
        assertEquals(CmAddress.of(kind, id.getSrcPort()), id.getLocalAddr());
    }

    @Test
    @DisplayName("CM-04 a port is taken once per port space")
    void portIsTaken() {
        CmId first = id();
        first.bindAddr(CmAddress.of(TestDevice.Kind.RXE, 0));
        InetSocketAddress taken = first.getLocalAddr();
        CmId second = id();
        VerbsException refused = assertThrows(VerbsException.class, () -> second.bindAddr(taken));
        assertEquals(Errno.EADDRINUSE, refused.errno());
        assertTrue(refused.getMessage().contains("setReuseAddr"), refused.getMessage());
        events.createId(PortSpace.UDP).bindAddr(taken);
    }

    @Test
    @DisplayName("CM-25 two ids that reuse addresses share a port")
    void reuseAddr() {
        CmId first = id();
        first.setReuseAddr(true);
        first.bindAddr(CmAddress.of(TestDevice.Kind.RXE, 0));
        CmId second = id();
        second.setReuseAddr(true);
        second.bindAddr(first.getLocalAddr());
        assertEquals(first.getLocalAddr(), second.getLocalAddr());
    }

    @Test
    @DisplayName("CM-04 an address of another machine is refused, naming those of the devices")
    void foreignAddress() {
        VerbsException refused =
                assertThrows(VerbsException.class, () -> id().bindAddr(address("192.0.2.1", 0)));
        assertEquals(Errno.EADDRNOTAVAIL, refused.errno());
        String own = CmAddress.of(TestDevice.Kind.RXE).getHostAddress();
        assertTrue(refused.getMessage().contains(own), refused.getMessage());
        assertEquals(Errno.EADDRNOTAVAIL, errno(() -> id().bindAddr(address("224.0.0.1", 0))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "::"})
    @DisplayName(
            "CM-04 the wildcard and the loopback address bind to no device; a queue pair is"
                    + " refused")
    void noDevice(String host) {
        CmId id = id();
        id.bindAddr(address(host, 0));
        assertNull(id.context());
        IllegalStateException refused = assertThrows(IllegalStateException.class, id::pd);
        assertTrue(refused.getMessage().contains("needs a device"), refused.getMessage());
    }

    @Test
    @DisplayName("CM-04 a loopback address that has no device is explained")
    void loopbackExplained() {
        String text = CmDevices.explain(InetAddress.ofLiteral("127.0.0.1"));
        assertTrue(text.contains("the loopback interface has no RDMA device"), text);
        assertTrue(text.contains(TestDevice.get(TestDevice.Kind.RXE).name()), text);
    }

    @Test
    @DisplayName("CM-04 an unresolved host name is refused before the call")
    void unresolved() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host", 1);
        assertThrows(IllegalArgumentException.class, () -> id().bindAddr(unknown));
        assertThrows(IllegalArgumentException.class, () -> id().resolveAddr(unknown, RESOLVE));
    }

    @Test
    @DisplayName("CM-04 binding twice is refused by the state")
    void bindTwice() {
        CmId id = id();
        id.bindAddr(CmAddress.of(TestDevice.Kind.RXE, 0));
        IllegalStateException refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> id.bindAddr(CmAddress.of(TestDevice.Kind.RXE, 0)));
        assertEquals(
                "rdma_bind_addr is not possible in state BOUND, only in [IDLE]",
                refused.getMessage());
    }

    @Test
    @DisplayName("a link-local IPv6 address is bound with its scope, and read back with it")
    void linkLocal() throws Exception {
        InetAddress local = CmAddress.linkLocal(TestDevice.Kind.RXE);
        CmId id = id();
        id.bindAddr(new InetSocketAddress(local, 0));
        Inet6Address read = (Inet6Address) id.getLocalAddr().getAddress();
        assertEquals(local, read);
        assertEquals(((Inet6Address) local).getScopeId(), read.getScopeId());
        assertNotEquals(0, read.getScopeId());
        CmId client = id();
        client.resolveAddr(new InetSocketAddress(local, 1), RESOLVE);
        client.await(ADDR_RESOLVED);
        assertEquals(local, client.getPeerAddr().getAddress());
        assertEquals(1, client.getDstPort());
    }

    @Test
    @DisplayName("CM-05 an unbound id listens on a port of its own; a second listen is refused")
    void listenUnbound() {
        CmId id = id();
        id.listen(4);
        assertEquals(CmState.LISTENING, id.state());
        assertNotEquals(0, id.getSrcPort());
        assertThrows(IllegalStateException.class, () -> id.listen(4));
    }

    @Test
    @DisplayName("CM-06 own, loopback and wildcard addresses resolve to the device")
    void resolves() throws Exception {
        List<InetAddress> hosts =
                List.of(
                        CmAddress.of(TestDevice.Kind.RXE),
                        InetAddress.ofLiteral("127.0.0.1"),
                        InetAddress.ofLiteral("0.0.0.0"));
        for (InetAddress host : hosts) {
            CmId id = id();
            id.resolveAddr(new InetSocketAddress(host, 7), RESOLVE);
            assertEquals(CmState.RESOLVING_ADDR, id.state());
            CmEvent event = events.await(ADDR_RESOLVED);
            assertSame(id, event.id());
            assertEquals(0, event.status());
            assertEquals(CmState.ADDR_RESOLVED, id.state());
            assertNotNull(id.context());
            assertEquals(1, id.portNum());
            assertNotEquals(0, id.getSrcPort());
            assertEquals(7, id.getDstPort());
        }
    }

    @Test
    @DisplayName("CM-07 an address without a route is refused at once, without an event")
    void noRoute() throws Exception {
        CmId id = id();
        VerbsException refused =
                assertThrows(
                        VerbsException.class,
                        () -> id.resolveAddr(address("192.0.2.1", 7), RESOLVE));
        assertEquals(Errno.ENETUNREACH, refused.errno());
        assertTrue(refused.getMessage().contains("no route"), refused.getMessage());
        assertNull(events.getCmEvent(Duration.ZERO));
        assertEquals(
                Errno.ENETUNREACH,
                errno(() -> id().resolveAddr(address("255.255.255.255", 7), RESOLVE)));
        assertEquals(
                Errno.EADDRNOTAVAIL,
                errno(
                        () ->
                                id().resolveAddr(
                                                address("192.0.2.1", 0),
                                                CmAddress.of(TestDevice.Kind.RXE, 7),
                                                RESOLVE)));
    }

    @Test
    @DisplayName("CM-07 a timeout of nothing is refused, and so is resolving twice")
    void resolveTwice() throws Exception {
        InetSocketAddress peer = CmAddress.of(TestDevice.Kind.RXE, 7);
        CmId id = id();
        assertThrows(IllegalArgumentException.class, () -> id.resolveAddr(peer, Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class, () -> id.resolveAddr(peer, Duration.ofMillis(-1)));
        id.resolveAddr(peer, RESOLVE);
        assertThrows(IllegalStateException.class, () -> id.resolveAddr(peer, RESOLVE));
        id.await(ADDR_RESOLVED);
        assertThrows(IllegalStateException.class, () -> id.resolveAddr(peer, RESOLVE));
    }

    @Test
    @DisplayName(
            "CM-08 an address that does not answer ARP ends in ADDR_ERROR; the id may try again")
    void noArpAnswer() throws Exception {
        InetAddress own = CmAddress.of(TestDevice.Kind.RXE);
        String net = NetworkInterface.getByInetAddress(own).getName();
        Assumptions.assumeTrue(
                run("ip", "-d", "link", "show", net).contains(" dummy "),
                "changes the net device, so it must be a dummy one");
        byte[] silent = own.getAddress();
        silent[3] = 99;
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getByAddress(silent), 7);
        run("ip", "link", "set", net, "arp", "on");
        try {
            CmId id = id();
            id.resolveAddr(peer, Duration.ofMillis(300));
            CmException failed = assertThrows(CmException.class, () -> id.await(ADDR_RESOLVED));
            assertEquals(ADDR_ERROR, failed.type());
            assertEquals(-Errno.ETIMEDOUT, failed.status());
            assertEquals(Errno.ETIMEDOUT, failed.errno());
            assertTrue(failed.getMessage().contains("did not answer"), failed.getMessage());
            assertNull(id.context());
            id.resolveAddr(CmAddress.of(TestDevice.Kind.RXE, 7), RESOLVE);
            id.await(ADDR_RESOLVED);
        } finally {
            run("ip", "link", "set", net, "arp", "off");
        }
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("CM-09 the route resolves once; connecting before it is refused")
    void resolveRoute() throws Exception {
        CmId id = id();
        id.resolveAddr(CmAddress.of(TestDevice.Kind.RXE, 7), RESOLVE);
        id.await(ADDR_RESOLVED);
        assertThrows(IllegalStateException.class, () -> id.connect(new ConnParam()));
        id.resolveRoute(RESOLVE);
        id.await(ROUTE_RESOLVED);
        assertEquals(CmState.ROUTE_RESOLVED, id.state());
        assertThrows(IllegalStateException.class, () -> id.resolveRoute(RESOLVE));
    }

    @Test
    @DisplayName("CM-10 ids on a device share one context and one default domain, which stay open")
    void sharedContext() throws Exception {
        CmId first = id();
        first.bindAddr(CmAddress.of(TestDevice.Kind.RXE, 0));
        CmId second = id();
        second.resolveAddr(CmAddress.of(TestDevice.Kind.RXE, 7), RESOLVE);
        second.await(ADDR_RESOLVED);
        Context context = first.context();
        assertSame(context, second.context());
        assertSame(first.pd(), second.pd());
        assertTrue(CmDevices.list().contains(context));
        assertSame(first.pd(), CmDevices.defaultPd(context));
        first.pd().close();
        context.close();
        assertTrue(context.isOpen());
        assertTrue(first.pd().isOpen());
        first.close();
        second.close();
        assertFalse(first.isOpen());
        try (var mr = CmDevices.defaultPd(context).allocateMr(4096)) {
            assertTrue(mr.isOpen());
        }
        assertTrue(CmDevices.addresses(context).contains(CmAddress.of(TestDevice.Kind.RXE)));
    }

    @Test
    @DisplayName("CM-10 a context that was opened by the program has no default domain for ids")
    void foreignContext() {
        try (Context own = TestDevice.get(TestDevice.Kind.RXE).open()) {
            assertThrows(IllegalArgumentException.class, () -> CmDevices.defaultPd(own));
        }
    }
}
