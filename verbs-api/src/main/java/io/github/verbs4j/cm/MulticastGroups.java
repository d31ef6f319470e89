package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.rdma_cm_join_mc_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The groups that an id joined. Used under its channel's lock. */
final class MulticastGroups {

    /** The groups by the number that their events bring back. */
    private final Map<Long, InetAddress> groups = new LinkedHashMap<>();

    private long lastToken;

    InetAddress group(long token) {
        return groups.get(token);
    }

    /** Joins; a null flag is the form without flags. */
    void join(MemorySegment id, InetAddress group, JoinFlag flag) {
        Objects.requireNonNull(group, "group");
        if (!group.isMulticastAddress() && !group.isAnyLocalAddress()) {
            throw new IllegalArgumentException(group.getHostAddress() + " is no multicast group");
        }
        if (groups.containsValue(group)) {
            throw new IllegalStateException("joined " + group.getHostAddress() + " already");
        }
        long token = ++lastToken;
        MemorySegment context = MemorySegment.ofAddress(token);
        groups.put(token, group);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(group, arena);
            if (flag == null) {
                check(
                        "rdma_join_multicast",
                        RdmaCmOptions.rdma_join_multicast(id, address, context),
                        group.getHostAddress());
            } else {
                MemorySegment attr = rdma_cm_join_mc_attr_ex.allocate(arena);
                rdma_cm_join_mc_attr_ex.comp_mask(
                        attr,
                        verbs_h.RDMA_CM_JOIN_MC_ATTR_ADDRESS()
                                | verbs_h.RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS());
                rdma_cm_join_mc_attr_ex.addr(attr, address);
                rdma_cm_join_mc_attr_ex.join_flags(attr, flag.value());
                check(
                        "rdma_join_multicast_ex",
                        RdmaCmOptions.rdma_join_multicast_ex(id, attr, context),
                        group.getHostAddress() + ", " + flag);
            }
        } catch (RuntimeException e) {
            groups.remove(token);
            throw e;
        }
    }

    void leave(MemorySegment id, InetAddress group) {
        Objects.requireNonNull(group, "group");
        if (!groups.containsValue(group)) {
            throw Check.failure(
                    "rdma_leave_multicast",
                    Errno.EADDRNOTAVAIL,
                    errno -> group.getHostAddress() + " was not joined");
        }
        try (Arena arena = Arena.ofConfined()) {
            int result = RdmaCmOptions.rdma_leave_multicast(id, address(group, arena));
            // Left or not, librdmacm has forgotten it.
            groups.values().remove(group);
            check("rdma_leave_multicast", result, group.getHostAddress());
        }
    }

    private static void check(String verb, int result, String what) {
        if (result != 0) {
            throw Check.failure(verb, IdCore.lastErrno(), CmErrno.about("group " + what));
        }
    }

    /** Before the queue pair goes: an attached one cannot be destroyed, and would leak. */
    void leaveAll(MemorySegment id) {
        for (InetAddress group : List.copyOf(groups.values())) {
            try (Arena arena = Arena.ofConfined()) {
                RdmaCmOptions.rdma_leave_multicast(id, address(group, arena));
            }
        }
        groups.clear();
    }

    private static MemorySegment address(InetAddress group, Arena arena) {
        return SockAddrCodec.write(new InetSocketAddress(group, 0), arena);
    }
}
