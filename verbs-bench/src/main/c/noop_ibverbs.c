/*
 * A libibverbs.so.1 whose only device does nothing: what a benchmark measures against it is the way
 * to the provider and back.
 *
 * It stands in for the whole library (LD_LIBRARY_PATH), because the real one keeps the provider's
 * control functions in a private structure that no other code can fill. The data path is reached as
 * always: through ibv_context.ops, the verbs_context before it, ibv_qp_ex and ibv_cq_ex.
 *
 * Posts return at once. A completion queue created with one entry is always empty; a larger one is
 * always full: a poll fills every entry it is given with a successful completion.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Macros that would rename the functions defined here. */
#undef ibv_query_port
#undef ibv_reg_mr

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	(void)qp, (void)wr, (void)bad;
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	(void)qp, (void)wr, (void)bad;
	return 0;
}

static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	if (cq->cqe == 1)
		return 0;
	for (int i = 0; i < n; i++) {
		wc[i].wr_id = i;
		wc[i].status = IBV_WC_SUCCESS;
		wc[i].opcode = IBV_WC_RDMA_WRITE;
		wc[i].byte_len = 0;
		wc[i].qp_num = 1;
		wc[i].wc_flags = 0;
	}
	return n;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	(void)cq, (void)solicited_only;
	return 0;
}

/* Requests built by functions. */

static void wr_start(struct ibv_qp_ex *qp) { (void)qp; }
static int wr_complete(struct ibv_qp_ex *qp) { (void)qp; return 0; }
static void wr_abort(struct ibv_qp_ex *qp) { (void)qp; }

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr)
{
	(void)qp, (void)rkey, (void)addr;
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	(void)qp, (void)lkey, (void)addr, (void)length;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp_ex *qp = calloc(1, sizeof *qp);

	if (!qp)
		return NULL;
	qp->qp_base.context = context;
	qp->qp_base.pd = attr->pd;
	qp->qp_base.qp_num = 1;
	qp->qp_base.qp_type = attr->qp_type;
	qp->wr_start = wr_start;
	qp->wr_complete = wr_complete;
	qp->wr_abort = wr_abort;
	qp->wr_rdma_write = wr_rdma_write;
	qp->wr_set_sge = wr_set_sge;
	return &qp->qp_base;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp) { return (struct ibv_qp_ex *)qp; }

/* Completions read by functions: as many per poll as the queue was asked to have, less one. */

struct noop_cq {
	struct ibv_cq_ex ex;
	int left;
};

static int start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr)
{
	struct noop_cq *cq = (struct noop_cq *)ex;

	(void)attr;
	if (ex->cqe == 1)
		return ENOENT;
	cq->left = ex->cqe - 1;
	ex->wr_id = cq->left;
	ex->status = IBV_WC_SUCCESS;
	return 0;
}

static int next_poll(struct ibv_cq_ex *ex)
{
	struct noop_cq *cq = (struct noop_cq *)ex;

	if (--cq->left <= 0)
		return ENOENT;
	ex->wr_id = cq->left;
	ex->status = IBV_WC_SUCCESS;
	return 0;
}

static void end_poll(struct ibv_cq_ex *cq) { (void)cq; }
static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq) { (void)cq; return IBV_WC_RDMA_WRITE; }
static uint32_t read_zero(struct ibv_cq_ex *cq) { (void)cq; return 0; }
static unsigned int read_wc_flags(struct ibv_cq_ex *cq) { (void)cq; return 0; }

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct noop_cq *cq = calloc(1, sizeof *cq);

	if (!cq)
		return NULL;
	cq->ex.context = context;
	cq->ex.channel = attr->channel;
	cq->ex.cq_context = attr->cq_context;
	cq->ex.cqe = attr->cqe;
	cq->ex.start_poll = start_poll;
	cq->ex.next_poll = next_poll;
	cq->ex.end_poll = end_poll;
	cq->ex.read_opcode = read_opcode;
	cq->ex.read_vendor_err = read_zero;
	cq->ex.read_byte_len = read_zero;
	cq->ex.read_qp_num = read_zero;
	cq->ex.read_src_qp = read_zero;
	cq->ex.read_wc_flags = read_wc_flags;
	return &cq->ex;
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	(void)context, (void)port;
	memset(attr, 0, size);
	attr->state = IBV_PORT_ACTIVE;
	attr->max_mtu = attr->active_mtu = IBV_MTU_4096;
	attr->gid_tbl_len = 1;
	attr->link_layer = IBV_LINK_LAYER_ETHERNET;
	return 0;
}

