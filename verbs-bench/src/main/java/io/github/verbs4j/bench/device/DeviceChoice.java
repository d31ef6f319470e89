package io.github.verbs4j.bench.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortState;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where to measure. Handed to the forks of JMH in system properties, to the C twin as options.
 *
 * @param device its name; the first one if empty
 * @param port its port
 * @param gidIndex index into the port's GID table; −1 for the one that peers most likely reach
 * @param peer host and port of a {@link PeerServer}; empty for loopback
 */
public record DeviceChoice(Optional<String> device, int port, int gidIndex, Optional<String> peer) {

    private static final String PREFIX = "verbs4j.bench.";

    /** Ports and indexes of GIDs are bytes in the structures of libibverbs. */
    private static final int MAX_BYTE = 255;

    /**
     * What the system properties say.
     *
     * @return that
     * @throws IllegalArgumentException when a number is none, or out of bounds
     */
    public static DeviceChoice fromProperties() {
        return new DeviceChoice(
                Optional.ofNullable(System.getProperty(PREFIX + "device")),
                Numbers.between("port", System.getProperty(PREFIX + "port", "1"), 1, MAX_BYTE),
                Numbers.between("gid", System.getProperty(PREFIX + "gid", "-1"), -1, MAX_BYTE),
                Optional.ofNullable(System.getProperty(PREFIX + "peer")));
    }

    /**
     * Looks whether there is such a device, and whether the peer answers.
     *
     * @throws IllegalArgumentException says in one line what there is not
     */
    public void check() {
        try (Context context = open()) {
            String name = context.device().name();
            if (context.device().transportType() == TransportType.IWARP) {
                throw new IllegalArgumentException(
                        name
                                + " is iWARP, which connects over librdmacm only: no benchmark can"
                                + " use it");
            }
            int ports = context.queryDevice().physPortCnt();
            if (port < 1 || port > ports) {
                throw new IllegalArgumentException(
                        name + " has no port " + port + ", only 1 to " + ports);
            }
            if (context.queryPort(port).state() != PortState.ACTIVE) {
                throw new IllegalArgumentException(
                        "port " + port + " of " + name + " is not active");
            }
            List<Integer> indexes = context.gidTable(port).stream().map(GidEntry::index).toList();
            if (gidIndex >= 0 && !indexes.contains(gidIndex)) {
                throw new IllegalArgumentException(
                        "port %d of %s has no GID %d, only %s"
                                .formatted(port, name, gidIndex, indexes));
            }
        } catch (VerbsException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (peer.isPresent()) {
            checkPeer();
        }
    }

    private void checkPeer() {
        try {
            // The server takes no notice of a client that says nothing.
            PeerLink.connect(peer.get()).close();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** {@return the device, opened} */
    Context open() {
        return device.map(Device::named).orElseGet(Device::first).open();
    }

    /** {@return the GID to use} */
    GidEntry gid(Context context) {
        return gidIndex < 0 ? context.defaultGid(port) : context.queryGid(port, gidIndex);
    }

    /** {@return the JVM options that say the same} */
    public List<String> jvmOptions() {
        List<String> options = new ArrayList<>();
        device.ifPresent(name -> options.add("-D" + PREFIX + "device=" + name));
        options.add("-D" + PREFIX + "port=" + port);
        options.add("-D" + PREFIX + "gid=" + gidIndex);
        peer.ifPresent(address -> options.add("-D" + PREFIX + "peer=" + address));
        return options;
    }
}
