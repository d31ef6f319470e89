package io.github.verbs4j.ffi;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Where the bound structs differ between machines. The generated layouts are those of x86-64; on
 * aarch64 a {@code pthread_mutex_t} is 8 bytes longer, which moves every field that follows one.
 * This class has the fields among those that callers need. Fields in front of the mutex, and all
 * other structs, are the same on both: use the generated accessors.
 */
public final class Abi {

    /** How many bytes longer than in the generated layouts a pthread_mutex_t is here. */
    static final long MUTEX_GROWTH = mutexGrowth(System.getProperty("os.arch"), hasGlibc());

    /** sizeof(struct ibv_context). */
    static final long SIZEOF_CONTEXT = ibv_context.sizeof() + MUTEX_GROWTH;

    /** How far in front of ibv_context its verbs_context keeps its size. */
    static final long SZ_DISTANCE = verbs_context.context$offset() - verbs_context.sz$offset();

    private static final long ABI_COMPAT = ibv_context.abi_compat$offset() + MUTEX_GROWTH;
    private static final long ABI_IS_EXTENDED = -1L;

    private static final long CQ_EX_STATUS = ibv_cq_ex.status$offset() + MUTEX_GROWTH;
    private static final long CQ_EX_WR_ID = ibv_cq_ex.wr_id$offset() + MUTEX_GROWTH;
    private static final long QP_EX_WR_ID = ibv_qp_ex.wr_id$offset() + MUTEX_GROWTH;
    private static final long QP_EX_WR_FLAGS = ibv_qp_ex.wr_flags$offset() + MUTEX_GROWTH;

    private Abi() {}

    /** Returns {@code cq->status} of an ibv_cq_ex: an {@code enum ibv_wc_status}. */
    public static int cq_ex_status(MemorySegment cq) {
        return cq.get(verbs_h.C_INT, CQ_EX_STATUS);
    }

    /** Returns {@code cq->wr_id} of an ibv_cq_ex. */
    public static long cq_ex_wr_id(MemorySegment cq) {
        return cq.get(verbs_h.C_LONG, CQ_EX_WR_ID);
    }

    /** Sets {@code qp->wr_id} of an ibv_qp_ex. */
    public static void qp_ex_wr_id(MemorySegment qp, long wr_id) {
        qp.set(verbs_h.C_LONG, QP_EX_WR_ID, wr_id);
    }

    /** Sets {@code qp->wr_flags} of an ibv_qp_ex: bits of {@code enum ibv_send_flags}. */
    public static void qp_ex_wr_flags(MemorySegment qp, int wr_flags) {
        qp.set(verbs_h.C_INT, QP_EX_WR_FLAGS, wr_flags);
    }

    /**
     * Returns what {@code verbs_get_ctx} does: the verbs_context that an ibv_context is the end of,
     * or NULL when it is the end of none.
     */
    public static MemorySegment verbs_get_ctx(MemorySegment ctx) {
        return isExtended(ctx)
                ? MemorySegment.ofAddress(ctx.address() - verbs_context.context$offset())
                : MemorySegment.NULL;
    }

    static boolean isExtended(MemorySegment context) {
        return context.get(verbs_h.C_LONG, ABI_COMPAT) == ABI_IS_EXTENDED;
    }

    static long mutexGrowth(String arch, boolean glibc) {
        return switch (arch) {
            case "amd64", "x86_64" -> 0;
            // 48 bytes in glibc; musl has 40 on every 64-bit machine.
            case "aarch64" -> glibc ? 8 : 0;
            default ->
                    throw new UnsupportedOperationException(
                            "verbs4j knows the struct layouts of x86-64 and aarch64, not " + arch);
        };
    }

    private static boolean hasGlibc() {
        return Linker.nativeLinker().defaultLookup().find("gnu_get_libc_version").isPresent();
    }
}
