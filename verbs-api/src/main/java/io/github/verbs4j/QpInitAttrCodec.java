package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.MemorySegment;

/** {@link QpInitAttr} to C. */
final class QpInitAttrCodec {

    private QpInitAttrCodec() {}

    /**
     * Fills a {@code struct ibv_qp_init_attr_ex}, whose head is a {@code struct ibv_qp_init_attr}.
     *
     * @param attr the attributes; the objects they name are kept open by the caller
     * @param pd the protection domain, or null
     * @param s the structure, zeroed
     */
    static void write(QpInitAttr attr, ProtectionDomain pd, MemorySegment s) {
        int mask = 0;
        if (attr.sendCq() != null) {
            ibv_qp_init_attr_ex.send_cq(s, attr.sendCq().handle());
        }
        if (attr.recvCq() != null) {
            ibv_qp_init_attr_ex.recv_cq(s, attr.recvCq().handle());
        }
        if (attr.srq() != null) {
            ibv_qp_init_attr_ex.srq(s, attr.srq().handle());
        }
        QpAttrCodec.writeCap(attr.cap(), ibv_qp_init_attr_ex.cap(s));
        ibv_qp_init_attr_ex.qp_type(s, attr.qpType().value());
        ibv_qp_init_attr_ex.sq_sig_all(s, attr.sqSigAll() ? 1 : 0);
        if (pd != null) {
            ibv_qp_init_attr_ex.pd(s, pd.handle());
            mask |= verbs_h.IBV_QP_INIT_ATTR_PD();
        }
        if (attr.qpType() == QpType.XRC_RECV) {
            ibv_qp_init_attr_ex.xrcd(s, attr.xrcd().handle());
            mask |= verbs_h.IBV_QP_INIT_ATTR_XRCD();
        }
        ibv_qp_init_attr_ex.comp_mask(s, mask);
    }
}
