package io.github.verbs4j.cm;

import io.github.verbs4j.Context;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.VerbsException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/** Finds the IP addresses of a test device, by binding to all of this machine. */
final class CmAddress {

    private CmAddress() {}

    static InetAddress of(TestDevice.Kind kind) {
        return find(kind, Inet4Address.class);
    }

    /** {@return the device's link-local IPv6 address, with its scope} */
    static InetAddress linkLocal(TestDevice.Kind kind) {
        return find(kind, Inet6Address.class);
    }

    /** {@return the device's address with a port; 0 lets the system choose} */
    static InetSocketAddress of(TestDevice.Kind kind, int port) {
        return new InetSocketAddress(of(kind), port);
    }

    private static InetAddress find(TestDevice.Kind kind, Class<?> family) {
        String name = TestDevice.get(kind).name();
        try (EventChannel events = EventChannel.create()) {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(family::isInstance)
                    .filter(address -> !address.isLoopbackAddress())
                    .filter(address -> name.equals(device(events, address).orElse("")))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + " has no " + family));
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
    }

    private static Optional<String> device(EventChannel events, InetAddress address) {
        try (CmId id = events.createId(PortSpace.TCP)) {
            id.bindAddr(new InetSocketAddress(address, 0));
            return Optional.ofNullable(id.context()).map(Context::device).map(d -> d.name());
        } catch (VerbsException e) {
            return Optional.empty();
        }
    }
}
