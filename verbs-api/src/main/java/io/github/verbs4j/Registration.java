package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceMemoryVerbs;
import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.NewerStructs;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
 * @param sources what must outlive the region beside its domain
 */
record Registration(
        Verbs verbs,
        RegisteredMemory memory,
        long iova,
        long length,
        Set<AccessFlag> access,
        List<NativeHandle> sources) {

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
        List<NativeHandle> all = new ArrayList<>(sources);
        all.addFirst(pd);
        return all.toArray(NativeHandle[]::new);
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
                List.of());
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
                Set.copyOf(onDemand));
    }

    /** No memory: what is written there is lost, what is read is undefined or zero. */
    static Registration none() {
        return elsewhere(
                "ibv_alloc_null_mr",
                MemoryVerbs::ibv_alloc_null_mr,
                0,
                Long.MAX_VALUE,
                Set.of(AccessFlag.LOCAL_WRITE));
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
                access);
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
        return new Registration(verbs, null, iova, -1, Set.of(), List.of());
    }

    /** Whatever the attributes say, by one verb. */
    static Registration extended(ProtectionDomain domain, MrInitAttr attr) {
        List<NativeHandle> sources = sources(domain, attr);
        Set<AccessFlag> access = attr.access();
        MemorySegment segment = attr.segment();
        long start = segment == null ? 0 : segment.address();
        long iova = attr.iova() == null ? start : attr.iova();
        UnaryOperator<MemorySegment> register =
                pd ->
                        Check.notNull(
                                "ibv_reg_mr_ex",
                                regMrEx(pd, attr, start, iova),
                                errno ->
                                        segment == null
                                                ? RegistrationRules.explain(
                                                        errno, iova, attr.length(), access)
                                                : RegistrationRules.explainIova(
                                                        errno, segment, iova, access));
        Verbs verbs = new Verbs("ibv_reg_mr_ex", register, false);
        RegisteredMemory memory = segment == null ? null : new RegisteredMemory(segment, null);
        return new Registration(verbs, memory, iova, attr.length(), access, sources);
    }

    private static MemorySegment regMrEx(MemorySegment pd, MrInitAttr attr, long start, long iova) {
        long mask = 0;
        if (attr.iova() != null) {
            mask |= NewerStructs.IBV_REG_MR_MASK_IOVA;
        }
        mask |=
                attr.segment() != null
                        ? NewerStructs.IBV_REG_MR_MASK_ADDR
                        : NewerStructs.IBV_REG_MR_MASK_FD | NewerStructs.IBV_REG_MR_MASK_FD_OFFSET;
        if (attr.dmah() != null) {
            mask |= NewerStructs.IBV_REG_MR_MASK_DMAH;
        }
        if (attr.buf() != null) {
            mask |= NewerStructs.IBV_REG_MR_MASK_BUF;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct =
                    NewerStructs.mr_init_attr(
                            arena,
                            attr.length(),
                            AccessFlag.bits(attr.access()),
                            mask,
                            attr.iova() == null ? 0 : iova,
                            start,
                            attr.fd(),
                            attr.fdOffset(),
                            attr.dmah() == null
                                    ? 0
                                    : attr.dmah().nativeHandle().rawPointer().address(),
                            attr.buf() == null
                                    ? 0
                                    : attr.buf().nativeHandle().rawPointer().address());
            return MemoryVerbs.ibv_reg_mr_ex(pd, struct);
        }
    }

    /** A part of a buffer of the driver's. */
    static Registration buffer(ProtectionDomain domain, MrInitAttr attr) {
        List<NativeHandle> sources = sources(domain, attr);
        MemorySegment segment = attr.segment();
        UnaryOperator<MemorySegment> register =
                pd ->
                        Check.notNull(
                                "ibv_reg_buf_mr",
                                DeviceMemoryVerbs.ibv_reg_buf_mr(
                                        pd,
                                        attr.buf().nativeHandle().rawPointer(),
                                        segment,
                                        attr.length(),
                                        AccessFlag.bits(attr.access())),
                                errno -> RegistrationRules.explain(errno, segment, attr.access()));
        return new Registration(
                new Verbs("ibv_reg_buf_mr", register, false),
                new RegisteredMemory(segment, null),
                segment.address(),
                attr.length(),
                attr.access(),
                sources);
    }

    /** They are entered while the region is made, and closed after it. */
    private static List<NativeHandle> sources(ProtectionDomain domain, MrInitAttr attr) {
        List<NativeHandle> sources = new ArrayList<>();
        if (attr.buf() != null) {
            if (attr.buf().pd() != domain) {
                throw new IllegalArgumentException("buf was allocated for another domain");
            }
            sources.add(attr.buf().nativeHandle());
        }
        if (attr.dmah() != null) {
            Check.sameContext("dmah", attr.dmah().context(), domain.context());
            sources.add(attr.dmah().nativeHandle());
        }
        return sources;
    }

    private static Registration elsewhere(
            String verb,
            UnaryOperator<MemorySegment> call,
            long iova,
            long length,
            Set<AccessFlag> access,
            NativeHandle... sources) {
        UnaryOperator<MemorySegment> register =
                pd ->
                        Check.notNull(
                                verb,
                                call.apply(pd),
                                errno -> RegistrationRules.explain(errno, iova, length, access));
        return new Registration(
                new Verbs(verb, register, false), null, iova, length, access, List.of(sources));
    }
}
