/* Extended completion queues and queue pairs. */
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
	install_wr(ex);
	return &ex->qp_base;
}

TOPIC(extended)
{
	verbs->create_cq_ex = create_cq_ex;
	verbs->create_qp_ex = create_qp_ex;
}
