package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EINVAL;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;
import static io.github.verbs4j.ffi.verbs_h.EPERM;
import static io.github.verbs4j.ffi.verbs_h.IBV_MW_TYPE_1;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory windows, memory of the device, and buffers and DMA handles that the provider allocates.
 */
public final class DeviceMemoryVerbs {

    private static final MethodHandle ALLOC_MW =
            Native.pointer(descriptor(C_POINTER, C_POINTER, C_INT));

    private static final MethodHandle DEALLOC_MW = Native.pointer(descriptor(C_INT, C_POINTER));

    private static final MethodHandle BIND_MW =
            Native.pointer(descriptor(C_INT, C_POINTER, C_POINTER, C_POINTER));

    private static final ContextOp OP_ALLOC_DM =
            new ContextOp(
                    "alloc_dm", verbs_context.alloc_dm$offset(), C_POINTER, C_POINTER, C_POINTER);

    private static final ContextOp OP_FREE_DM =
            new ContextOp("free_dm", verbs_context.free_dm$offset(), C_INT, C_POINTER);

    private static final MethodHandle MEMCPY_TO_DM =
            Native.pointer(descriptor(C_INT, C_POINTER, C_LONG, C_POINTER, C_LONG));

    private static final MethodHandle MEMCPY_FROM_DM =
            Native.pointer(descriptor(C_INT, C_POINTER, C_POINTER, C_LONG, C_LONG));

    private static final ContextOp OP_REG_DM_MR =
            new ContextOp(
                    "reg_dm_mr",
                    verbs_context.reg_dm_mr$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER,
                    C_LONG,
                    C_LONG,
                    C_INT);

