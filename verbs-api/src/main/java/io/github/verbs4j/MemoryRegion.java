package io.github.verbs4j;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.ibv_mr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Pages;
import io.github.verbs4j.internal.RegisteredMemory;
import io.github.verbs4j.internal.RegistrationRules;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * Memory that a device may reach: C's {@code struct ibv_mr}. Offsets and lengths are {@code long}:
 * regions over 4 GiB work. Safe for any thread; what its bytes hold while the device works on them
 * is a matter between the program and the device.
 *
 * <p>Work requests that name the region are not tracked: close it after they completed. Closed
 * earlier they fail, on this side or the other; nothing is written to freed memory.
 */
public final class MemoryRegion implements AutoCloseable {

    private static final int CHANGE_TRANSLATION = verbs_h.IBV_REREG_MR_CHANGE_TRANSLATION();
    private static final int CHANGE_PD = verbs_h.IBV_REREG_MR_CHANGE_PD();
    private static final int CHANGE_ACCESS = verbs_h.IBV_REREG_MR_CHANGE_ACCESS();

    private final NativeHandle handle;

    /** Null when the region is not memory of this process. */
    private final RegisteredMemory memory;

    private volatile ProtectionDomain pd;
    private volatile Set<AccessFlag> access;
    private volatile long iova;
    private volatile long length;
    private volatile int lkey;
    private volatile int rkey;

    MemoryRegion(ProtectionDomain pd, Registration how) {
        this.access = how.access();
        this.pd = pd;
        RegisteredMemory owned = how.memory();
        if (owned != null) {
            RegistrationRules.checkLength(owned.segment(), pd.context().provider());
        }
        this.memory = owned;
        this.iova = how.iova();
        this.handle =
                NativeHandle.create(
                        "MemoryRegion",
                        () -> pd.nativeHandle().within(domain -> register(domain, how)),
                        pointer -> {
                            how.verbs().end(pointer);
                            if (owned != null) {
                                owned.release();
                            }
                        },
                        how.parents(pd.nativeHandle()));
        LeakDetector.watch(this, handle);
    }

