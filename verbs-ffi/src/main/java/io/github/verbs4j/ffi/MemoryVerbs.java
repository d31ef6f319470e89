package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.unsupported;
import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.EOPNOTSUPP;
import static io.github.verbs4j.ffi.verbs_h.IBV_ACCESS_OPTIONAL_RANGE;

import java.lang.foreign.MemorySegment;

/** Protection domains and memory regions. */
public final class MemoryVerbs {

    private static final NativeFunction IBV_ALLOC_PD =
            ibverbs("ibv_alloc_pd", C_POINTER, C_POINTER);

    private static final NativeFunction IBV_DEALLOC_PD =
            ibverbs("ibv_dealloc_pd", C_INT, C_POINTER);

    private static final NativeFunction IBV_IMPORT_PD =
            ibverbs("ibv_import_pd", C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction IBV_UNIMPORT_PD =
            ibverbs("ibv_unimport_pd", null, C_POINTER);

    private static final ContextOp OP_ALLOC_TD =
            new ContextOp(
                    "alloc_td", verbs_context.alloc_td$offset(), C_POINTER, C_POINTER, C_POINTER);

    private static final ContextOp OP_DEALLOC_TD =
            new ContextOp("dealloc_td", verbs_context.dealloc_td$offset(), C_INT, C_POINTER);

    private static final ContextOp OP_ALLOC_PARENT_DOMAIN =
            new ContextOp(
                    "alloc_parent_domain",
                    verbs_context.alloc_parent_domain$offset(),
                    C_POINTER,
                    C_POINTER,
                    C_POINTER);

    private static final NativeFunction IBV_REG_MR =
            ibverbs("ibv_reg_mr", C_POINTER, C_POINTER, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction IBV_REG_MR_IOVA =
            ibverbs("ibv_reg_mr_iova", C_POINTER, C_POINTER, C_POINTER, C_LONG, C_LONG, C_INT);

    private static final NativeFunction IBV_REG_MR_IOVA2 =
            ibverbs("ibv_reg_mr_iova2", C_POINTER, C_POINTER, C_POINTER, C_LONG, C_LONG, C_INT);

    private static final NativeFunction IBV_REG_DMABUF_MR =
            ibverbs(
                    "ibv_reg_dmabuf_mr",
                    C_POINTER,
                    C_POINTER,
                    C_LONG,
                    C_LONG,
                    C_LONG,
                    C_INT,
                    C_INT);

    private static final NativeFunction IBV_REG_MR_EX =
            ibverbs("ibv_reg_mr_ex", C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction IBV_REREG_MR =
            ibverbs("ibv_rereg_mr", C_INT, C_POINTER, C_INT, C_POINTER, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction IBV_DEREG_MR = ibverbs("ibv_dereg_mr", C_INT, C_POINTER);

    private static final NativeFunction IBV_IMPORT_MR =
            ibverbs("ibv_import_mr", C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction IBV_UNIMPORT_MR =
            ibverbs("ibv_unimport_mr", null, C_POINTER);

    private static final ContextOp OP_ALLOC_NULL_MR =
            new ContextOp(
                    "alloc_null_mr", verbs_context.alloc_null_mr$offset(), C_POINTER, C_POINTER);

    private static final ContextOp OP_ADVISE_MR =
            new ContextOp(
                    "advise_mr",
                    verbs_context.advise_mr$offset(),
                    C_INT,
                    C_POINTER,
                    C_INT,
                    C_INT,
                    C_POINTER,
                    C_INT);

    private MemoryVerbs() {}

    /** Calls {@code ibv_alloc_pd}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_pd(MemorySegment context) {
        try {
            return (MemorySegment) IBV_ALLOC_PD.handle().invokeExact(Errno.state(), context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dealloc_pd}. Returns 0, or the errno value. */
    public static int ibv_dealloc_pd(MemorySegment pd) {
        try {
            return (int) IBV_DEALLOC_PD.handle().invokeExact(Errno.state(), pd);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_import_pd}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_import_pd(MemorySegment context, int pd_handle) {
        try {
            return (MemorySegment)
                    IBV_IMPORT_PD.handle().invokeExact(Errno.state(), context, pd_handle);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_unimport_pd}. */
    public static void ibv_unimport_pd(MemorySegment pd) {
        try {
            IBV_UNIMPORT_PD.handle().invokeExact(Errno.state(), pd);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.alloc_td}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_td(MemorySegment context, MemorySegment init_attr) {
        MemorySegment function = OP_ALLOC_TD.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_ALLOC_TD.handle().invokeExact(function, Errno.state(), context, init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.dealloc_td}. Returns 0, or the errno value. */
    public static int ibv_dealloc_td(MemorySegment td) {
        MemorySegment function = OP_DEALLOC_TD.in(ibv_td.context(td));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int) OP_DEALLOC_TD.handle().invokeExact(function, Errno.state(), td);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.alloc_parent_domain}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_parent_domain(MemorySegment context, MemorySegment attr) {
        MemorySegment function = OP_ALLOC_PARENT_DOMAIN.in(context);
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_ALLOC_PARENT_DOMAIN
                            .handle()
                            .invokeExact(function, Errno.state(), context, attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Does what the macro {@code ibv_reg_mr} does: registers through {@code ibv_reg_mr_iova2} when
     * the access has optional bits, which the exported function would refuse. Returns NULL on
     * failure, with errno set.
     */
    public static MemorySegment ibv_reg_mr(
            MemorySegment pd, MemorySegment addr, long length, int access) {
        if ((access & IBV_ACCESS_OPTIONAL_RANGE()) != 0) {
            return ibv_reg_mr_iova2(pd, addr, length, addr.address(), access);
        }
        try {
            return (MemorySegment)
                    IBV_REG_MR.handle().invokeExact(Errno.state(), pd, addr, length, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Does what the macro {@code ibv_reg_mr_iova} does, with the same choice as {@link
     * #ibv_reg_mr}. Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_reg_mr_iova(
            MemorySegment pd, MemorySegment addr, long length, long iova, int access) {
        if ((access & IBV_ACCESS_OPTIONAL_RANGE()) != 0) {
            return ibv_reg_mr_iova2(pd, addr, length, iova, access);
        }
        try {
            return (MemorySegment)
                    IBV_REG_MR_IOVA
                            .handle()
                            .invokeExact(Errno.state(), pd, addr, length, iova, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_reg_mr_iova2}, which drops optional access bits that the kernel does not
     * know. Returns NULL on failure, with errno set.
     */
    public static MemorySegment ibv_reg_mr_iova2(
            MemorySegment pd, MemorySegment addr, long length, long iova, int access) {
        try {
            return (MemorySegment)
                    IBV_REG_MR_IOVA2
                            .handle()
                            .invokeExact(Errno.state(), pd, addr, length, iova, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_reg_dmabuf_mr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_reg_dmabuf_mr(
            MemorySegment pd, long offset, long length, long iova, int fd, int access) {
        try {
            return (MemorySegment)
                    IBV_REG_DMABUF_MR
                            .handle()
                            .invokeExact(Errno.state(), pd, offset, length, iova, fd, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_reg_mr_ex}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_reg_mr_ex(MemorySegment pd, MemorySegment mr_init_attr) {
        try {
            return (MemorySegment)
                    IBV_REG_MR_EX.handle().invokeExact(Errno.state(), pd, mr_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /**
     * Calls {@code ibv_rereg_mr}. Returns 0, or an {@code enum ibv_rereg_mr_err_code} (negative)
     * with errno set.
     */
    public static int ibv_rereg_mr(
            MemorySegment mr,
            int flags,
            MemorySegment pd,
            MemorySegment addr,
            long length,
            int access) {
        try {
            return (int)
                    IBV_REREG_MR
                            .handle()
                            .invokeExact(Errno.state(), mr, flags, pd, addr, length, access);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_dereg_mr}. Returns 0, or the errno value. */
    public static int ibv_dereg_mr(MemorySegment mr) {
        try {
            return (int) IBV_DEREG_MR.handle().invokeExact(Errno.state(), mr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_import_mr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_import_mr(MemorySegment pd, int mr_handle) {
        try {
            return (MemorySegment) IBV_IMPORT_MR.handle().invokeExact(Errno.state(), pd, mr_handle);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_unimport_mr}. */
    public static void ibv_unimport_mr(MemorySegment mr) {
        try {
            IBV_UNIMPORT_MR.handle().invokeExact(Errno.state(), mr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.alloc_null_mr}. Returns NULL on failure, with errno set. */
    public static MemorySegment ibv_alloc_null_mr(MemorySegment pd) {
        MemorySegment function = OP_ALLOC_NULL_MR.in(ibv_pd.context(pd));
        if (function.address() == 0) {
            return unsupported();
        }
        try {
            return (MemorySegment)
                    OP_ALLOC_NULL_MR.handle().invokeExact(function, Errno.state(), pd);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code verbs_context.advise_mr}. Returns 0, or the errno value. */
    public static int ibv_advise_mr(
            MemorySegment pd, int advice, int flags, MemorySegment sg_list, int num_sge) {
        MemorySegment function = OP_ADVISE_MR.in(ibv_pd.context(pd));
        if (function.address() == 0) {
            return EOPNOTSUPP();
        }
        try {
            return (int)
                    OP_ADVISE_MR
                            .handle()
                            .invokeExact(
                                    function, Errno.state(), pd, advice, flags, sg_list, num_sge);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