/* Control calls. */

static struct ibv_device noop0 = {
	.node_type = IBV_NODE_CA,
	.transport_type = IBV_TRANSPORT_IB,
	.name = "noop0",
	.dev_name = "uverbs0",
	.ibdev_path = "/sys/class/infiniband/noop0",
};

struct ibv_device **ibv_get_device_list(int *n)
{
	struct ibv_device **list = calloc(2, sizeof *list);

	if (!list)
		return NULL;
	list[0] = &noop0;
	if (n)
		*n = 1;
	return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }
const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }
__be64 ibv_get_device_guid(struct ibv_device *device) { (void)device; return 1; }

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct verbs_context *ex = calloc(1, sizeof *ex);

	if (!ex)
		return NULL;
	ex->sz = sizeof *ex;
	ex->query_port = query_port;
	ex->create_cq_ex = create_cq_ex;
	ex->create_qp_ex = create_qp_ex;
	ex->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	ex->context.device = device;
	ex->context.num_comp_vectors = 1;
	ex->context.async_fd = -1;
	ex->context.cmd_fd = -1;
	ex->context.ops.poll_cq = poll_cq;
	ex->context.ops.req_notify_cq = req_notify_cq;
	ex->context.ops.post_send = post_send;
	ex->context.ops.post_recv = post_recv;
	return &ex->context;
}

int ibv_close_device(struct ibv_context *context)
{
	free((char *)context - offsetof(struct verbs_context, context));
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	(void)context;
	memset(attr, 0, sizeof *attr);
	attr->max_qp = attr->max_cq = attr->max_pd = attr->max_mr = 1 << 16;
	attr->max_qp_wr = attr->max_cqe = 1 << 16;
	attr->max_sge = attr->max_sge_rd = 16;
	attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 16;
	attr->max_mr_size = UINT64_MAX;
	attr->phys_port_cnt = 1;
	return 0;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max,
			     uint32_t flags, size_t size)
{
	(void)context, (void)flags;
	if (max < 1)
		return 0;
	memset(entries, 0, size);
	entries->gid.raw[15] = 1;
	entries->port_num = 1;
	entries->gid_type = IBV_GID_TYPE_ROCE_V2;
	return 1;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);

	if (pd)
		pd->context = context;
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) { free(pd); return 0; }

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access)
{
	struct ibv_mr *mr = calloc(1, sizeof *mr);

	(void)iova, (void)access;
	if (!mr)
		return NULL;
	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->lkey = mr->rkey = 1;
	return mr;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return ibv_reg_mr_iova2(pd, addr, length, (uintptr_t)addr, access);
}

int ibv_dereg_mr(struct ibv_mr *mr) { free(mr); return 0; }

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
			     int vector)
{
	struct ibv_cq *cq = calloc(1, sizeof *cq);

	(void)vector;
	if (!cq)
		return NULL;
	cq->context = context;
	cq->cq_context = cq_context;
	cq->channel = channel;
	cq->cqe = cqe;
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq) { free(cq); return 0; }

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof *qp);

	if (!qp)
		return NULL;
	qp->context = pd->context;
	qp->pd = pd;
	qp->qp_num = 1;
	qp->qp_type = attr->qp_type;
	return qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	(void)qp, (void)attr, (void)mask;
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp) { free(qp); return 0; }
