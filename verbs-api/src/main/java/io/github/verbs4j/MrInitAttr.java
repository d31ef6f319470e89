package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.RegistrationRules;
import io.github.verbs4j.types.AccessFlag;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * What {@link ProtectionDomain#regMrEx} registers, and how: C's {@code struct ibv_mr_init_attr}.
 * The memory is named by one of {@link #of(MemorySegment)}, {@link #of(ProviderBuffer)} and {@link
 * #ofDmabuf}; the rest may be set. Copied by the call.
 */
public final class MrInitAttr {

    private final MemorySegment segment;
    private final ProviderBuffer buf;
    private final int fd;
    private final long fdOffset;
    private final long length;
    private Set<AccessFlag> access = Set.of();
    private Long iova;
    private DmaHandle dmah;

    private MrInitAttr(
            MemorySegment segment, ProviderBuffer buf, int fd, long fdOffset, long length) {
        this.segment = segment;
        this.buf = buf;
        this.fd = fd;
        this.fdOffset = fdOffset;
        this.length = length;
    }

    /**
     * Memory of the caller's, as for {@link ProtectionDomain#regMr}.
     *
     * @param segment off-heap memory
     * @return attributes without any access
     * @throws IllegalArgumentException when the segment has no bytes or is on the heap
     */
    public static MrInitAttr of(MemorySegment segment) {
        RegistrationRules.check(Objects.requireNonNull(segment, "segment"));
        return new MrInitAttr(segment, null, -1, 0, segment.byteSize());
    }

    /**
     * A whole buffer of the driver's. It is registered in the domain it was allocated for.
     *
     * @param buf the buffer
     * @return attributes without any access
     */
    public static MrInitAttr of(ProviderBuffer buf) {
        return of(buf, 0, Objects.requireNonNull(buf, "buf").size());
    }

    /**
     * A part of a buffer of the driver's.
     *
     * @param buf the buffer
     * @param offset where the region begins, in bytes
     * @param length in bytes, 1 or more
     * @return attributes without any access
     * @throws IndexOutOfBoundsException when the part is not inside the buffer
     */
    public static MrInitAttr of(ProviderBuffer buf, long offset, long length) {
        MemorySegment part = Objects.requireNonNull(buf, "buf").segment().asSlice(offset, length);
        RegistrationRules.check(part);
        return new MrInitAttr(part, buf, -1, 0, length);
    }

    /**
     * Memory of another device, as for {@link ProtectionDomain#regDmabufMr}.
     *
     * @param fd the descriptor of a dma-buf
     * @param offset where in the dma-buf the region begins, in bytes
     * @param length in bytes, 1 or more
     * @param iova the address for its first byte; it must have the same offset within its page as
     *     {@code offset}
     * @return attributes without any access
     * @throws IllegalArgumentException when a number is negative
     */
    public static MrInitAttr ofDmabuf(int fd, long offset, long length, long iova) {
        Check.range("fd", fd, 0, Integer.MAX_VALUE);
        Check.range("offset", offset, 0, Long.MAX_VALUE);
        Check.range("length", length, 1, Long.MAX_VALUE);
        return new MrInitAttr(null, null, fd, offset, length).iova(iova);
    }

    /**
     * What the device may do with the memory; reading it locally is always allowed.
     *
     * @param flags the flags
     * @return this
     * @throws IllegalArgumentException when a remote write or atomic is allowed without
     *     LOCAL_WRITE, or LOCAL_WRITE of a read-only segment
     */
    public MrInitAttr access(AccessFlag... flags) {
        access =
                segment == null
                        ? RegistrationRules.checkAccess(flags)
                        : RegistrationRules.check(segment, flags);
        return this;
    }

    /**
     * The address for the first byte, which peers and work requests use in place of the memory's
     * own.
     *
     * @param value the address, unsigned; it must have the same offset within its page as the
     *     memory
     * @return this
     * @throws IllegalStateException for a buffer of the driver's, which keeps its own address
     */
    public MrInitAttr iova(long value) {
        if (buf != null) {
            throw new IllegalStateException("a buffer of the driver's keeps its own address");
        }
        iova = value;
        return this;
    }

    /**
     * Hints for the transfers.
     *
     * @param value of the same context; stays open until the region is closed
     * @return this
     */
    public MrInitAttr dmah(DmaHandle value) {
        dmah = Objects.requireNonNull(value, "dmah");
        return this;
    }

    MemorySegment segment() {
        return segment;
    }

    ProviderBuffer buf() {
        return buf;
    }

    int fd() {
        return fd;
    }

    long fdOffset() {
        return fdOffset;
    }

    long length() {
        return length;
    }

    Set<AccessFlag> access() {
        return access;
    }

    /** Null when the memory keeps its own. */
    Long iova() {
        return iova;
    }

    DmaHandle dmah() {
        return dmah;
    }
}