    static MemoryRegion allocate(
            ProtectionDomain pd, long length, Pages pages, AccessFlag... access) {
        RegistrationRules.checkAccess(access); // before the kernel looks for the memory
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = pages.allocate(length, arena);
            return new MemoryRegion(pd, Registration.of(segment, arena, access));
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private MemorySegment register(MemorySegment domain, Registration how) {
        MemorySegment mr = how.verbs().begin(domain);
        // Here, where the domain cannot close yet: later, this object might be closed already.
        length = how.length() < 0 ? ibv_mr.length(Structs.view(mr, ibv_mr.sizeof())) : how.length();
        readKeys(mr);
        return mr;
    }

    private void readKeys(MemorySegment mr) {
        MemorySegment struct = Structs.view(mr, ibv_mr.sizeof());
        lkey = ibv_mr.lkey(struct);
        rkey = ibv_mr.rkey(struct);
    }

    /**
     * The memory. Of a region that allocated it, it is freed when the region closes.
     *
     * @return exactly the registered bytes
     * @throws IllegalStateException when the region is not memory of this process
     */
    public MemorySegment segment() {
        if (memory == null) {
            throw new IllegalStateException(this + " is not memory of this process");
        }
        return memory.segment();
    }

    /** The memory for inline data, or null when the processor cannot read the region. */
    MemorySegment readable() {
        return memory == null ? null : memory.segment();
    }

    /**
     * The address of the first byte.
     *
     * @return the address in this process
     * @throws IllegalStateException when the region is not memory of this process
     */
    public long address() {
        return segment().address();
    }

    /**
     * The address by which the device knows the first byte: what work requests and peers use. The
     * same as {@link #address} unless the region was registered with another one.
     *
     * @return the address, unsigned; 0 for device memory, a null region and one over the whole
     *     address space
     */
    public long iova() {
        return iova;
    }

    /**
     * The length of the region.
     *
     * @return in bytes; {@link Long#MAX_VALUE} for a null region and one over the whole address
     *     space
     */
    public long length() {
        return length;
    }

    /**
     * The key that local scatter/gather elements carry. The work request classes set it; it is
     * never given to a peer.
     *
     * @return C's {@code lkey}
     */
    public int lkey() {
        return lkey;
    }

    /**
     * The key that a peer needs for RDMA and atomics.
     *
     * @return C's {@code rkey}
     */
    public int rkey() {
        return rkey;
    }

    /**
     * What the device may do with the memory.
     *
     * @return the flags of the registration
     */
    public Set<AccessFlag> access() {
        return access;
    }

    /**
     * The domain it is registered in.
     *
     * @return the domain
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * What a peer needs to reach the whole region: send it there.
     *
     * @return {@link #iova}, length and rkey
     */
    public RemoteBuffer remote() {
        return new RemoteBuffer(iova, length, rkey);
    }

    /**
     * Changes what the device may do with the memory, keeping the registration. The keys may
     * change.
     *
     * @param newAccess the new flags
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot; the region stays
     *     as it was
     * @throws VerbsException the device refused; the message says whether the region still works
     * @verbs.calls ibv_rereg_mr
     */
    public synchronized void reregMr(AccessFlag... newAccess) {
        Set<AccessFlag> flags = RegistrationRules.check(segment(), newAccess);
        rereg(CHANGE_ACCESS, MemorySegment.NULL, MemorySegment.NULL, 0, AccessFlag.bits(flags));
        access = flags;
    }

    /**
     * Moves the region to another domain of the same context. The keys may change.
     *
     * @param newPd the domain
     * @throws IllegalArgumentException when the domain is another context's
     * @throws VerbsException as {@link #reregMr(AccessFlag...)}
     * @verbs.calls ibv_rereg_mr
     */
    public synchronized void reregMr(ProtectionDomain newPd) {
        Check.sameContext("newPd", newPd.context(), pd.context());
        newPd.nativeHandle()
                .within(
                        domain -> {
                            rereg(CHANGE_PD, domain, MemorySegment.NULL, 0, 0);
                            handle.reparent(pd.nativeHandle(), newPd.nativeHandle());
                            return null;
                        });
        pd = newPd;
    }

    /**
     * Registers other memory of the caller's in place of the present. The keys may change.
     *
     * @param segment off-heap memory, as for {@link ProtectionDomain#regMr}
     * @throws VerbsException as {@link #reregMr(AccessFlag...)}
     * @verbs.calls ibv_rereg_mr
     */
    public synchronized void reregMr(MemorySegment segment) {
        segment(); // throws when the region never was memory of this process
        RegistrationRules.check(segment, access.toArray(AccessFlag[]::new));
        rereg(
                CHANGE_TRANSLATION,
                MemorySegment.NULL,
                MemorySegment.ofAddress(segment.address()),
                segment.byteSize(),
                0);
        replaced(segment);
    }

    /**
     * Changes several things at once. The keys may change.
     *
     * @param newPd another domain of the same context, or null to keep the present one
     * @param segment other memory, as for {@link ProtectionDomain#regMr}, or null to keep the
     *     present
     * @param newAccess other flags, or null to keep the present ones
     * @throws IllegalArgumentException when nothing changes, or as the calls that change one thing
     * @throws VerbsException as {@link #reregMr(AccessFlag...)}
     * @verbs.calls ibv_rereg_mr
     */
    public synchronized void reregMr(
            ProtectionDomain newPd, MemorySegment segment, Set<AccessFlag> newAccess) {
        AccessFlag[] flags = (newAccess == null ? access : newAccess).toArray(AccessFlag[]::new);
        RegistrationRules.check(segment == null ? segment() : segment, flags);
        int what =
                (newPd == null ? 0 : CHANGE_PD)
                        | (segment == null ? 0 : CHANGE_TRANSLATION)
                        | (newAccess == null ? 0 : CHANGE_ACCESS);
        if (what == 0) {
            throw new IllegalArgumentException("nothing to change");
        }
        segment(); // throws when the region never was memory of this process
        ProtectionDomain target = newPd == null ? pd : newPd;
        Check.sameContext("newPd", target.context(), pd.context());
        int bits = newAccess == null ? 0 : AccessFlag.bits(newAccess);
        target.nativeHandle()
                .within(
                        domain -> {
                            rereg(
                                    what,
                                    newPd == null ? MemorySegment.NULL : domain,
                                    segment == null
                                            ? MemorySegment.NULL
                                            : MemorySegment.ofAddress(segment.address()),
                                    segment == null ? 0 : segment.byteSize(),
                                    bits);
                            if (newPd != null && newPd != pd) {
                                handle.reparent(pd.nativeHandle(), newPd.nativeHandle());
                            }
                            return null;
                        });
        pd = target;
        access = newAccess == null ? access : Set.copyOf(newAccess);
        if (segment != null) {
            replaced(segment);
        }
    }

    private void replaced(MemorySegment segment) {
        memory.replace(segment);
        iova = segment.address();
        length = segment.byteSize();
    }

    private void rereg(int what, MemorySegment domain, MemorySegment start, long size, int bits) {
        int result =
                handle.call(
                        mr -> {
                            int answer =
                                    MemoryVerbs.ibv_rereg_mr(mr, what, domain, start, size, bits);
                            if (answer == 0) {
                                readKeys(mr);
                            }
                            return answer;
                        });
        if (result != 0) {
            throw Check.failure(
                    "ibv_rereg_mr",
                    io.github.verbs4j.ffi.Errno.last(),
                    errno -> RegistrationRules.explainRereg(result, errno));
        }
    }

    /**
     * Tells whether the region has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The number by which another process can import the region, see {@link
     * ProtectionDomain#importMr}.
     *
     * @return C's {@code mr->handle}
     */
    public int mrHandle() {
        return handle.within(mr -> ibv_mr.handle(Structs.view(mr, ibv_mr.sizeof())));
    }

    /**
     * The native {@code struct ibv_mr *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Ends the registration, and frees the memory if the region allocated it: at once, or when no
     * thread is any more inside a native call on it, as a read from a socket, for which this does
     * not wait. Memory windows that are bound to the region are closed first. An imported region is
     * left to its owner.
     *
     * @throws VerbsException when the device refuses; the memory is then not freed
     * @verbs.calls ibv_dereg_mr, ibv_unimport_mr
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return String.format(
                "%s[%d bytes at 0x%x, rkey 0x%x, %s]", handle, length, iova, rkey, access);
    }

    NativeHandle nativeHandle() {
        return handle;
    }

    /** Refuses a range that is not inside the region, and a region that is closed. */
    void checkRange(long offset, long size) {
        if (!handle.isOpen()) {
            handle.pointer(); // throws, saying so
        }
        Objects.checkFromIndexSize(offset, size, length);
        if (memory != null && !memory.segment().scope().isAlive()) {
            throw new IllegalStateException(
                    "the memory of " + this + " was freed by its arena while still registered");
        }
    }
}
