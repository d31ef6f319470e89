package io.github.verbs4j.cm;

import static io.github.verbs4j.testing.Threads.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import io.github.verbs4j.types.QpState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several threads wait for the same end: whoever takes its event, all of them get to know. */
@RequiresDevice(Kind.RXE)
class CmWaitersDeviceTest {

    private static final Duration WAIT = CmPair.TIMEOUT;

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(2 * WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static <T> Throwable failure(FutureTask<T> task) {
        return assertThrows(ExecutionException.class, () -> result(task)).getCause();
    }

    /** Starts the same wait in several threads, and lets them come to it. */
    private static <T> List<FutureTask<T>> waiters(Callable<T> wait) {
        List<FutureTask<T>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(start(wait));
        }
        for (FutureTask<T> each : waiters) {
            assertThrows(TimeoutException.class, () -> each.get(50, TimeUnit.MILLISECONDS));
        }
        return waiters;
    }

    @FunctionalInterface
    private interface Use {
        void of(RdmaConnection client, RdmaConnection server) throws Exception;
    }

    private static void connected(Use use) throws Exception {
        try (RdmaListener listener = RdmaListener.bind(CmAddress.of(Kind.RXE, 0))) {
            FutureTask<RdmaConnection> accepting = start(() -> listener.accept(WAIT));
            try (RdmaConnection client = RdmaConnection.connect(listener.localAddress());
                    RdmaConnection server = result(accepting)) {
                use.of(client, server);
            }
        }
    }

    private static void happened(CmId id, CmEventType type) {
        RawEvent raw = new RawEvent(type, type.value(), 0, 0, 0, new byte[0], null, null, 0, 0);
        id.core().happened(new CmEvent(raw, id, null, null));
    }

    @Test
    @DisplayName("all threads that wait for the peer to disconnect are told that it has")
    void severalWaiters() throws Exception {
        connected(
                (client, server) -> {
                    var waiters = waiters(() -> client.awaitDisconnected(WAIT));
                    server.close();
                    for (FutureTask<Boolean> each : waiters) {
                        assertTrue(result(each));
                    }
                    assertEquals(QpState.ERR, client.qp().state());
                    assertTrue(client.awaitDisconnected(Duration.ZERO));
                });
    }

    @Test
    @DisplayName("a wait for the peer to disconnect ends when isConnected takes the event")
    void waiterAndPoller() throws Exception {
        connected(
                (client, server) -> {
                    var waiters = waiters(() -> client.awaitDisconnected(WAIT));
                    // No waiter gets at the event before isConnected has taken it.
                    client.id().channel().lock().lock();
                    try {
                        assertTrue(client.isConnected());
                        server.close();
                        CmPair.awaitUntaken(client.id().channel());
                        assertFalse(client.isConnected());
                    } finally {
                        client.id().channel().lock().unlock();
                    }
                    for (FutureTask<Boolean> each : waiters) {
                        assertTrue(result(each));
                    }
                });
    }

    @Test
    @DisplayName("a wait for the peer to disconnect ends when this side disconnects")
    void ownDisconnect() throws Exception {
        connected(
                (client, server) -> {
                    var waiters = waiters(() -> client.awaitDisconnected(WAIT));
                    client.id().disconnect();
                    for (FutureTask<Boolean> each : waiters) {
                        assertTrue(result(each));
                    }
                    assertTrue(server.awaitDisconnected(WAIT));
                });
    }

    @Test
    @DisplayName("all threads that wait on a connection that is closed are told that")
    void closedMeanwhile() throws Exception {
        connected(
                (client, server) -> {
                    var waiters = waiters(() -> client.awaitDisconnected(WAIT));
                    client.close();
                    for (FutureTask<Boolean> each : waiters) {
                        assertEquals(IllegalStateException.class, failure(each).getClass());
                    }
                    assertThrows(
                            IllegalStateException.class,
                            () -> client.awaitDisconnected(Duration.ZERO));
                    assertThrows(IllegalStateException.class, client::isConnected);
                });
    }

    @Test
    @DisplayName("all threads that wait on a connection whose device goes are told that")
    void deviceRemoval() throws Exception {
        connected(
                (client, server) -> {
                    var waiters = waiters(() -> client.awaitDisconnected(WAIT));
                    happened(client.id(), CmEventType.DEVICE_REMOVAL);
                    for (FutureTask<Boolean> each : waiters) {
                        CmException told = (CmException) failure(each);
                        assertEquals(CmEventType.DEVICE_REMOVAL, told.event().type());
                    }
                    assertFalse(client.isConnected());
                    assertThrows(CmException.class, () -> client.awaitDisconnected(WAIT));
                });
    }

    @Test
    @DisplayName("all threads that accept on a listener whose device goes are told that")
    void deviceRemovalFromListener() throws Exception {
        try (RdmaListener listener = RdmaListener.bind(CmAddress.of(Kind.RXE, 0))) {
            var waiters = waiters(() -> listener.accept(WAIT));
            happened(listener.id(), CmEventType.DEVICE_REMOVAL);
            for (FutureTask<RdmaConnection> each : waiters) {
                CmException told = (CmException) failure(each);
                assertEquals(CmEventType.DEVICE_REMOVAL, told.event().type());
            }
        }
    }

    @Test
    @DisplayName("CM-28 disconnect waits for the peer, also when another thread takes the event")
    void syncDisconnect() throws Exception {
        try (SyncCmId listener = SyncCmId.create(PortSpace.TCP);
                SyncCmId client = SyncCmId.create(PortSpace.TCP)) {
            listener.id().bindAddr(CmAddress.of(Kind.RXE, 0));
            listener.id().listen(1);
            client.resolve(listener.id().getLocalAddr(), CmPair.RESOLVE);
            client.createQp(client.id().pd(), SyncCmIdDeviceTest.attr(client.id()));
            FutureTask<CmEvent> connecting = start(() -> client.connect(new ConnParam(), WAIT));
            try (SyncCmId server = listener.getRequest(WAIT)) {
                server.createQp(server.id().pd(), SyncCmIdDeviceTest.attr(server.id()));
                server.accept(new ConnParam(), WAIT);
                result(connecting);
                var waiters =
                        waiters(
                                () -> {
                                    client.disconnect(WAIT);
                                    return client.id().state();
                                });
                client.id().channel().lock().lock();
                try {
                    server.id().disconnect();
                    assertEquals(CmEventType.DISCONNECTED, client.id().getCmEvent(WAIT).type());
                } finally {
                    client.id().channel().lock().unlock();
                }
                for (FutureTask<CmState> each : waiters) {
                    assertEquals(CmState.DISCONNECTED, result(each));
                }
                client.disconnect(Duration.ZERO);
            }
        }
    }
}