    private static final NativeFunction IBV_IMPORT_DM =
            ibverbs("ibv_import_dm", C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction IBV_UNIMPORT_DM =
            ibverbs("ibv_unimport_dm", null, C_POINTER);

    private static final NativeFunction IBV_DM_EXPORT_DMABUF_FD =
            ibverbs("ibv_dm_export_dmabuf_fd", C_INT, C_POINTER);

    private static final NativeFunction IBV_ALLOC_BUF =
            ibverbs("ibv_alloc_buf", C_POINTER, C_POINTER, C_LONG, C_POINTER);

    private static final NativeFunction IBV_FREE_BUF = ibverbs("ibv_free_buf", null, C_POINTER);

    private static final NativeFunction IBV_EXPORT_BUF_DMABUF_FD =
            ibverbs("ibv_export_buf_dmabuf_fd", C_INT, C_POINTER);

    private static final NativeFunction IBV_REG_BUF_MR =
            ibverbs("ibv_reg_buf_mr", C_POINTER, C_POINTER, C_POINTER, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction IBV_ALLOC_DMAH =
            ibverbs("ibv_alloc_dmah", C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_DEALLOC_DMAH =
            ibverbs("ibv_dealloc_dmah", C_INT, C_POINTER);

    private DeviceMemoryVerbs() {}

    /** Calls {@code ibv_context_ops.alloc_mw}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_mw(MemorySegment pd, int type) {
        MemorySegment op = ibv_context_ops.alloc_mw(ibv_context.ops(ibv_pd.context(pd)));
        if (op.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment) ALLOC_MW.invokeExact(op, Errno.state(), pd, type);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_context_ops.dealloc_mw}. Returns 0, or the errno value. */
    public static int ibv_dealloc_mw(MemorySegment mw) {
        MemorySegment op = ibv_context_ops.dealloc_mw(ibv_context.ops(ibv_mw.context(mw)));
        if (op.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) DEALLOC_MW.invokeExact(op, Errno.state(), mw);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Returns the key with its lowest 8 bits, the tag, counted up by one. */
    public static int ibv_inc_rkey(int rkey) {
        return (rkey & ~0xff) | ((rkey + 1) & 0xff);
    }

    /**
     * Calls {@code ibv_context_ops.bind_mw} after the checks of C: a window of type 1 (else
     * EINVAL), no range without a region (EINVAL), one protection domain (EPERM). Returns 0, or the
     * errno value.
     */
    public static int ibv_bind_mw(MemorySegment qp, MemorySegment mw, MemorySegment mw_bind) {
        MemorySegment info = ibv_mw_bind.bind_info(mw_bind);
        MemorySegment mr = ibv_mw_bind_info.mr(info);
        if (ibv_mw.type(mw) != IBV_MW_TYPE_1()) {
            return EINVAL();
        }
        if (mr.address() == 0
                && (ibv_mw_bind_info.addr(info) != 0 || ibv_mw_bind_info.length(info) != 0)) {
            return EINVAL();
        }
        if (mr.address() != 0 && ibv_mw.pd(mw).address() != ibv_mr.pd(mr).address()) {
            return EPERM();
        }
        MemorySegment op = ibv_context_ops.bind_mw(ibv_context.ops(ibv_mw.context(mw)));
        if (op.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) BIND_MW.invokeExact(op, Errno.state(), qp, mw, mw_bind);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.alloc_dm}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_dm(MemorySegment context, MemorySegment attr) {
        MemorySegment function = OP_ALLOC_DM.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_ALLOC_DM.handle().invokeExact(function, Errno.state(), context, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.free_dm}. Returns 0, or the errno value. */
    public static int ibv_free_dm(MemorySegment dm) {
        MemorySegment function = OP_FREE_DM.in(ibv_dm.context(dm));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_FREE_DM.handle().invokeExact(function, Errno.state(), dm);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dm.memcpy_to_dm}. Returns 0, or the errno value. */
    public static int ibv_memcpy_to_dm(
            MemorySegment dm, long dm_offset, MemorySegment host_addr, long length) {
        MemorySegment function = ibv_dm.memcpy_to_dm(dm);
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    MEMCPY_TO_DM.invokeExact(
                            function, Errno.state(), dm, dm_offset, host_addr, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dm.memcpy_from_dm}. Returns 0, or the errno value. */
    public static int ibv_memcpy_from_dm(
            MemorySegment host_addr, MemorySegment dm, long dm_offset, long length) {
        MemorySegment function = ibv_dm.memcpy_from_dm(dm);
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    MEMCPY_FROM_DM.invokeExact(
                            function, Errno.state(), host_addr, dm, dm_offset, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.reg_dm_mr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_reg_dm_mr(
            MemorySegment pd, MemorySegment dm, long dm_offset, long length, int access) {
        MemorySegment function = OP_REG_DM_MR.in(ibv_pd.context(pd));
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_REG_DM_MR
                            .handle()
                            .invokeExact(
                                    function, Errno.state(), pd, dm, dm_offset, length, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_import_dm}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_import_dm(MemorySegment context, int dm_handle) {
        try {
            return (MemorySegment)
                    IBV_IMPORT_DM.handle().invokeExact(Errno.state(), context, dm_handle);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_unimport_dm}. */
    public static void ibv_unimport_dm(MemorySegment dm) {
        try {
            IBV_UNIMPORT_DM.handle().invokeExact(Errno.state(), dm);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dm_export_dmabuf_fd}. Returns a file descriptor, or -1 with errno set. */
    public static int ibv_dm_export_dmabuf_fd(MemorySegment dm) {
        try {
            return (int) IBV_DM_EXPORT_DMABUF_FD.handle().invokeExact(Errno.state(), dm);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_alloc_buf}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_buf(MemorySegment pd, long size, MemorySegment buf) {
        try {
            return (MemorySegment) IBV_ALLOC_BUF.handle().invokeExact(Errno.state(), pd, size, buf);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_free_buf}. */
    public static void ibv_free_buf(MemorySegment buf) {
        try {
            IBV_FREE_BUF.handle().invokeExact(Errno.state(), buf);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_export_buf_dmabuf_fd}. Returns a file descriptor, or -1 with errno set. */
    public static int ibv_export_buf_dmabuf_fd(MemorySegment buf) {
        try {
            return (int) IBV_EXPORT_BUF_DMABUF_FD.handle().invokeExact(Errno.state(), buf);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_reg_buf_mr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_reg_buf_mr(
            MemorySegment pd, MemorySegment buf, MemorySegment addr, long length, int access) {
        try {
            return (MemorySegment)
                    IBV_REG_BUF_MR
                            .handle()
                            .invokeExact(Errno.state(), pd, buf, addr, length, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_alloc_dmah}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_dmah(MemorySegment context, MemorySegment attr) {
        try {
            return (MemorySegment)
                    IBV_ALLOC_DMAH.handle().invokeExact(Errno.state(), context, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dealloc_dmah}. Returns 0, or the errno value. */
    public static int ibv_dealloc_dmah(MemorySegment dmah) {
        try {
            return (int) IBV_DEALLOC_DMAH.handle().invokeExact(Errno.state(), dmah);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
