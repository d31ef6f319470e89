package io.github.verbs4j.types;

import java.util.Objects;
import java.util.Optional;

/**
 * One entry of a port's GID table ({@code struct ibv_gid_entry}).
 *
 * @param gid the GID
 * @param index index in the table of the port; what {@code sgid_index} refers to
 * @param port port number, from 1
 * @param type encapsulation that goes with this GID
 * @param netdevIndex interface index of the network device, 0 if there is none
 * @param netDevice name of the network device, if there is one and it is known
 */
public record GidEntry(
        Gid gid, int index, int port, GidType type, int netdevIndex, Optional<String> netDevice) {
    /** Checks that nothing is null. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(netDevice, "netDevice");
    }
}
