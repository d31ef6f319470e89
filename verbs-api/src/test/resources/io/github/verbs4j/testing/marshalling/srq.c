/* Shared receive queues: basic, XRC, tag matching. */
#include "standin.h"

static struct ibv_srq *new_srq(struct ibv_context *context)
{
	struct ibv_srq *srq = new_object("srq", sizeof(*srq));

	srq->context = context;
	return srq;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	saw("create_srq(pd=%s, max_wr=%u, max_sge=%u, srq_limit=%u)", name(pd), attr->attr.max_wr,
	    attr->attr.max_sge, attr->attr.srq_limit);
	return failing("create_srq") ? NULL : new_srq(pd->context);
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	saw("create_srq_ex(max_wr=%u, max_sge=%u, srq_limit=%u, comp_mask=%#x, srq_type=%d, pd=%s, "
	    "xrcd=%s, cq=%s, max_num_tags=%u, max_ops=%u)",
	    attr->attr.max_wr, attr->attr.max_sge, attr->attr.srq_limit, attr->comp_mask,
	    (int)attr->srq_type, name(attr->pd), name(attr->xrcd), name(attr->cq),
	    attr->tm_cap.max_num_tags, attr->tm_cap.max_ops);
	if (failing("create_srq_ex"))
		return NULL;
	attr->attr.max_sge = (uint32_t)answer("max_sge", attr->attr.max_sge);
	return new_srq(context);
}

int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	saw("modify_srq(%s, max_wr=%u, srq_limit=%u, mask=%#x)", name(srq), attr->max_wr,
	    attr->srq_limit, (unsigned int)mask);
	return failing("modify_srq");
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	(void)srq;
	attr->max_wr = (uint32_t)answer("max_wr", 1);
	attr->max_sge = (uint32_t)answer("max_sge", 2);
	attr->srq_limit = (uint32_t)answer("srq_limit", 3);
	return failing("query_srq");
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	return end_object("destroy_srq", srq);
}

static int get_srq_num(struct ibv_srq *srq, uint32_t *srq_num)
{
	saw("get_srq_num(%s)", name(srq));
	*srq_num = (uint32_t)answer("srq_num", 0);
	return failing("get_srq_num");
}

static void saw_op(struct ibv_srq *srq, struct ibv_ops_wr *op)
{
	int i;

	switch (op->opcode) {
	case IBV_WR_TAG_ADD:
		saw("tag_add(%s, wr_id=%#llx, flags=%#x, unexpected_cnt=%u, recv_wr_id=%#llx, "
		    "tag=%#llx, mask=%#llx, num_sge=%d)",
		    name(srq), (unsigned long long)op->wr_id, (unsigned int)op->flags,
		    op->tm.unexpected_cnt, (unsigned long long)op->tm.add.recv_wr_id,
		    (unsigned long long)op->tm.add.tag, (unsigned long long)op->tm.add.mask,
		    op->tm.add.num_sge);
		for (i = 0; i < op->tm.add.num_sge; i++)
			saw("sge(addr=%#llx, length=%u, lkey=%#x)",
			    (unsigned long long)op->tm.add.sg_list[i].addr,
			    op->tm.add.sg_list[i].length, op->tm.add.sg_list[i].lkey);
		op->tm.handle = (uint32_t)answer("tm_handle", 0);
		break;
	case IBV_WR_TAG_DEL:
		saw("tag_del(%s, wr_id=%#llx, flags=%#x, handle=%#x)", name(srq),
		    (unsigned long long)op->wr_id, (unsigned int)op->flags, op->tm.handle);
		break;
	case IBV_WR_TAG_SYNC:
		saw("tag_sync(%s, wr_id=%#llx, flags=%#x, unexpected_cnt=%u)", name(srq),
		    (unsigned long long)op->wr_id, (unsigned int)op->flags,
		    op->tm.unexpected_cnt);
		break;
	}
}

static int post_srq_ops(struct ibv_srq *srq, struct ibv_ops_wr *op, struct ibv_ops_wr **bad_op)
{
	uint64_t bad = answer("bad_op", UINT64_MAX);
	uint64_t i;

	for (i = 0; op; op = op->next, i++) {
		if (i == bad) {
			*bad_op = op;
			return failing("post_srq_ops");
		}
		saw_op(srq, op);
	}
	return 0;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	(void)bad_wr;
	for (; wr; wr = wr->next)
		saw("post_srq_recv(%s, wr_id=%#llx, num_sge=%d)", name(srq),
		    (unsigned long long)wr->wr_id, wr->num_sge);
	return 0;
}

TOPIC(srq)
{
	verbs->create_srq_ex = create_srq_ex;
	verbs->get_srq_num = get_srq_num;
	verbs->post_srq_ops = post_srq_ops;
	verbs->context.ops.post_srq_recv = post_srq_recv;
}
