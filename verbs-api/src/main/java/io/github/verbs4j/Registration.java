package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.RegisteredMemory;
import io.github.verbs4j.internal.RegistrationRules;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.OdpCaps;
import io.github.verbs4j.types.OdpGeneralCap;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One way to make a memory region.
 *
 * @param verbs makes and ends the native region
 * @param memory what is registered, or null when it is not memory of this process
 * @param iova the address by which the device knows the first byte
 * @param length in bytes; -1 when only the native region tells
 * @param access what the device may do
 * @param source what must outlive the region beside its domain, or null
 */
record Registration(
        Verbs verbs,
        RegisteredMemory memory,
        long iova,
        long length,
        Set<AccessFlag> access,
        NativeHandle source) {

    /** The whole address space, as C's SIZE_MAX says to a device that pages on demand. */
    private static final long SIZE_MAX = -1;

    /** How a native region begins and ends. */
    record Verbs(String verb, UnaryOperator<MemorySegment> register, boolean imported) {

        MemorySegment begin(MemorySegment pd) {
            return register.apply(pd);
        }

        void end(MemorySegment mr) {
            if (imported) {
                MemoryVerbs.ibv_unimport_mr(mr);
            } else {
                Check.zero("ibv_dereg_mr", MemoryVerbs.ibv_dereg_mr(mr));
            }
        }
    }

    NativeHandle[] parents(NativeHandle pd) {
        return source == null ? new NativeHandle[] {pd} : new NativeHandle[] {pd, source};
    }

    /** Memory of this process under its own address; the arena is closed with the region. */
    static Registration of(MemorySegment segment, Arena arena, AccessFlag... flags) {
        Set<AccessFlag> access = RegistrationRules.check(segment, flags);
        MemorySegment start = MemorySegment.ofAddress(segment.address());
        Verbs verbs =
                new Verbs(
                        "ibv_reg_mr",
                        pd ->
                                Check.notNull(
                                        "ibv_reg_mr",
                                        MemoryVerbs.ibv_reg_mr(
                                                pd,
                                                start,
                                                segment.byteSize(),
                                                AccessFlag.bits(access)),
                                        errno -> RegistrationRules.explain(errno, segment, access)),
                        false);
        return host(verbs, segment, arena, segment.address(), access);
    }

    /** Memory of this process under another address. */
    static Registration iova(MemorySegment segment, long iova, AccessFlag... flags) {
        Set<AccessFlag> access = RegistrationRules.check(segment, flags);
        MemorySegment start = MemorySegment.ofAddress(segment.address());
        Verbs verbs =
                new Verbs(
                        "ibv_reg_mr_iova",
                        pd ->
                                Check.notNull(
                                        "ibv_reg_mr_iova",
                                        MemoryVerbs.ibv_reg_mr_iova(
                                                pd,
                                                start,
                                                segment.byteSize(),
                                                iova,
                                                AccessFlag.bits(access)),
                                        errno ->
                                                RegistrationRules.explainIova(
                                                        errno, segment, iova, access)),
                        false);
        return host(verbs, segment, null, iova, access);
    }

    private static Registration host(
            Verbs verbs, MemorySegment segment, Arena arena, long iova, Set<AccessFlag> access) {
        return new Registration(
                verbs,
                new RegisteredMemory(segment, arena),
                iova,
                segment.byteSize(),
                access,
                null);
    }

    /** Refuses devices that would fail with an errno value that says nothing. */
    static void requireImplicitPaging(Context context) {
        OdpCaps odp = context.queryDeviceEx().odpCaps();
        if ((odp.generalCaps() & OdpGeneralCap.SUPPORT_IMPLICIT.value()) == 0) {
            throw new UnsupportedVerbException(
                    "ibv_reg_mr",
                    Errno.EOPNOTSUPP,
                    context.device().name() + " has no implicit on-demand paging: " + odp);
        }
    }

    /** All memory of this process, present and future, paged on demand. */
    static Registration implicit(AccessFlag... flags) {
        Set<AccessFlag> access = RegistrationRules.checkAccess(flags);
        EnumSet<AccessFlag> onDemand = EnumSet.of(AccessFlag.ON_DEMAND);
        onDemand.addAll(access);
        int bits = AccessFlag.bits(onDemand);
        return elsewhere(
                "ibv_reg_mr",
                pd -> MemoryVerbs.ibv_reg_mr(pd, MemorySegment.NULL, SIZE_MAX, bits),
                0,
                Long.MAX_VALUE,
                Set.copyOf(onDemand),
                null);
    }

    /** No memory: what is written there is lost, what is read is undefined or zero. */
    static Registration none() {
        return elsewhere(
                "ibv_alloc_null_mr",
                MemoryVerbs::ibv_alloc_null_mr,
                0,
                Long.MAX_VALUE,
                Set.of(AccessFlag.LOCAL_WRITE),
                null);
    }

    /** Memory behind a file descriptor of Linux's dma-buf, of a GPU for example. */
    static Registration dmabuf(
            int fd, long offset, long length, long iova, Set<AccessFlag> access) {
        int bits = AccessFlag.bits(access);
        return elsewhere(
                "ibv_reg_dmabuf_mr",
                pd ->
                        Check.present(
                                () ->
                                        MemoryVerbs.ibv_reg_dmabuf_mr(
                                                pd, offset, length, iova, fd, bits)),
                iova,
                length,
                access,
                null);
    }

    /** A part of a device's own memory. Such a region has no address but its offsets. */
    static Registration deviceMemory(
            NativeHandle dm, long offset, long length, Set<AccessFlag> access) {
        EnumSet<AccessFlag> zeroBased = EnumSet.of(AccessFlag.ZERO_BASED);
        zeroBased.addAll(access);
        int bits = AccessFlag.bits(zeroBased);
        return elsewhere(
                "ibv_reg_dm_mr",
                pd ->
                        dm.within(
                                from ->
                                        DeviceMemoryVerbs.ibv_reg_dm_mr(
                                                pd, from, offset, length, bits)),
                0,
                length,
                Set.copyOf(zeroBased),
                dm);
    }

    /** A region that another process registered. */
    static Registration imported(int mrHandle, long iova) {
        Verbs verbs =
                new Verbs(
                        "ibv_import_mr",
                        pd ->
                                Check.notNull(
                                        "ibv_import_mr",
                                        Check.present(
                                                () -> MemoryVerbs.ibv_import_mr(pd, mrHandle))),
                        true);
        return new Registration(verbs, null, iova, -1, Set.of(), null);
    }

    private static Registration elsewhere(
            String verb,
            UnaryOperator<MemorySegment> call,
            long iova,
            long length,
            Set<AccessFlag> access,
            NativeHandle source) {
        UnaryOperator<MemorySegment> register =
                pd ->
                        Check.notNull(
                                verb,
                                call.apply(pd),
                                errno -> RegistrationRules.explain(errno, iova, length, access));
        return new Registration(
                new Verbs(verb, register, false), null, iova, length, access, source);
    }
}
