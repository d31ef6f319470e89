/* Extended reliable connections: domains, opened queue pairs. */
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

static struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	struct ibv_qp *qp;

	saw("open_qp(comp_mask=%#x, qp_num=%#x, xrcd=%s, qp_type=%d)", attr->comp_mask,
	    attr->qp_num, name(attr->xrcd), (int)attr->qp_type);
	if (failing("open_qp"))
		return NULL;
	qp = new_object("qp", sizeof(struct ibv_qp_ex));
	qp->context = context;
	qp->qp_num = attr->qp_num;
	return qp;
}

TOPIC(xrc)
{
	verbs->open_xrcd = open_xrcd;
	verbs->close_xrcd = close_xrcd;
	verbs->open_qp = open_qp;
}
