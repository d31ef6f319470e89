package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_gid;
import io.github.verbs4j.internal.AhAttrCodec;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The multicast groups that a queue pair is in. It has to leave them before it is destroyed, or
 * that fails with EBUSY. Knows nothing of the queue pair's Java object, which may be collected.
 */
final class McastGroups {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.verbs4j.lifecycle");

    private record Group(Gid gid, int lid) {}

    @FunctionalInterface
    private interface Verb {
        int call(MemorySegment qp, MemorySegment gid, short lid);
    }

    private final Set<Group> joined = new LinkedHashSet<>();

    synchronized void attach(NativeHandle qp, Gid gid, int lid) {
        Check.range("lid", lid, 0, 0xffff);
        Group group = new Group(gid, lid);
        int errno = qp.call(p -> call(QueuePairVerbs::ibv_attach_mcast, p, group));
        Check.zero("ibv_attach_mcast", errno, e -> explain(e, group));
        joined.add(group);
    }

    synchronized void detach(NativeHandle qp, Gid gid, int lid) {
        Check.range("lid", lid, 0, 0xffff);
        Group group = new Group(gid, lid);
        int errno = qp.call(p -> call(QueuePairVerbs::ibv_detach_mcast, p, group));
        Check.zero("ibv_detach_mcast", errno, e -> explain(e, group));
        joined.remove(group);
    }

    /** Leaves all groups; for the end of the queue pair. */
    synchronized void detachAll(MemorySegment qp) {
        for (Group group : joined) {
            int errno = call(QueuePairVerbs::ibv_detach_mcast, qp, group);
            if (errno != 0) {
                LOG.warn("a queue pair could not leave {}: {}", group, Errno.name(errno));
            }
        }
        joined.clear();
    }

    private static int call(Verb verb, MemorySegment qp, Group group) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = ibv_gid.allocate(arena);
            AhAttrCodec.writeGid(group.gid, gid);
            return verb.call(qp, gid, (short) group.lid);
        }
    }

    private String explain(int errno, Group group) {
        if (errno != Errno.EINVAL) {
            return group.toString();
        }
        return group
                + (joined.contains(group)
                        ? ""
                        : ": not joined, no multicast GID, or the transport is not UD");
    }
}
