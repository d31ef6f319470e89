package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_ece;
import io.github.verbs4j.ffi.ibv_qp_rate_limit_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.DataInOrder;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** The rarer control calls on a queue pair. */
final class QpExtras {

    /**
     * {@code IBV_QUERY_QP_DATA_IN_ORDER_RETURN_CAPS}; versions that do not know it return 0 or 1.
     */
    private static final int RETURN_CAPS = 1;

    /** {@code IBV_QUERY_QP_DATA_IN_ORDER_DEVICE_ONLY}. */
    private static final int DEVICE_ONLY = 1 << 1;

    private QpExtras() {}

    static void setEce(NativeHandle qp, Ece ece) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            ibv_ece.vendor_id(struct, ece.vendorId());
            ibv_ece.options(struct, ece.options());
            ibv_ece.comp_mask(struct, ece.compMask());
            Check.zero(
                    "ibv_set_ece",
                    qp.call(pointer -> QueuePairVerbs.ibv_set_ece(pointer, struct)),
                    errno -> ece.toString());
        }
    }

    static Ece queryEce(NativeHandle qp) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            Check.zero(
                    "ibv_query_ece",
                    qp.call(pointer -> QueuePairVerbs.ibv_query_ece(pointer, struct)));
            return new Ece(
                    ibv_ece.vendor_id(struct), ibv_ece.options(struct), ibv_ece.comp_mask(struct));
        }
    }

    static void modifyRateLimit(NativeHandle qp, QpRateLimit limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_qp_rate_limit_attr.allocate(arena);
            ibv_qp_rate_limit_attr.rate_limit(struct, (int) limit.rateLimit());
            ibv_qp_rate_limit_attr.max_burst_sz(struct, (int) limit.maxBurstSz());
            ibv_qp_rate_limit_attr.typical_pkt_sz(struct, (short) limit.typicalPktSz());
            Check.zero(
                    "ibv_modify_qp_rate_limit",
                    qp.call(pointer -> QueuePairVerbs.ibv_modify_qp_rate_limit(pointer, struct)),
                    errno -> limit.toString());
        }
    }

    static Set<DataInOrder> queryDataInOrder(NativeHandle qp, WrOpcode op) {
        int caps = query(qp, op, RETURN_CAPS);
        if (caps == 0) {
            caps = query(qp, op, 0);
        }
        return flags(caps);
    }

    static Set<DataInOrder> queryDataInOrderOfDevice(NativeHandle qp, WrOpcode op) {
        return flags(query(qp, op, RETURN_CAPS | DEVICE_ONLY));
    }

    private static Set<DataInOrder> flags(int caps) {
        Set<DataInOrder> result = EnumSet.noneOf(DataInOrder.class);
        for (DataInOrder each : DataInOrder.values()) {
            if ((caps & each.value()) != 0) {
                result.add(each);
            }
        }
        return result;
    }

    private static int query(NativeHandle qp, WrOpcode op, int flags) {
        return qp.call(
                pointer -> QueuePairVerbs.ibv_query_qp_data_in_order(pointer, op.value(), flags));
    }
}
