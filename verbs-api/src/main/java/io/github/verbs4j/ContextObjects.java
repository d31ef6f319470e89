package io.github.verbs4j;

import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.types.CompCntrType;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.VerbsException;
import java.nio.file.Path;

/** What a context makes. */
abstract sealed class ContextObjects extends ContextQueries permits Context {

    /**
     * Allocates a thread domain.
     *
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @verbs.calls ibv_alloc_td
     */
    public ThreadDomain allocTd() {
        return new ThreadDomain(context());
    }

    /**
     * Allocates a domain over another one.
     *
     * @param pd the domain whose regions it shares
     * @param td lets objects made in it leave out their locks, or null
     * @return the domain; close it
     * @throws IllegalArgumentException when a domain belongs to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @verbs.calls ibv_alloc_parent_domain
     */
    public ParentDomain allocParentDomain(ProtectionDomain pd, ThreadDomain td) {
        return new ParentDomain(context(), pd, td, 0);
    }

    /**
     * Allocates a domain over another one, whose {@link ProviderBuffer}s may be memory that a
     * confidential guest shares with its host, where the device could not reach any other without
     * copying ({@code CC_DMA_BOUNCE}).
     *
     * @param pd the domain whose regions it shares
     * @param td lets objects made in it leave out their locks, or null
     * @return the domain; close it
     * @throws IllegalArgumentException when a domain belongs to another context
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 64
     * @verbs.calls ibv_alloc_parent_domain
     */
    public ParentDomain allocUnprotectedParentDomain(ProtectionDomain pd, ThreadDomain td) {
        return ParentDomain.unprotected(context(), pd, td);
    }

    /**
     * Allocates memory of the device.
     *
     * @param length in bytes, 1 or more
     * @param logAlignReq alignment that its address shall have: a power of two, given by its
     *     exponent
     * @return the memory; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none
     * @throws VerbsException ENOMEM: the device has not as much left, see {@link
     *     DeviceAttrEx#maxDmSize}; EINVAL: an alignment it cannot give
     * @verbs.calls ibv_alloc_dm
     */
    public DeviceMemory allocDm(long length, int logAlignReq) {
        return new DeviceMemory(context(), length, logAlignReq);
    }

    /**
     * Allocates hints for the transfers to and from memory.
     *
     * @param attr the hints
     * @return the handle; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device takes no hints, or
     *     rdma-core is older than 59
     * @throws VerbsException EINVAL: a hint that the device does not take
     * @verbs.calls ibv_alloc_dmah
     */
    public DmaHandle allocDmah(DmahInitAttr attr) {
        return new DmaHandle(context(), attr);
    }

    /**
     * Creates a counter of completions, at 0.
     *
     * @param type whether it counts requests or bytes
     * @return the counter; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 65
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_create_comp_cntr
     */
    public CompletionCounter createCompCntr(CompCntrType type) {
        return new CompletionCounter(context(), type);
    }

    /**
     * Imports a domain of the context that this one shares its device with. Closing it leaves the
     * domain to its owner.
     *
     * @param pdHandle the owner's {@link ProtectionDomain#pdHandle}
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot, or rdma-core is
     *     older than 31
     * @throws VerbsException EINVAL, ENOENT: there is no such domain
     * @verbs.calls ibv_import_pd
     */
    public ProtectionDomain importPd(int pdHandle) {
        return ProtectionDomain.imported(context(), pdHandle);
    }

    /**
     * Imports memory of the device that another process allocated. Closing it leaves the memory to
     * its owner.
     *
     * @param dmHandle the owner's {@link DeviceMemory#dmHandle}
     * @param length the owner's {@link DeviceMemory#length}, which the device does not tell
     * @return the memory; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot, or rdma-core is
     *     older than 35
     * @throws VerbsException EINVAL, ENOENT: there is no such memory
     * @verbs.calls ibv_import_dm
     */
    public DeviceMemory importDm(int dmHandle, long length) {
        return DeviceMemory.imported(context(), dmHandle, length);
    }

    /**
     * Allocates a protection domain.
     *
     * @return the domain; close it
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_alloc_pd
     */
    public ProtectionDomain allocPd() {
        return new ProtectionDomain(context());
    }

    /**
     * Creates a completion queue that is polled.
     *
     * @param cqe room for so many completions at least: the sum of the depths of the queues that
     *     complete into it, or it may overflow
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq
     */
    public CompletionQueue createCq(int cqe) {
        return createCq(new CqInitAttr(cqe));
    }

    /**
     * Creates a completion queue.
     *
     * @param attr its size, channel and vector
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size or vector, or the
     *     channel is another context's
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq
     */
    public CompletionQueue createCq(CqInitAttr attr) {
        return new CompletionQueue(context(), attr);
    }

    /**
     * Creates an extended completion queue, which has the fields that are asked for.
     *
     * @param attr its size, channel, vector and fields
     * @return the queue; close it
     * @throws IllegalArgumentException when the device allows no such size or vector, or the
     *     channel is another context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device lacks a field or an
     *     option, or extended queues altogether; use {@link #createCq(CqInitAttr)} then
     * @throws VerbsException EINVAL, ENOMEM
     * @verbs.calls ibv_create_cq_ex
     */
    public CompletionQueueEx createCqEx(CqInitAttrEx attr) {
        return new CompletionQueueEx(context(), attr);
    }

    /**
     * Creates a completion channel, which wakes threads that wait for completions.
     *
     * @return the channel; close it
     * @throws VerbsException EMFILE: too many open files
     * @verbs.calls ibv_create_comp_channel
     */
    public CompletionChannel createCompChannel() {
        return new CompletionChannel(context());
    }

    /**
     * Opens a domain of extended reliable connections that only this process has.
     *
     * @return the domain; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd() {
        return new XrcDomain(context(), -1, XrcDomain.O_CREAT);
    }

    /**
     * Opens the domain of extended reliable connections that belongs to a file: processes that open
     * the same file share it.
     *
     * @param file a file that exists; what is in it does not matter
     * @param oflags {@link XrcDomain#O_CREAT}, {@link XrcDomain#O_EXCL}, or 0
     * @return the domain; close it
     * @throws IllegalArgumentException when there is another flag
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException ENOENT, EACCES: the file cannot be opened; EAGAIN: it has no domain,
     *     and O_CREAT is not set; EINVAL: it has one, and O_EXCL is set
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd(Path file, int oflags) {
        // The domain belongs to the file's inode, which the kernel holds from then on.
        int fd = Posix.open(file);
        try {
            return openXrcd(fd, oflags);
        } finally {
            Posix.close(fd);
        }
    }

    /**
     * Opens the domain of extended reliable connections that belongs to a file which is open.
     *
     * @param fd its descriptor
     * @param oflags {@link XrcDomain#O_CREAT}, {@link XrcDomain#O_EXCL}, or 0
     * @return the domain; close it
     * @throws IllegalArgumentException when there is another flag
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException as {@link #openXrcd(Path, int)}, and EBADF: it is not open
     * @verbs.calls ibv_open_xrcd
     */
    public XrcDomain openXrcd(int fd, int oflags) {
        return new XrcDomain(context(), fd, oflags);
    }
}
