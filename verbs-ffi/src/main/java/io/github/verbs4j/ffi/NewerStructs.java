package io.github.verbs4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Structs and constants of rdma-core that are younger than the headers the generated classes are
 * made from. Their fields are laid out by the same rules on x86-64 and aarch64.
 */
public final class NewerStructs {

    /** Bits of {@code enum ibv_dmah_init_attr_mask}, since rdma-core 59. */
    public static final int IBV_DMAH_INIT_ATTR_MASK_CPU_ID = 1;

    /** See {@link #IBV_DMAH_INIT_ATTR_MASK_CPU_ID}. */
    public static final int IBV_DMAH_INIT_ATTR_MASK_PH = 1 << 1;

    /** See {@link #IBV_DMAH_INIT_ATTR_MASK_CPU_ID}. */
    public static final int IBV_DMAH_INIT_ATTR_MASK_TPH_MEM_TYPE = 1 << 2;

    /** Bits of {@code enum ibv_mr_init_attr_mask}, since rdma-core 59. */
    public static final long IBV_REG_MR_MASK_IOVA = 1;

    /** See {@link #IBV_REG_MR_MASK_IOVA}. */
    public static final long IBV_REG_MR_MASK_ADDR = 1 << 1;

    /** See {@link #IBV_REG_MR_MASK_IOVA}. */
    public static final long IBV_REG_MR_MASK_FD = 1 << 2;

    /** See {@link #IBV_REG_MR_MASK_IOVA}. */
    public static final long IBV_REG_MR_MASK_FD_OFFSET = 1 << 3;

    /** See {@link #IBV_REG_MR_MASK_IOVA}. */
    public static final long IBV_REG_MR_MASK_DMAH = 1 << 4;

    /** See {@link #IBV_REG_MR_MASK_IOVA}; since rdma-core 64. */
    public static final long IBV_REG_MR_MASK_BUF = 1 << 5;

    /** A bit of {@code enum ibv_parent_domain_init_attr_mask}, since rdma-core 64. */
    public static final int IBV_PARENT_DOMAIN_INIT_ATTR_ALLOW_CC_UNPROTECTED_ALLOC = 1 << 2;

    /** {@code sizeof(struct ibv_comp_cntr_caps)} of rdma-core 65. */
    static final long SIZEOF_COMP_CNTR_CAPS = 16;

    private static final long SIZEOF_DMAH_INIT_ATTR = 12;
    private static final long SIZEOF_MR_INIT_ATTR = 72;
    private static final long SIZEOF_COMP_CNTR_INIT_ATTR = 12;
    private static final long SIZEOF_QP_ATTACH_COMP_CNTR_ATTR = 8;

    private NewerStructs() {}

    /** Returns a {@code struct ibv_dmah_init_attr}, since rdma-core 59. */
    public static MemorySegment dmah_init_attr(
            SegmentAllocator allocator, int comp_mask, int cpu_id, byte ph, byte tph_mem_type) {
        MemorySegment struct = allocator.allocate(SIZEOF_DMAH_INIT_ATTR, 4);
        struct.set(JAVA_INT, 0, comp_mask);
        struct.set(JAVA_INT, 4, cpu_id);
        struct.set(JAVA_BYTE, 8, ph);
        struct.set(JAVA_BYTE, 9, tph_mem_type);
        return struct;
    }

    /**
     * Returns a {@code struct ibv_mr_init_attr}, since rdma-core 59. Its last field, the buffer, is
     * read only under {@link #IBV_REG_MR_MASK_BUF}, so the struct serves versions that end before.
     */
    public static MemorySegment mr_init_attr(
            SegmentAllocator allocator,
            long length,
            int access,
            long comp_mask,
            long iova,
            long addr,
            int fd,
            long fd_offset,
            long dmah,
            long buf) {
        MemorySegment struct = allocator.allocate(SIZEOF_MR_INIT_ATTR, 8);
        struct.set(JAVA_LONG, 0, length);
        struct.set(JAVA_INT, 8, access);
        struct.set(JAVA_LONG, 16, comp_mask);
        struct.set(JAVA_LONG, 24, iova);
        struct.set(JAVA_LONG, 32, addr);
        struct.set(JAVA_INT, 40, fd);
        struct.set(JAVA_LONG, 48, fd_offset);
        struct.set(JAVA_LONG, 56, dmah);
        struct.set(JAVA_LONG, 64, buf);
        return struct;
    }

    /** Returns a {@code struct ibv_comp_cntr_init_attr}, since rdma-core 65. */
    public static MemorySegment comp_cntr_init_attr(
            SegmentAllocator allocator, int comp_mask, int type, int flags) {
        MemorySegment struct = allocator.allocate(SIZEOF_COMP_CNTR_INIT_ATTR, 4);
        struct.set(JAVA_INT, 0, comp_mask);
        struct.set(JAVA_INT, 4, type);
        struct.set(JAVA_INT, 8, flags);
        return struct;
    }

    /** Returns a {@code struct ibv_qp_attach_comp_cntr_attr}, since rdma-core 65. */
    public static MemorySegment qp_attach_comp_cntr_attr(
            SegmentAllocator allocator, int comp_mask, int op_mask) {
        MemorySegment struct = allocator.allocate(SIZEOF_QP_ATTACH_COMP_CNTR_ATTR, 4);
        struct.set(JAVA_INT, 0, comp_mask);
        struct.set(JAVA_INT, 4, op_mask);
        return struct;
    }

    /** Returns zeroed memory for a {@code struct ibv_comp_cntr_caps}, since rdma-core 65. */
    public static MemorySegment comp_cntr_caps(SegmentAllocator allocator) {
        return allocator.allocate(SIZEOF_COMP_CNTR_CAPS, 8);
    }

    /** Returns {@code caps->max_value} of an ibv_comp_cntr_caps. */
    public static long comp_cntr_caps_max_value(MemorySegment caps) {
        return caps.get(JAVA_LONG, 0);
    }

    /** Returns {@code caps->max_counters} of an ibv_comp_cntr_caps. */
    public static int comp_cntr_caps_max_counters(MemorySegment caps) {
        return caps.get(JAVA_INT, 8);
    }

    /** Returns {@code caps->supported_qp_attach_ops} of an ibv_comp_cntr_caps. */
    public static int comp_cntr_caps_supported_qp_attach_ops(MemorySegment caps) {
        return caps.get(JAVA_INT, 12);
    }
}
