package io.github.verbs4j;

import io.github.verbs4j.types.AccessFlag;
import java.util.Objects;
import java.util.Set;

/**
 * What a memory window is bound to: C's {@code struct ibv_mw_bind_info}.
 *
 * @param mr the region, registered with MW_BIND
 * @param offset where the window begins, in bytes from the region's start
 * @param length how long it is, in bytes
 * @param access what peers may do: REMOTE_READ, REMOTE_WRITE (which needs LOCAL_WRITE on the
 *     region), REMOTE_ATOMIC; ZERO_BASED for type 2
 */
public record MwBind(MemoryRegion mr, long offset, long length, Set<AccessFlag> access) {

    /**
     * Checks the range.
     *
     * @throws IndexOutOfBoundsException when it is not inside the region
     */
    public MwBind {
        Objects.requireNonNull(mr, "mr");
        access = Set.copyOf(Objects.requireNonNull(access, "access"));
        mr.checkRange(offset, length);
    }

    /**
     * A window over the whole region.
     *
     * @param mr the region
     * @param access what peers may do
     */
    public MwBind(MemoryRegion mr, AccessFlag... access) {
        this(
                Objects.requireNonNull(mr, "mr"),
                0,
                mr.length(),
                Set.of(Objects.requireNonNull(access, "access")));
    }

    /**
     * What peers use as its address: 0 for a zero-based window, else the address of its first byte.
     *
     * @return the address
     */
    public long address() {
        return access.contains(AccessFlag.ZERO_BASED) ? 0 : mr.iova() + offset;
    }
}
