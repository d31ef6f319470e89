package io.github.verbs4j.bench.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.types.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Connections over librdmacm, made and closed one after the other; {@code cm_twin.c} in C. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Connections {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofMinutes(1);

    /** The device's own IP address. */
    @Param("")
    public String address;

    private RdmaListener listener;
    private Thread server;

    /**
     * Where the device can be reached by itself.
     *
     * @param choice which device
     * @return its IPv4 address, if it has one and no other machine is to be measured
     */
    public static Optional<String> ownAddress(DeviceChoice choice) {
        if (choice.peer().isPresent()) {
            return Optional.empty();
        }
        try (Context context = choice.open()) {
            return Optional.of(choice.gid(context).gid())
                    .filter(Gid::isIpv4Mapped)
                    .map(gid -> gid.toInetAddress().getHostAddress());
        }
    }

    /**
     * Listens.
     *
     * @throws java.io.IOException when the address is none
     */
    @Setup
    public void setUp() throws java.io.IOException {
        listener = RdmaListener.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        server = Thread.ofPlatform().daemon().start(this::serve);
    }

    /** Takes one connection after the other; its client says when each ends. */
    private void serve() {
        try {
            while (true) {
                try (RdmaConnection connection = listener.accept(IDLE)) {
                    connection.awaitDisconnected(TIMEOUT);
                }
            }
        } catch (IllegalStateException e) {
            // The listener was closed: the end.
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Ends the server.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    @TearDown
    public void tearDown() throws InterruptedException {
        listener.close();
        server.join(TIMEOUT);
    }

    /**
     * Resolves, connects, disconnects.
     *
     * @throws InterruptedException when the thread is interrupted
     * @throws TimeoutException when the server does not answer
     */
    @Benchmark
    public void connections() throws InterruptedException, TimeoutException {
        RdmaConnection.connect(listener.localAddress()).close();
    }
}
