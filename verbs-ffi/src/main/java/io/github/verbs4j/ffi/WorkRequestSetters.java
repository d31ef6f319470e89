package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.Absent.function;
import static io.github.verbs4j.ffi.Native.hot;
import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The data and the destination of the work request that {@link WorkRequestVerbs} has begun. Data
 * path.
 */
public final class WorkRequestSetters {

    /**
     * Calls through {@code ibv_qp_ex.wr_set_sge}: the address of the function first, then the
     * arguments of {@code ibv_wr_set_sge}.
     */
    public static final MethodHandle WR_SET_SGE =
            hot(descriptor(null, C_POINTER, C_INT, C_LONG, C_INT));

    private static final long WR_SET_SGE_OFFSET = ibv_qp_ex.wr_set_sge$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_set_sge_list}: the address of the function first, then the
     * arguments of {@code ibv_wr_set_sge_list}.
     */
    public static final MethodHandle WR_SET_SGE_LIST =
            hot(descriptor(null, C_POINTER, C_LONG, C_POINTER));

    private static final long WR_SET_SGE_LIST_OFFSET =
            ibv_qp_ex.wr_set_sge_list$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_set_inline_data}: the address of the function first, then
     * the arguments of {@code ibv_wr_set_inline_data}.
     */
    public static final MethodHandle WR_SET_INLINE_DATA =
            hot(descriptor(null, C_POINTER, C_POINTER, C_LONG));

    private static final long WR_SET_INLINE_DATA_OFFSET =
            ibv_qp_ex.wr_set_inline_data$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_set_inline_data_list}: the address of the function first,
     * then the arguments of {@code ibv_wr_set_inline_data_list}.
     */
    public static final MethodHandle WR_SET_INLINE_DATA_LIST =
            hot(descriptor(null, C_POINTER, C_LONG, C_POINTER));

    private static final long WR_SET_INLINE_DATA_LIST_OFFSET =
            ibv_qp_ex.wr_set_inline_data_list$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_set_ud_addr}: the address of the function first, then the
     * arguments of {@code ibv_wr_set_ud_addr}.
     */
    public static final MethodHandle WR_SET_UD_ADDR =
            hot(descriptor(null, C_POINTER, C_POINTER, C_INT, C_INT));

    private static final long WR_SET_UD_ADDR_OFFSET =
            ibv_qp_ex.wr_set_ud_addr$offset() + Abi.MUTEX_GROWTH;

    /**
     * Calls through {@code ibv_qp_ex.wr_set_xrc_srqn}: the address of the function first, then the
     * arguments of {@code ibv_wr_set_xrc_srqn}.
     */
    public static final MethodHandle WR_SET_XRC_SRQN = hot(descriptor(null, C_POINTER, C_INT));

    private static final long WR_SET_XRC_SRQN_OFFSET =
            ibv_qp_ex.wr_set_xrc_srqn$offset() + Abi.MUTEX_GROWTH;

    private WorkRequestSetters() {}

    /** Calls {@code ibv_qp_ex.wr_set_sge}. */
    public static void ibv_wr_set_sge(MemorySegment qp, int lkey, long addr, int length) {
        long function = function(qp, WR_SET_SGE_OFFSET, "ibv_wr_set_sge");
        try {
            WR_SET_SGE.invokeExact(function, qp, lkey, addr, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_sge_list}. */
    public static void ibv_wr_set_sge_list(MemorySegment qp, long num_sge, MemorySegment sg_list) {
        long function = function(qp, WR_SET_SGE_LIST_OFFSET, "ibv_wr_set_sge_list");
        try {
            WR_SET_SGE_LIST.invokeExact(function, qp, num_sge, sg_list);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_inline_data}. */
    public static void ibv_wr_set_inline_data(MemorySegment qp, MemorySegment addr, long length) {
        long function = function(qp, WR_SET_INLINE_DATA_OFFSET, "ibv_wr_set_inline_data");
        try {
            WR_SET_INLINE_DATA.invokeExact(function, qp, addr, length);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_inline_data_list}. */
    public static void ibv_wr_set_inline_data_list(
            MemorySegment qp, long num_buf, MemorySegment buf_list) {
        long function = function(qp, WR_SET_INLINE_DATA_LIST_OFFSET, "ibv_wr_set_inline_data_list");
        try {
            WR_SET_INLINE_DATA_LIST.invokeExact(function, qp, num_buf, buf_list);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_ud_addr}. */
    public static void ibv_wr_set_ud_addr(
            MemorySegment qp, MemorySegment ah, int remote_qpn, int remote_qkey) {
        long function = function(qp, WR_SET_UD_ADDR_OFFSET, "ibv_wr_set_ud_addr");
        try {
            WR_SET_UD_ADDR.invokeExact(function, qp, ah, remote_qpn, remote_qkey);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_qp_ex.wr_set_xrc_srqn}. */
    public static void ibv_wr_set_xrc_srqn(MemorySegment qp, int remote_srqn) {
        long function = function(qp, WR_SET_XRC_SRQN_OFFSET, "ibv_wr_set_xrc_srqn");
        try {
            WR_SET_XRC_SRQN.invokeExact(function, qp, remote_srqn);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
