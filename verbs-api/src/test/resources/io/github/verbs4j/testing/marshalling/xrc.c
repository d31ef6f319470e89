/* Extended reliable connections: domains, receiving queue pairs. */
#include "standin.h"

#include <sys/stat.h>

static struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr)
{
	struct ibv_xrcd *xrcd;
	struct stat file = { 0 };

	if (attr->fd >= 0 && fstat(attr->fd, &file) != 0)
		return NULL;
	saw("open_xrcd(comp_mask=%#x, file=%s, inode=%llu, oflags=%#o)", attr->comp_mask,
	    attr->fd >= 0 ? "open" : "none", (unsigned long long)file.st_ino,
	    (unsigned int)attr->oflags);
	if (failing("open_xrcd"))
		return NULL;
	xrcd = new_object("xrcd", sizeof(*xrcd));
	xrcd->context = context;
	return xrcd;
}

static int close_xrcd(struct ibv_xrcd *xrcd)
{
	return end_object("close_xrcd", xrcd);
}

static struct ibv_qp *new_qp(struct ibv_context *context, uint32_t number)
{
	struct ibv_qp *qp = new_object("qp", sizeof(struct ibv_qp_ex));

	qp->context = context;
	qp->qp_num = number;
	return qp;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	saw("create_qp_ex(send_cq=%s, recv_cq=%s, srq=%s, cap=%u/%u/%u/%u/%u, qp_type=%d, "
	    "sq_sig_all=%d, comp_mask=%#x, pd=%s, xrcd=%s)",
	    name(attr->send_cq), name(attr->recv_cq), name(attr->srq), attr->cap.max_send_wr,
	    attr->cap.max_recv_wr, attr->cap.max_send_sge, attr->cap.max_recv_sge,
	    attr->cap.max_inline_data, (int)attr->qp_type, attr->sq_sig_all, attr->comp_mask,
	    name(attr->pd), name(attr->xrcd));
	if (failing("create_qp_ex"))
		return NULL;
	return new_qp(context, (uint32_t)answer("qp_num", 0x123456));
}

static struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	saw("open_qp(comp_mask=%#x, qp_num=%#x, xrcd=%s, qp_type=%d)", attr->comp_mask,
	    attr->qp_num, name(attr->xrcd), (int)attr->qp_type);
	return failing("open_qp") ? NULL : new_qp(context, attr->qp_num);
}

TOPIC(xrc)
{
	verbs->open_xrcd = open_xrcd;
	verbs->close_xrcd = close_xrcd;
	verbs->create_qp_ex = create_qp_ex;
	verbs->open_qp = open_qp;
}
