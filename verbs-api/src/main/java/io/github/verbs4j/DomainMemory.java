package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.Pages;
import io.github.verbs4j.internal.RegistrationRules;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Advice;
import io.github.verbs4j.types.OdpGeneralCap;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;

/** What a domain gives its queue pairs to reach: memory of any kind. */
abstract sealed class DomainMemory permits ProtectionDomain {

    /** The only class that is one. */
    private ProtectionDomain domain() {
        return (ProtectionDomain) this;
    }

    /**
     * Allocates zeroed memory in whole pages and registers it. The region owns the memory.
     *
     * @param length in bytes, 1 or more
     * @param access what the device may do with it; reading it locally is always allowed
     * @return the region; close it
     * @throws IllegalArgumentException when a remote write or atomic is allowed without
     *     LOCAL_WRITE, or the length is not positive
     * @throws VerbsException ENOMEM: not enough memory, or more than RLIMIT_MEMLOCK allows; EINVAL:
     *     a flag that the device lacks
     * @verbs.calls ibv_reg_mr
     */
    public MemoryRegion allocateMr(long length, AccessFlag... access) {
        return MemoryRegion.allocate(domain(), length, Pages.NORMAL, access);
    }

    /**
     * Allocates zeroed memory in huge pages and registers it. The administrator reserves them in
     * {@code /proc/sys/vm/nr_hugepages}.
     *
     * @param length in bytes, 1 or more
     * @param access what the device may do with it
     * @return the region; close it
     * @throws IllegalArgumentException as {@link #allocateMr}
     * @throws VerbsException ENOMEM: too few huge pages are free, or more than RLIMIT_MEMLOCK
     *     allows
     * @verbs.calls ibv_reg_mr
     */
    public MemoryRegion allocateHugeMr(long length, AccessFlag... access) {
        return MemoryRegion.allocate(domain(), length, Pages.HUGE, access);
    }

    /**
     * Registers memory of the caller's, to the byte: it need not be aligned. The kernel pins the
     * whole pages it touches. The region keeps the segment reachable while it is registered, but it
     * cannot keep an {@link java.lang.foreign.Arena} from being closed: close the region first.
     *
     * @param segment off-heap memory
     * @param access what the device may do with it
     * @return the region; close it
     * @throws IllegalArgumentException when the segment has no bytes, is on the heap, or read-only
     *     and the device may write it, or a remote write or atomic is allowed without LOCAL_WRITE
     * @throws IllegalStateException when the segment's arena is closed, or the domain
     * @throws VerbsException ENOMEM: more than RLIMIT_MEMLOCK allows; EFAULT: the memory is not
     *     mapped, or is mapped read-only and the device may write it; EINVAL: a flag that the
     *     device lacks
     * @verbs.calls ibv_reg_mr
     */
    public MemoryRegion regMr(MemorySegment segment, AccessFlag... access) {
        return new MemoryRegion(domain(), Registration.of(segment, null, access));
    }

    /**
     * Registers memory of the caller's under an address of the caller's choice, which peers and
     * work requests then use in place of the memory's own.
     *
     * @param segment off-heap memory
     * @param iova the address for its first byte, unsigned; it must have the same offset within its
     *     page as the memory
     * @param access what the device may do with it
     * @return the region; close it
     * @throws IllegalArgumentException as {@link #regMr}
     * @throws IllegalStateException as {@link #regMr}
     * @throws VerbsException as {@link #regMr}; EINVAL also: another offset within the page
     * @verbs.calls ibv_reg_mr_iova, ibv_reg_mr_iova2
     */
    public MemoryRegion regMrIova(MemorySegment segment, long iova, AccessFlag... access) {
        return new MemoryRegion(domain(), Registration.iova(segment, iova, access));
    }

    /**
     * Registers all memory of this process, now and later, for a device that pages on demand
     * (implicit on-demand paging). Offsets into the region are addresses.
     *
     * @param access what the device may do with it; ON_DEMAND is added
     * @return the region; close it
     * @throws UnsupportedVerbException the device does not report {@link
     *     OdpGeneralCap#SUPPORT_IMPLICIT}
     * @throws VerbsException EINVAL: an access that the device lacks
     * @verbs.calls ibv_query_device_ex, ibv_reg_mr
     */
    public MemoryRegion regImplicitMr(AccessFlag... access) {
        Registration all = Registration.implicit(access);
        Registration.requireImplicitPaging(domain().context());
        return new MemoryRegion(domain(), all);
    }

    /**
     * Allocates a region without memory. Data that a request scatters there is dropped: it lets a
     * message's tail or head go. Gathering from it sends zeros or what the device finds.
     *
     * @return the region; close it
     * @throws UnsupportedVerbException the device cannot
     * @verbs.calls ibv_alloc_null_mr
     */
    public MemoryRegion allocNullMr() {
        return new MemoryRegion(domain(), Registration.none());
    }

