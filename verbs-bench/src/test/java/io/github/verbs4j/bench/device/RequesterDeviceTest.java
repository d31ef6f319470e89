package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.testing.RequiresDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

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

    static Stream<Arguments> everyOperationInEveryWay() {
        return Arrays.stream(Operation.values())
                .flatMap(
                        operation ->
                                Arrays.stream(Way.values())
                                        .map(way -> Arguments.of(operation, way)));
    }

    @ParameterizedTest
    @MethodSource("everyOperationInEveryWay")
    void aPeerAnswers(Operation operation, Way way) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread serving = serve(server);
            Workload load = Workload.single(operation, 8).inFlight(4, 1, 1).by(way);
            try (Requester requester = new Requester(peer(server), load)) {
                requester.run(64);
            }
            serving.join(10_000);
            assertEquals(Thread.State.TERMINATED, serving.getState());
        }
    }

    private static Thread serve(ServerSocket server) {
        return Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                PeerServer.serve(server.accept());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private static DeviceChoice peer(ServerSocket server) {
        return new DeviceChoice(
                Optional.empty(), 1, -1, Optional.of("localhost:" + server.getLocalPort()));
    }

    @Test
    void aLookAtThePeerEndsWithTheConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread serving = serve(server);
            peer(server).check();
            serving.join(10_000);
            assertEquals(Thread.State.TERMINATED, serving.getState());
        }
    }

    static Stream<Arguments> whatThereIsNot() {
        Optional<String> any = Optional.empty();
        return Stream.of(
                Arguments.of(new DeviceChoice(Optional.of("nosuch"), 1, -1, any), "nosuch"),
                Arguments.of(new DeviceChoice(any, 99, -1, any), "no port 99"),
                Arguments.of(new DeviceChoice(any, 1, 255, any), "no GID 255"),
                Arguments.of(
                        new DeviceChoice(any, 1, -1, Optional.of("localhost:1")), "no server at"));
    }

    @ParameterizedTest
    @MethodSource("whatThereIsNot")
    void whatThereIsNotIsSaidInOneLine(DeviceChoice choice, String reason) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, choice::check);
        assertTrue(e.getMessage().contains(reason), e.getMessage());
        assertEquals(1, e.getMessage().lines().count());
    }

    @Test
    void aServerThatIsNotOnItsProcessorHasReceivesForAThousandSends() {
        Workload load = Workload.single(Operation.SEND, 8);
        try (Endpoint server = Endpoint.forPeer(LOOPBACK, load);
                Endpoint client = Endpoint.open(LOOPBACK, load)) {
            server.connect(client.address());
            server.postReceives();
            client.connect(server.address());
            SendWr send = new SendWr(1).send(client.mr, 0, 8);
            WcArray completion = new WcArray(1);
            for (int i = 0; i < 1000; i++) {
                client.qp.postSend(send);
                while (client.sendCq.poll(completion) == 0) {
                    Thread.yield();
                }
                completion.checkSuccess(0);
            }
        }
    }
}
