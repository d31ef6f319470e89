package io.github.verbs4j;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.ffi.NewerStructs;
import io.github.verbs4j.ffi.ibv_parent_domain_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A protection domain with additions: C's {@code struct ibv_pd} of {@code ibv_alloc_parent_domain}.
 * It stands for the domain it was made over wherever a domain is asked for, and shares its regions.
 * Queue pairs, completion queues and work queues made in one with a {@link ThreadDomain} may leave
 * out their locks: all of them together are for one thread at a time then.
 *
 * <p>C's allocation callbacks are left out: providers call them at moments when no Java code may
 * run.
 */
public final class ParentDomain extends ProtectionDomain {

    private final ProtectionDomain pd;
    private final ThreadDomain td;

    ParentDomain(Context context, ProtectionDomain pd, ThreadDomain td, int compMask) {
        super(
                context,
                "ParentDomain",
                pointer -> allocate(pointer, pd, td, compMask),
                pointer -> Check.zero("ibv_dealloc_pd", MemoryVerbs.ibv_dealloc_pd(pointer)),
                parents(context, pd, td));
        this.pd = pd;
        this.td = td;
    }

    /** Buffers of the driver's made in it may be memory that a confidential guest shares. */
    static ParentDomain unprotected(Context context, ProtectionDomain pd, ThreadDomain td) {
        if (!NativeLibrary.IBVERBS.exports("ibv_alloc_buf")) {
            // A library that does not know the flag would say no more than EINVAL.
            throw new UnsupportedVerbException(
                    "ibv_alloc_parent_domain",
                    Errno.EOPNOTSUPP,
                    "buffers in unprotected memory need rdma-core >= 64");
        }
        return new ParentDomain(
                context,
                pd,
                td,
                NewerStructs.IBV_PARENT_DOMAIN_INIT_ATTR_ALLOW_CC_UNPROTECTED_ALLOC);
    }

    private static NativeHandle[] parents(Context context, ProtectionDomain pd, ThreadDomain td) {
        Check.sameContext("pd", pd.context(), context);
        if (td == null) {
            return new NativeHandle[] {pd.nativeHandle()};
        }
        Check.sameContext("td", td.context(), context);
        return new NativeHandle[] {pd.nativeHandle(), td.nativeHandle()};
    }

    private static MemorySegment allocate(
            MemorySegment context, ProtectionDomain pd, ThreadDomain td, int compMask) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_parent_domain_init_attr.allocate(arena);
            ibv_parent_domain_init_attr.comp_mask(attr, compMask);
            ibv_parent_domain_init_attr.pd(attr, pd.nativeHandle().pointer());
            if (td != null) {
                ibv_parent_domain_init_attr.td(attr, td.nativeHandle().pointer());
            }
            return Check.notNull(
                    "ibv_alloc_parent_domain", MemoryVerbs.ibv_alloc_parent_domain(context, attr));
        }
    }

    /**
     * The domain that it was made over.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * The thread domain that it was made with.
     *
     * @return the thread domain, or null
     */
    public ThreadDomain td() {
        return td;
    }
}
