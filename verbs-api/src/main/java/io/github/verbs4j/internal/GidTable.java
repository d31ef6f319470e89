package io.github.verbs4j.internal;

import io.github.verbs4j.ffi.PortVerbs;
import io.github.verbs4j.ffi.ibv_gid_entry;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads GID tables. */
public final class GidTable {

    /** The kernel answers in an attribute of at most 64 KiB: one more entry and it refuses. */
    private static final int MAX_ENTRIES = 2047;

    private GidTable() {}

    /**
     * Reads the entries in use of all ports.
     *
     * @param context the native context
     * @param slots the sum of the ports' table lengths
     * @return the entries
     */
    public static List<GidEntry> read(MemorySegment context, int slots) {
        int capacity = Math.clamp(slots, 1, MAX_ENTRIES);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = ibv_gid_entry.allocateArray(capacity, arena);
            long n = PortVerbs.ibv_query_gid_table(context, table, capacity, 0);
            if (n < 0) {
                throw new VerbsException("ibv_query_gid_table", (int) -n, "");
            }
            List<GidEntry> entries = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                entries.add(entry(ibv_gid_entry.asSlice(table, i)));
            }
            return List.copyOf(entries);
        }
    }

    /**
     * Reads one entry.
     *
     * @param context the native context
     * @param port its port
     * @param index its index
     * @return the entry
     */
    public static GidEntry query(MemorySegment context, int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = ibv_gid_entry.allocate(arena);
            Check.zero(
                    "ibv_query_gid_ex",
                    PortVerbs.ibv_query_gid_ex(context, port, index, entry, 0),
                    errno ->
                            "GID index "
                                    + index
                                    + " of port "
                                    + port
                                    + (errno == Errno.ENODATA ? " is empty" : ""));
            return entry(entry);
        }
    }

    private static GidEntry entry(MemorySegment s) {
        int netdev = ibv_gid_entry.ndev_ifindex(s);
        return new GidEntry(
                AhAttrCodec.readGid(ibv_gid_entry.gid(s)),
                ibv_gid_entry.gid_index(s),
                ibv_gid_entry.port_num(s),
                GidType.of(ibv_gid_entry.gid_type(s)),
                netdev,
                netDevice(netdev));
    }

    private static Optional<String> netDevice(int index) {
        if (index <= 0) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(NetworkInterface.getByIndex(index))
                    .map(NetworkInterface::getName);
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    /**
     * Picks the entry that peers most likely reach each other by.
     *
     * @param entries of one port
     * @return RoCE v2 on IPv4 if there is one, else on a routable address, else any
     */
    public static Optional<GidEntry> best(List<GidEntry> entries) {
        return entries.stream().reduce((best, next) -> rank(next) < rank(best) ? next : best);
    }

    private static int rank(GidEntry entry) {
        Gid gid = entry.gid();
        if (entry.type() != GidType.ROCE_V2) {
            return 3;
        }
        return gid.isIpv4Mapped() ? 0 : gid.isLinkLocal() ? 2 : 1;
    }
}
