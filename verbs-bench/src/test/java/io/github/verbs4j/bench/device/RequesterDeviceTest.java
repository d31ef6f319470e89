package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.testing.RequiresDevice;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@RequiresDevice
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RequesterDeviceTest {

    private static final DeviceChoice LOOPBACK =
            new DeviceChoice(Optional.empty(), 1, -1, Optional.empty());

    private static void run(Workload load) {
        try (Requester requester = new Requester(LOOPBACK, load)) {
            requester.run(3 * load.depth());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationRunsOneAtATimeAndManyAtOnce(Operation operation) {
        run(Workload.single(operation, 8));
        run(Workload.single(operation, 8).inFlight(16, 4, 4));
        run(Workload.single(operation, 8).inFlight(16, 4, 4).by(Way.EVENTS));
        run(Workload.single(operation, 8).inFlight(16, 4, 1).by(Way.EXTENDED));
    }

    @Test
    void inlineDataAndSeveralElementsRun() {
        run(new Workload(Operation.WRITE, 8, 1, 1, 1, 1, true, Way.CLASSIC));
        run(new Workload(Operation.WRITE, 8, 1, 1, 1, 1, true, Way.EXTENDED));
        run(new Workload(Operation.SEND, 4096, 8, 1, 8, 4, false, Way.CLASSIC));
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "WRITE", "READ"})
    void aPeerAnswers(Operation operation) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread serving =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        try {
                                            PeerServer.serve(server.accept());
                                        } catch (java.io.IOException e) {
                                            throw new java.io.UncheckedIOException(e);
                                        }
                                    });
            DeviceChoice choice =
                    new DeviceChoice(
                            Optional.empty(),
                            1,
                            -1,
                            Optional.of("localhost:" + server.getLocalPort()));
            Workload load = Workload.single(operation, 8).inFlight(4, 1, 1);
            try (Requester requester = new Requester(choice, load)) {
                requester.run(64);
            }
            serving.join(10_000);
            assertEquals(Thread.State.TERMINATED, serving.getState());
        }
    }
}
