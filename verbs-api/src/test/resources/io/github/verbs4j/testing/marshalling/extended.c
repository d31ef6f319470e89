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

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	saw("modify_cq(%s, attr_mask=%#x, cq_count=%u, cq_period=%u)", name(cq), attr->attr_mask,
	    attr->moderate.cq_count, attr->moderate.cq_period);
	return failing("modify_cq");
}

static int modify_qp_rate_limit(struct ibv_qp *qp, struct ibv_qp_rate_limit_attr *attr)
{
	saw("modify_qp_rate_limit(%s, rate_limit=%u, max_burst_sz=%u, typical_pkt_sz=%u, "
	    "comp_mask=%#x)",
	    name(qp), attr->rate_limit, attr->max_burst_sz, attr->typical_pkt_sz, attr->comp_mask);
	return failing("modify_qp_rate_limit");
}

int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	saw("set_ece(%s, vendor_id=%#x, options=%#x, comp_mask=%#x)", name(qp), ece->vendor_id,
	    ece->options, ece->comp_mask);
	return failing("set_ece");
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	saw("query_ece(%s)", name(qp));
	ece->vendor_id = (uint32_t)answer("vendor_id", 0);
	ece->options = (uint32_t)answer("options", 0);
	ece->comp_mask = (uint32_t)answer("comp_mask", 0);
	return failing("query_ece");
}

TOPIC(extended)
{
	verbs->modify_cq = modify_cq;
	verbs->modify_qp_rate_limit = modify_qp_rate_limit;
	verbs->create_cq_ex = create_cq_ex;
	verbs->create_qp_ex = create_qp_ex;
}