    /**
     * Registers memory of another device, a GPU above all, that a dma-buf file descriptor stands
     * for. The descriptor may be closed afterwards.
     *
     * @param fd the descriptor
     * @param offset where in the dma-buf the region begins, in bytes
     * @param length in bytes, 1 or more
     * @param iova the address for its first byte; it must have the same offset within its page as
     *     {@code offset}
     * @param access what the device may do with it
     * @return the region; close it
     * @throws IllegalArgumentException when a number is negative, or a remote write or atomic is
     *     allowed without LOCAL_WRITE
     * @throws UnsupportedVerbException the device or its driver cannot, or rdma-core is older than
     *     34
     * @throws VerbsException EBADF, EINVAL: no such dma-buf, or a range outside it
     * @verbs.calls ibv_reg_dmabuf_mr
     */
    public MemoryRegion regDmabufMr(
            int fd, long offset, long length, long iova, AccessFlag... access) {
        Check.range("fd", fd, 0, Integer.MAX_VALUE);
        Check.range("offset", offset, 0, Long.MAX_VALUE);
        Check.range("length", length, 1, Long.MAX_VALUE);
        return new MemoryRegion(
                domain(),
                Registration.dmabuf(
                        fd, offset, length, iova, RegistrationRules.checkAccess(access)));
    }

    /**
     * Registers memory with all that can be said of it: every other way to register memory of this
     * process or of a dma-buf, and hints for the transfers.
     *
     * @param attr the memory, the access, the address, the hints
     * @return the region; close it
     * @throws IllegalArgumentException when the hints are another context's, or the buffer is
     *     another domain's
     * @throws UnsupportedVerbException the device cannot, or rdma-core is older than 59 (64 for a
     *     {@link ProviderBuffer})
     * @throws VerbsException as {@link #regMr}, {@link #regMrIova} and {@link #regDmabufMr}
     * @verbs.calls ibv_reg_mr_ex
     */
    public MemoryRegion regMrEx(MrInitAttr attr) {
        return new MemoryRegion(domain(), Registration.extended(domain(), attr));
    }

    /**
     * Has the driver allocate memory in its own way.
     *
     * @param size in bytes, 1 or more
     * @return the buffer; close it
     * @throws UnsupportedVerbException the device cannot, or rdma-core is older than 64
     * @throws VerbsException ENOMEM: not enough memory
     * @verbs.calls ibv_alloc_buf
     */
    public ProviderBuffer allocBuf(long size) {
        return new ProviderBuffer(domain(), size);
    }

    /**
     * Registers a part of a buffer that the driver allocated for this domain.
     *
     * @param buf the buffer
     * @param offset where the region begins, in bytes
     * @param length in bytes, 1 or more
     * @param access what the device may do with it
     * @return the region; close it
     * @throws IllegalArgumentException when the buffer is another domain's, or as {@link #regMr}
     * @throws IndexOutOfBoundsException when the part is not inside the buffer
     * @throws UnsupportedVerbException rdma-core is older than 64
     * @throws VerbsException as {@link #regMr}
     * @verbs.calls ibv_reg_buf_mr
     */
    public MemoryRegion regBufMr(
            ProviderBuffer buf, long offset, long length, AccessFlag... access) {
        return new MemoryRegion(
                domain(),
                Registration.buffer(domain(), MrInitAttr.of(buf, offset, length).access(access)));
    }

    /**
     * Registers a part of a device's own memory. Offsets into the region are its only addresses:
     * {@link MemoryRegion#remote} begins at 0.
     *
     * @param dm the device memory, of the same context
     * @param offset where the region begins, in bytes
     * @param length in bytes, 1 or more
     * @param access what the device may do with it; ZERO_BASED is added
     * @return the region; close it
     * @throws IllegalArgumentException when the memory is another context's, or a remote write or
     *     atomic is allowed without LOCAL_WRITE
     * @throws IndexOutOfBoundsException when the part is not inside the device memory
     * @throws UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: an access that the device lacks
     * @verbs.calls ibv_reg_dm_mr
     */
    public MemoryRegion regDmMr(DeviceMemory dm, long offset, long length, AccessFlag... access) {
        Check.sameContext("dm", dm.context(), domain().context());
        dm.checkRange(offset, length);
        return new MemoryRegion(
                domain(),
                Registration.deviceMemory(
                        dm.nativeHandle(), offset, length, RegistrationRules.checkAccess(access)));
    }

    /**
     * Imports a region that another process registered in a domain that was imported too. Closing
     * it leaves the region to its owner.
     *
     * @param mrHandle the owner's {@link MemoryRegion#mrHandle}
     * @param iova the owner's {@link MemoryRegion#iova}, which the device does not tell
     * @return the region; close it
     * @throws UnsupportedVerbException the device cannot, or rdma-core is older than 31
     * @throws VerbsException EINVAL, ENOENT: there is no such region
     * @verbs.calls ibv_import_mr
     */
    public MemoryRegion importMr(int mrHandle, long iova) {
        return new MemoryRegion(domain(), Registration.imported(mrHandle, iova));
    }

    /**
     * Advises the device that parts of on-demand regions will be used, so that it brings their
     * pages in beforehand.
     *
     * @param advice for which use
     * @param flush true to wait until the pages are in; false to let it go on in the background
     * @param ranges parts of regions of this domain
     * @throws IllegalArgumentException when there is no range
     * @throws UnsupportedVerbException the device cannot
     * @throws VerbsException EFAULT: a page cannot be brought in; EINVAL, ENOENT: a region is not
     *     on-demand or not of this domain
     * @verbs.calls ibv_advise_mr
     */
    public void adviseMr(Advice advice, boolean flush, MrRange... ranges) {
        MrAdvice.give(domain(), advice, flush, ranges);
    }
}
