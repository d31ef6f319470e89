/* Domains, regions, completion queues, queue pairs: enough for other objects to refer to. */
#include "standin.h"

#undef ibv_reg_mr

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = new_object("pd", sizeof(*pd));

	pd->context = context;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	return end_object("dealloc_pd", pd);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	struct ibv_mr *mr = new_object("mr", sizeof(*mr));

	saw("reg_mr(pd=%s, length=%zu, access=%#x)", name(pd), length, (unsigned int)access);
	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->lkey = (uint32_t)answer("lkey", 0x11223344);
	mr->rkey = (uint32_t)answer("rkey", 0x55667788);
	return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	return end_object("dereg_mr", mr);
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
			     struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq *cq = new_object("cq", sizeof(*cq));

	saw("create_cq(cqe=%d, comp_vector=%d)", cqe, comp_vector);
	cq->context = context;
	cq->cq_context = cq_context;
	cq->channel = channel;
	cq->cqe = cqe;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	return end_object("destroy_cq", cq);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp;

	saw("create_qp(pd=%s, send_cq=%s, recv_cq=%s, srq=%s, cap=%u/%u/%u/%u/%u, qp_type=%d, "
	    "sq_sig_all=%d)",
	    name(pd), name(attr->send_cq), name(attr->recv_cq), name(attr->srq),
	    attr->cap.max_send_wr, attr->cap.max_recv_wr, attr->cap.max_send_sge,
	    attr->cap.max_recv_sge, attr->cap.max_inline_data, (int)attr->qp_type,
	    attr->sq_sig_all);
	if (failing("create_qp"))
		return NULL;
	qp = new_object("qp", sizeof(struct ibv_qp_ex));
	qp->context = pd->context;
	qp->qp_num = (uint32_t)answer("qp_num", 0x123456);
	return qp;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	return end_object("destroy_qp", qp);
}

void (*modify_driver_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr);

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)
{
	saw("modify_qp(%s, attr_mask=%#x, qp_state=%d)", name(qp), (unsigned int)attr_mask,
	    (int)attr->qp_state);
	if (failing("modify_qp"))
		return errno;
	if (qp->qp_type == IBV_QPT_DRIVER)
		modify_driver_qp(qp, attr);
	return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask,
		 struct ibv_qp_init_attr *init_attr)
{
	saw("query_qp(%s, attr_mask=%#x)", name(qp), (unsigned int)attr_mask);
	memset(init_attr, 0, sizeof(*init_attr));
	attr->qp_state = (enum ibv_qp_state)answer("qp_state", IBV_QPS_RESET);
	return failing("query_qp");
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *ah = new_object("ah", sizeof(*ah));

	saw("create_ah(pd=%s, dgid=%s, flow_label=%#x, sgid_index=%d, hop_limit=%d, "
	    "traffic_class=%d, dlid=%d, sl=%d, src_path_bits=%d, static_rate=%d, is_global=%d, "
	    "port_num=%d)",
	    name(pd), hex(&attr->grh.dgid, 16), attr->grh.flow_label, attr->grh.sgid_index,
	    attr->grh.hop_limit, attr->grh.traffic_class, attr->dlid, attr->sl,
	    attr->src_path_bits, attr->static_rate, attr->is_global, attr->port_num);
	ah->context = pd->context;
	return ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	return end_object("destroy_ah", ah);
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct ibv_mw *mw = new_object("mw", sizeof(*mw));

	saw("alloc_mw(pd=%s, type=%d)", name(pd), (int)type);
	mw->context = pd->context;
	mw->pd = pd;
	mw->rkey = (uint32_t)answer("rkey", 0x55667788);
	mw->type = type;
	return mw;
}

static int dealloc_mw(struct ibv_mw *mw)
{
	return end_object("dealloc_mw", mw);
}

static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	saw("bind_mw(%s, %s, mr=%s, length=%llu)", name(qp), name(mw), name(bind->bind_info.mr),
	    (unsigned long long)bind->bind_info.length);
	return failing("bind_mw");
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	for (; wr; wr = wr->next) {
		saw("post_send(%s, wr_id=%#llx, opcode=%d, send_flags=%#x, num_sge=%d, ud.ah=%s, "
		    "ud.remote_qpn=%#x, ud.remote_qkey=%#x, xrc.remote_srqn=%#x)",
		    name(qp), (unsigned long long)wr->wr_id, (int)wr->opcode, wr->send_flags,
		    wr->num_sge, name(wr->wr.ud.ah), wr->wr.ud.remote_qpn, wr->wr.ud.remote_qkey,
		    wr->qp_type.xrc.remote_srqn);
		if (failing("post_send")) {
			*bad_wr = wr;
			return errno;
		}
	}
	return 0;
}

static int query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr,
		      size_t size)
{
	(void)context;
	(void)port_num;
	memset(attr, 0, size);
	attr->state = IBV_PORT_ACTIVE;
	attr->max_mtu = IBV_MTU_4096;
	attr->active_mtu = (enum ibv_mtu)answer("active_mtu", IBV_MTU_4096);
	attr->lid = (uint16_t)answer("lid", 0);
	attr->link_layer = (uint8_t)answer("link_layer", IBV_LINK_LAYER_ETHERNET);
	return failing("query_port");
}

static int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	(void)cq;
	(void)num_entries;
	(void)wc;
	return 0;
}

TOPIC(basics)
{
	verbs->query_port = query_port;
	verbs->context.ops.alloc_mw = alloc_mw;
	verbs->context.ops.dealloc_mw = dealloc_mw;
	verbs->context.ops.bind_mw = bind_mw;
	verbs->context.ops.post_send = post_send;
	verbs->context.ops.poll_cq = poll_cq;
}
