package io.github.verbs4j.examples.testing;

import io.github.verbs4j.Context;
import io.github.verbs4j.cm.CmDevices;
import io.github.verbs4j.cm.CmId;
import io.github.verbs4j.cm.EventChannel;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.testing.TestDevice;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Pattern;

/** Addresses and ports of the connection manager, for servers under test. */
public final class RdmaPorts {

    private RdmaPorts() {}

    /** {@return the address of a RoCE device} */
    public static InetAddress address() {
        String name = TestDevice.get(TestDevice.Kind.ROCE).name();
        for (Context context : CmDevices.list()) {
            if (context.device().name().equals(name)) {
                return CmDevices.addresses(context).iterator().next();
            }
        }
        throw new AssertionError("the connection manager does not know " + name);
    }

    /** {@return a port that nobody listens on} */
    public static int free(PortSpace ps) {
        try (EventChannel events = EventChannel.create();
                CmId id = events.createId(ps)) {
            id.bindAddr(new InetSocketAddress(address(), 0));
            return id.getSrcPort();
        }
    }

    /**
     * Waits until somebody listens on the port, as the kernel's list of ids shows it: connecting
     * would take the client's place, binding the server's.
     */
    public static void awaitListener(PortSpace ps, int port) throws Exception {
        Pattern listener = Pattern.compile("state LISTEN ps " + shown(ps) + " .*:" + port + " dst");
        long deadline = System.nanoTime() + Duration.ofSeconds(100).toNanos();
        while (!listener.matcher(Tool.run("rdma", "resource", "show", "cm_id").out()).find()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("nobody listens on port " + port);
            }
            Thread.sleep(200);
        }
    }

    /** The kernel's list has no word for IB. */
    private static String shown(PortSpace ps) {
        return ps == PortSpace.IB ? "\\S+" : ps.name();
    }
}
