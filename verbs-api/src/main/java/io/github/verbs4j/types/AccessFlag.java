package io.github.verbs4j.types;

import java.util.EnumSet;
import java.util.Set;

/**
 * What may be done with registered memory, a memory window, or through a queue pair ({@code enum
 * ibv_access_flags}).
 *
 * <p>Local reading is always allowed. REMOTE_WRITE and REMOTE_ATOMIC on a region require
 * LOCAL_WRITE.
 */
public enum AccessFlag {
    /** The device may write here: receives, read responses, atomic results. */
    LOCAL_WRITE(1),

    /** Peers may RDMA write. */
    REMOTE_WRITE(1 << 1),

    /** Peers may RDMA read. */
    REMOTE_READ(1 << 2),

    /** Peers may run atomics, if the device supports them. */
    REMOTE_ATOMIC(1 << 3),

    /** Memory windows may be bound to the region. */
    MW_BIND(1 << 4),

    /** Addresses on the wire start at 0 instead of the virtual address. */
    ZERO_BASED(1 << 5),

    /** Pages are not pinned but faulted in when the device needs them. */
    ON_DEMAND(1 << 6),

    /** The memory consists of huge pages. */
    HUGETLB(1 << 7),

    /** Peers may flush to global visibility; since rdma-core 46. */
    FLUSH_GLOBAL(1 << 8),

    /** Peers may flush to persistence; since rdma-core 46. */
    FLUSH_PERSISTENT(1 << 9),

    /** The device may reorder its writes; optional, ignored where not supported. */
    RELAXED_ORDERING(1 << 20);

    private final int value;

    AccessFlag(int value) {
        this.value = value;
    }

    /** {@return the bit of this flag in {@code enum ibv_access_flags}} */
    public int value() {
        return value;
    }

    /**
     * Combines flags to the bits that C expects.
     *
     * @param flags any flags, possibly none
     * @return their bits
     */
    public static int bits(Set<AccessFlag> flags) {
        int bits = 0;
        for (AccessFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Combines flags to the bits that C expects.
     *
     * @param flags any flags, possibly none
     * @return their bits
     */
    public static int bits(AccessFlag... flags) {
        int bits = 0;
        for (AccessFlag flag : flags) {
            bits |= flag.value;
        }
        return bits;
    }

    /**
     * Splits bits into flags; never throws.
     *
     * @param bits bits of {@code enum ibv_access_flags}; unknown ones are left out
     * @return a new set
     */
    public static EnumSet<AccessFlag> of(int bits) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : values()) {
            if ((bits & flag.value) != 0) {
                flags.add(flag);
            }
        }
        return flags;
    }
}
