package io.github.verbs4j.examples.cm;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.ExampleException;
import java.net.InetSocketAddress;

/** Addresses from the command line. */
public final class Address {

    private Address() {}

    /** {@return the address of a host's port} */
    public static InetSocketAddress of(String host, int port) {
        Arguments.range(0, 65535, "the port", port);
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ExampleException("there is no host %s", host);
        }
        return address;
    }

    /** {@return the address to listen on: of a host, or of all devices when it is null} */
    public static InetSocketAddress toListen(String host, int port) {
        return host == null ? new InetSocketAddress(port) : of(host, port);
    }
}
