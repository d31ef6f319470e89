package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_srq_attr;
import io.github.verbs4j.ffi.ibv_srq_init_attr_ex;
import io.github.verbs4j.ffi.ibv_tm_cap;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.types.SrqType;
import java.lang.foreign.MemorySegment;

/** {@link SrqInitAttr} to C. */
final class SrqInitAttrCodec {

    private SrqInitAttrCodec() {}

    /**
     * Fills a {@code struct ibv_srq_init_attr_ex}, whose head is a {@code struct
     * ibv_srq_init_attr}.
     *
     * @param attr the attributes; the objects they name are kept open by the caller
     * @param pd the protection domain
     * @param s the structure, zeroed
     */
    static void write(SrqInitAttr attr, ProtectionDomain pd, MemorySegment s) {
        MemorySegment size = ibv_srq_init_attr_ex.attr(s);
        ibv_srq_attr.max_wr(size, attr.maxWr());
        ibv_srq_attr.max_sge(size, attr.maxSge());
        ibv_srq_attr.srq_limit(size, attr.srqLimit());
        ibv_srq_init_attr_ex.srq_type(s, attr.type().value());
        ibv_srq_init_attr_ex.pd(s, pd.handle());
        int mask = verbs_h.IBV_SRQ_INIT_ATTR_TYPE() | verbs_h.IBV_SRQ_INIT_ATTR_PD();
        if (attr.xrcd() != null && attr.type() == SrqType.XRC) {
            ibv_srq_init_attr_ex.xrcd(s, attr.xrcd().handle());
            mask |= verbs_h.IBV_SRQ_INIT_ATTR_XRCD();
        }
        if (attr.cq() != null) {
            ibv_srq_init_attr_ex.cq(s, attr.cq().handle());
            mask |= verbs_h.IBV_SRQ_INIT_ATTR_CQ();
        }
        if (attr.type() == SrqType.TM) {
            MemorySegment tags = ibv_srq_init_attr_ex.tm_cap(s);
            ibv_tm_cap.max_num_tags(tags, attr.maxNumTags());
            ibv_tm_cap.max_ops(tags, attr.maxOps());
            mask |= verbs_h.IBV_SRQ_INIT_ATTR_TM();
        }
        ibv_srq_init_attr_ex.comp_mask(s, mask);
    }
}
