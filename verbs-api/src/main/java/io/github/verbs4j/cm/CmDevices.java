package io.github.verbs4j.cm;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The devices as the connection manager has them open: one context per device, shared by all ids,
 * which nothing closes. What a queue pair of an id uses (domains, regions, completion queues) must
 * be made from these contexts, not from those of {@link io.github.verbs4j.Device#open}.
 */
public final class CmDevices {

    private CmDevices() {}

    /**
     * Lists the contexts.
     *
     * @return one per device
     * @throws VerbsException ENODEV: there is no device; the message says why
     * @verbs.calls rdma_get_devices, rdma_free_devices
     */
    public static List<Context> list() {
        return SharedContexts.devices();
    }

    /**
     * The domain that ids on a device use when they are given none. Regions in it can be reached
     * through all of their queue pairs. Closing it does nothing.
     *
     * @param context one of {@link #list}
     * @return the domain, the same at every call
     * @throws IllegalArgumentException when the context is not one of the connection manager's
     * @verbs.calls ibv_alloc_pd
     */
    public static ProtectionDomain defaultPd(Context context) {
        if (!SharedContexts.isShared(context)) {
            throw new IllegalArgumentException(context + " is not one of CmDevices.list()");
        }
        return SharedContexts.defaultPd(context);
    }

    /**
     * The IP addresses that reach a device by RoCE or InfiniBand, as its GID table has them. The
     * table of an iWARP device has no addresses.
     *
     * @param context a context
     * @return the addresses, those of IPv4 first
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public static Set<InetAddress> addresses(Context context) {
        Set<InetAddress> result = new LinkedHashSet<>();
        if (context.device().transportType() == TransportType.IWARP) {
            return result;
        }
        List<GidEntry> table = context.gidTable();
        table.stream()
                .map(GidEntry::gid)
                .filter(Gid::isIpv4Mapped)
                .forEach(gid -> result.add(gid.toInetAddress()));
        table.stream().map(GidEntry::gid).forEach(gid -> result.add(gid.toInetAddress()));
        return result;
    }

    /** An explanation must not fail itself. */
    private static List<Context> known() {
        try {
            return list();
        } catch (VerbsException e) {
            return List.of();
        }
    }

    /** What to say when an address belongs to no device. */
    static String explain(InetAddress address) {
        return explain("no RDMA device has the address ", address);
    }

    /** What to say when no device leads to a peer's address. */
    static String explainPeer(InetAddress address) {
        return explain("no RDMA device leads to the address ", address);
    }

    private static String explain(String trouble, InetAddress address) {
        StringBuilder text = new StringBuilder(trouble + address.getHostAddress());
        if (address.isLoopbackAddress()) {
            text.append(" (the loopback interface has no RDMA device; use the device's address)");
        }
        String separator = "; there is ";
        for (Context context : known()) {
            text.append(separator).append(context.device().name());
            for (InetAddress each : addresses(context)) {
                text.append(' ').append(each.getHostAddress());
            }
            separator = ", ";
        }
        return text.toString();
    }
}
