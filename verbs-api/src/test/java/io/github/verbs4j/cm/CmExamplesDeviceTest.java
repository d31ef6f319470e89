package io.github.verbs4j.cm;

import static io.github.verbs4j.testing.Threads.start;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import java.net.InetSocketAddress;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@RequiresDevice(Kind.RXE)
class CmExamplesDeviceTest {

    @Test
    void shortWayWorks() throws Exception {
        InetSocketAddress address = CmAddress.of(Kind.RXE, 7479);
        FutureTask<Boolean> server =
                start(
                        () -> {
                            CmExamples.server(address, CmPair.TIMEOUT);
                            return true;
                        });
        long deadline = System.nanoTime() + CmPair.TIMEOUT.toNanos();
        while (true) {
            try {
                CmExamples.client(address, CmPair.TIMEOUT);
                break;
            } catch (CmException notYetListening) {
                assertTrue(System.nanoTime() < deadline, notYetListening.getMessage());
                Thread.yield();
            }
        }
        assertTrue(server.get(20, TimeUnit.SECONDS));
    }

    @Test
    void eventsWork() throws Exception {
        try (RdmaListener listener = RdmaListener.bind(CmAddress.of(Kind.RXE, 0))) {
            FutureTask<Boolean> server =
                    start(
                            () -> {
                                try (RdmaConnection peer = listener.accept(CmPair.TIMEOUT)) {
                                    return peer.awaitDisconnected(CmPair.TIMEOUT);
                                }
                            });
            CmExamples.events(listener.localAddress(), CmPair.TIMEOUT);
            assertTrue(server.get(20, TimeUnit.SECONDS));
        }
    }
}
