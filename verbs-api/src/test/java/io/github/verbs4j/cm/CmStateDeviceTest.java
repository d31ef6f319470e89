package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Calls in the wrong state, waits, channels and options: what must not crash or hang. */
@RequiresDevice(TestDevice.Kind.RXE)
class CmStateDeviceTest {

    private static final TestDevice.Kind RXE = TestDevice.Kind.RXE;
    private static final Duration SHORT = Duration.ofMillis(100);

    private static void refusedInState(CmId id, Executable... calls) {
        for (Executable call : calls) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, call);
            assertTrue(
                    refused.getMessage().contains("in state " + id.state()), refused.getMessage());
        }
    }

    private static Executable[] connectionCalls(CmId id) {
        return new Executable[] {
            () -> id.resolveRoute(CmPair.RESOLVE),
            () -> id.connect(new ConnParam()),
            () -> id.accept(new ConnParam()),
            () -> id.reject(),
            () -> id.rejectEce(),
            () -> id.establish(),
            () -> id.notifyCommEst(),
            () -> id.disconnect(),
        };
    }

    @Test
    @DisplayName(
            "CM-23 connection calls on new, bound and listening ids are refused, naming the state")
    void wrongState() {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            refusedInState(id, connectionCalls(id));
            id.bindAddr(CmAddress.of(RXE, 0));
            refusedInState(id, connectionCalls(id));
            id.listen(1);
            refusedInState(id, connectionCalls(id));
            assertThrows(
                    IllegalStateException.class,
                    () -> id.joinMulticast(InetAddress.ofLiteral("239.1.1.1")));
        }
    }

    @Test
    @DisplayName("CM-11 a queue pair needs a device, once, of the id's context and type")
    void createQpRules() throws Exception {
        try (EventChannel events = EventChannel.create();
                Context own = TestDevice.get(RXE).open();
                ProtectionDomain ownPd = own.allocPd();
                CompletionQueue ownCq = own.createCq(4)) {
            Context shared =
                    CmDevices.list().stream()
                            .filter(each -> each.device().name().equals(own.device().name()))
                            .findFirst()
                            .orElseThrow();
            CompletionQueue cq = shared.createCq(4);
            ProtectionDomain pd = shared.allocPd();
            CmId id = events.createId(PortSpace.TCP);
            QpInitAttr rc = new QpInitAttr(QpType.RC, cq);
            assertThrows(IllegalStateException.class, () -> id.createQp(rc));
            assertThrows(IllegalStateException.class, () -> id.createQp(pd, rc));
            assertThrows(IllegalStateException.class, () -> id.initQpAttr(QpState.INIT));
            id.resolveAddr(CmAddress.of(RXE, 7), CmPair.RESOLVE);
            id.await(ADDR_RESOLVED);
            assertThrows(IllegalArgumentException.class, () -> id.createQp(ownPd, rc));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> id.createQp(new QpInitAttr(QpType.RC, ownCq)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> id.createQp(new QpInitAttr(QpType.UD, cq)));
            QueuePair qp = id.createQp(pd, rc);
            assertEquals(QpState.INIT, qp.state());
            assertSame(qp, id.qp());
            assertSame(pd, qp.pd());
            assertThrows(IllegalStateException.class, () -> id.createQp(rc));
            qp.close();
            assertNull(id.qp());
            QueuePair second = id.createQp(rc);
            assertSame(id.pd(), second.pd());
            cq.close();
            assertFalse(second.isOpen(), "closing its queue closes the queue pair");
            id.close();
            pd.close();
        }
    }

    @Test
    @DisplayName("CM-11 capabilities that the device lacks are explained, and the id can try again")
    void impossibleCapabilities() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP)) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            pair.client.await(ADDR_RESOLVED);
            QpInitAttr attr = pair.attr(pair.client).maxSendWr(100_000_000);
            VerbsException refused =
                    assertThrows(VerbsException.class, () -> pair.client.createQp(attr));
            assertEquals("rdma_create_qp", refused.verb());
            assertNotNull(pair.client.createQp(attr.maxSendWr(4)));
        }
    }

    @Test
    @SuppressWarnings("try") // closes a channel early on purpose
    @DisplayName("CM-24 an id that migrates takes its waiting events along")
    void migrate() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP);
                EventChannel other = EventChannel.create()) {
            pair.client.resolveAddr(pair.listener.getLocalAddr(), CmPair.RESOLVE);
            CmId bystander = pair.clientEvents.createId(PortSpace.TCP);
            CmPair.awaitUntaken(pair.clientEvents);
            assertThrows(TimeoutException.class, () -> bystander.await(ADDR_RESOLVED, SHORT));
            pair.client.migrate(other);
            assertSame(other, pair.client.channel());
            assertSame(pair.client, other.await(ADDR_RESOLVED).id());
            pair.client.migrate(other);
            pair.client.migrate(pair.clientEvents);
            other.close();
            assertTrue(pair.client.isOpen());
            pair.resolveRoute();
            pair.connect(new ConnParam()).accept(new ConnParam());
            assertEquals(CmState.CONNECTED, pair.client.state());
        }
    }

    @Test
    @DisplayName("ids that change places on two channels do not wait for each other")
    void migrateCrosswise() throws Exception {
        try (EventChannel left = EventChannel.create();
                EventChannel right = EventChannel.create()) {
            CmId first = left.createId(PortSpace.TCP);
            CmId second = right.createId(PortSpace.TCP);
            Thread one = Thread.ofPlatform().start(() -> swing(first, left, right));
            Thread two = Thread.ofPlatform().start(() -> swing(second, right, left));
            assertTrue(one.join(CmPair.TIMEOUT));
            assertTrue(two.join(CmPair.TIMEOUT));
            assertSame(left, first.channel());
            assertSame(right, second.channel());
        }
    }

    private static void swing(CmId id, EventChannel home, EventChannel away) {
        for (int i = 0; i < 200; i++) {
            id.migrate(away);
            id.migrate(home);
        }
    }

    @Test
    @DisplayName("CM-25 options are taken; values outside their range are refused before the call")
    void options() {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            id.setTos(0x20);
            id.setReuseAddr(true);
            id.setAfOnly(true);
            id.setAckTimeout(AckTimeout.of(14));
            assertThrows(IllegalArgumentException.class, () -> id.setTos(256));
            assertThrows(IllegalArgumentException.class, () -> id.setTos(-1));
        }
    }

    @Test
    @DisplayName("CM-33 vendor options are for ids without a queue pair")
    void ece() throws Exception {
        try (CmPair pair = new CmPair(RXE, PortSpace.TCP)) {
            pair.client.setLocalEce(new Ece(0x15b3, 1, 0));
            assertEquals(new Ece(0, 0, 0), pair.client.getRemoteEce());
            assertThrows(VerbsException.class, () -> pair.client.setLocalEce(new Ece(0, 1, 0)));
            pair.resolve();
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(
                                    VerbsException.class,
                                    () -> pair.client.setLocalEce(new Ece(0x15b3, 1, 0)))
                            .errno());
            assertThrows(VerbsException.class, () -> pair.client.getRemoteEce());
        }
    }

    @Test
    @DisplayName("an event of the program's own needs a newer rdma-core, which the exception names")
    void userEvent() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            try {
                id.writeCmEvent(3, 42);
                CmEvent event = events.await(CmEventType.USER);
                assertEquals(42, event.argument());
            } catch (UnsupportedVerbException e) {
                assertTrue(e.getMessage().contains("rdma_write_cm_event"), e.getMessage());
            } catch (CmException e) {
                assertEquals(3, e.status());
            }
        }
    }

    @Test
    @DisplayName("looking names up by id needs a newer rdma-core, which the exception names")
    void addrinfo() throws Exception {
        try (EventChannel events = EventChannel.create()) {
            CmId id = events.createId(PortSpace.TCP);
            try {
                String host = CmAddress.of(RXE).getHostAddress();
                id.resolveAddrinfo(host, "7", new AddrInfo.Hints());
                events.await(CmEventType.ADDRINFO_RESOLVED);
                assertEquals(CmAddress.of(RXE, 7), id.queryAddrinfo().getFirst().dstAddr());
            } catch (UnsupportedVerbException e) {
                assertTrue(e.getMessage().contains("rdma-core"), e.getMessage());
            }
        }
    }
}
