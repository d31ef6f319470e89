/* Extended completion queues and queue pairs, and the functions that build send requests. */
#include "standin.h"

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *cq;

	saw("create_cq_ex(cqe=%u, channel=%s, comp_vector=%u, wc_flags=%#llx, comp_mask=%#x, "
	    "flags=%#x, parent_domain=%s)",
	    attr->cqe, attr->channel ? "some" : "NULL", attr->comp_vector,
	    (unsigned long long)attr->wc_flags, attr->comp_mask, attr->flags,
	    name(attr->parent_domain));
	if (failing("create_cq_ex"))
		return NULL;
	cq = new_object("cq", sizeof(*cq));
	cq->context = context;
	cq->channel = attr->channel;
	cq->cq_context = attr->cq_context;
	cq->cqe = (int)attr->cqe;
	return cq;
}

/* Requests: what is set between the start and the end. */

static void wr_start(struct ibv_qp_ex *qp)
{
	saw("wr_start(%s)", name(qp));
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	saw("wr_complete(%s)", name(qp));
	return failing("wr_complete");
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	saw("wr_abort(%s)", name(qp));
}

static void wr_send(struct ibv_qp_ex *qp)
{
	saw("wr_send(wr_id=%#llx, wr_flags=%#x)", (unsigned long long)qp->wr_id, qp->wr_flags);
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	saw("wr_send_imm(wr_id=%#llx, wr_flags=%#x, imm_data=%s)", (unsigned long long)qp->wr_id,
	    qp->wr_flags, hex(&imm_data, sizeof(imm_data)));
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz, uint16_t mss)
{
	saw("wr_send_tso(wr_id=%#llx, wr_flags=%#x, hdr=%s, mss=%u)", (unsigned long long)qp->wr_id,
	    qp->wr_flags, hex(hdr, hdr_sz), mss);
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn,
			   uint32_t remote_qkey)
{
	(void)qp;
	saw("wr_set_ud_addr(ah=%s, remote_qpn=%#x, remote_qkey=%#x)", name(ah), remote_qpn,
	    remote_qkey);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	(void)qp;
	saw("wr_set_xrc_srqn(remote_srqn=%#x)", remote_srqn);
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	(void)qp;
	saw("wr_set_sge(lkey=%#x, addr=%s, length=%u)", lkey, addr ? "some" : "NULL", length);
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	(void)qp;
	saw("wr_set_inline_data(%s)", hex(addr, length));
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_ex *ex;

	saw("create_qp_ex(send_cq=%s, recv_cq=%s, srq=%s, cap=%u/%u/%u/%u/%u, qp_type=%d, "
	    "sq_sig_all=%d, comp_mask=%#x, pd=%s, xrcd=%s)",
	    name(attr->send_cq), name(attr->recv_cq), name(attr->srq), attr->cap.max_send_wr,
	    attr->cap.max_recv_wr, attr->cap.max_send_sge, attr->cap.max_recv_sge,
	    attr->cap.max_inline_data, (int)attr->qp_type, attr->sq_sig_all, attr->comp_mask,
	    name(attr->pd), name(attr->xrcd));
	if (attr->comp_mask & ~(uint32_t)(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD))
		saw("extensions(create_flags=%#x, source_qpn=%#x, max_tso_header=%u, "
		    "send_ops_flags=%#llx)",
		    attr->create_flags, attr->source_qpn, attr->max_tso_header,
		    (unsigned long long)attr->send_ops_flags);
	if (failing("create_qp_ex"))
		return NULL;
	ex = new_object("qp", sizeof(*ex));
	ex->qp_base.context = context;
	ex->qp_base.qp_num = (uint32_t)answer("qp_num", 0x123456);
	ex->wr_start = wr_start;
	ex->wr_complete = wr_complete;
	ex->wr_abort = wr_abort;
	ex->wr_send = wr_send;
	ex->wr_send_imm = wr_send_imm;
	ex->wr_send_tso = wr_send_tso;
	ex->wr_set_ud_addr = wr_set_ud_addr;
	ex->wr_set_xrc_srqn = wr_set_xrc_srqn;
	ex->wr_set_sge = wr_set_sge;
	ex->wr_set_inline_data = wr_set_inline_data;
	return &ex->qp_base;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return (struct ibv_qp_ex *)qp;
}

TOPIC(extended)
{
	verbs->create_cq_ex = create_cq_ex;
	verbs->create_qp_ex = create_qp_ex;
}
