/*
 * Functions of rdma-core 59 to 65. Older headers do not declare them, nor the structs they take, so
 * these have names of their own here; the compiler lays them out as it would those of the header.
 */
#include "standin.h"

struct dmah {
	struct ibv_context *context;
};

struct dmah_attr {
	uint32_t comp_mask;
	uint32_t cpu_id;
	uint8_t ph;
	uint8_t tph_mem_type;
};

struct buf {
	struct ibv_pd *pd;
	void *addr;
};

struct mr_attr {
	size_t length;
	int access;
	uint64_t comp_mask;
	uint64_t iova;
	void *addr;
	int fd;
	uint64_t fd_offset;
	struct dmah *dmah;
	struct buf *buf;
};

struct counter_caps {
	uint64_t max_value;
	uint32_t max_counters;
	uint32_t supported_qp_attach_ops;
};

struct counter {
	struct ibv_context *context;
	uint32_t handle;
	uint64_t completed;
	uint64_t failed;
};

struct counter_attr {
	uint32_t comp_mask;
	enum { WRS, BYTES } type;
	uint32_t flags;
};

struct attach_attr {
	uint32_t comp_mask;
	uint32_t op_mask;
};

struct dmah *ibv_alloc_dmah(struct ibv_context *context, struct dmah_attr *attr);
int ibv_dealloc_dmah(struct dmah *dmah);
struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct mr_attr *attr);
void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct buf **buf);
void ibv_free_buf(struct buf *buf);
struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct buf *buf, void *addr, size_t length,
			      int access);
int ibv_export_buf_dmabuf_fd(struct buf *buf);
int _ibv_query_comp_cntr_caps(struct ibv_context *context, struct counter_caps *caps, size_t size);
struct counter *ibv_create_comp_cntr(struct ibv_context *context, struct counter_attr *attr);
int ibv_destroy_comp_cntr(struct counter *comp_cntr);
int ibv_set_comp_cntr(struct counter *comp_cntr, uint64_t value);
int ibv_set_err_comp_cntr(struct counter *comp_cntr, uint64_t value);
int ibv_inc_comp_cntr(struct counter *comp_cntr, uint64_t amount);
int ibv_inc_err_comp_cntr(struct counter *comp_cntr, uint64_t amount);
int ibv_read_comp_cntr(struct counter *comp_cntr, uint64_t *value);
int ibv_read_err_comp_cntr(struct counter *comp_cntr, uint64_t *value);
int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct counter *comp_cntr, struct attach_attr *attr);

struct dmah *ibv_alloc_dmah(struct ibv_context *context, struct dmah_attr *attr)
{
	struct dmah *dmah;

	saw("alloc_dmah(comp_mask=%#x, cpu_id=%u, ph=%u, tph_mem_type=%u)", attr->comp_mask,
	    attr->cpu_id, attr->ph, attr->tph_mem_type);
	if (failing("alloc_dmah"))
		return NULL;
	dmah = new_object("dmah", sizeof(*dmah));
	dmah->context = context;
	return dmah;
}

int ibv_dealloc_dmah(struct dmah *dmah)
{
	return end_object("dealloc_dmah", dmah);
}

static struct ibv_mr *new_mr(struct ibv_pd *pd, void *addr, size_t length)
{
	struct ibv_mr *mr = new_object("mr", sizeof(*mr));

	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->lkey = (uint32_t)answer("lkey", 0x11223344);
	mr->rkey = (uint32_t)answer("rkey", 0x55667788);
	return mr;
}

struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct mr_attr *attr)
{
	saw("reg_mr_ex(pd=%s, length=%zu, access=%#x, comp_mask=%#llx, iova=%#llx, byte=%s, fd=%d, "
	    "fd_offset=%#llx, dmah=%s, buf=%s)",
	    name(pd), attr->length, (unsigned int)attr->access, (unsigned long long)attr->comp_mask,
	    (unsigned long long)attr->iova, attr->addr ? hex(attr->addr, 1) : "NULL", attr->fd,
	    (unsigned long long)attr->fd_offset, name(attr->dmah), name(attr->buf));
	return failing("reg_mr_ex") ? NULL : new_mr(pd, attr->addr, attr->length);
}

void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct buf **buf)
{
	saw("alloc_buf(pd=%s, size=%zu)", name(pd), size);
	if (failing("alloc_buf"))
		return NULL;
	*buf = new_object("buf", sizeof(**buf));
	(*buf)->pd = pd;
	(*buf)->addr = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
	memset((*buf)->addr, 0xb5, size);
	return (*buf)->addr;
}

void ibv_free_buf(struct buf *buf)
{
	free(buf->addr);
	end_object("free_buf", buf);
}

struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct buf *buf, void *addr, size_t length,
			      int access)
{
	saw("reg_buf_mr(pd=%s, buf=%s, offset=%td, length=%zu, access=%#x)", name(pd), name(buf),
	    (char *)addr - (char *)buf->addr, length, (unsigned int)access);
	return failing("reg_buf_mr") ? NULL : new_mr(pd, addr, length);
}

int ibv_export_buf_dmabuf_fd(struct buf *buf)
{
	saw("export_buf_dmabuf_fd(%s)", name(buf));
	return failing("export_buf_dmabuf_fd") ? -1 : (int)answer("dmabuf_fd", 0);
}

int _ibv_query_comp_cntr_caps(struct ibv_context *context, struct counter_caps *caps, size_t size)
{
	(void)context;
	saw("query_comp_cntr_caps(size=%s)", size == sizeof(*caps) ? "right" : "wrong");
	caps->max_value = answer("max_value", 0);
	caps->max_counters = (uint32_t)answer("max_counters", 0);
	caps->supported_qp_attach_ops = (uint32_t)answer("supported_qp_attach_ops", 0);
	return failing("query_comp_cntr_caps");
}

struct counter *ibv_create_comp_cntr(struct ibv_context *context, struct counter_attr *attr)
{
	struct counter *counter;

	saw("create_comp_cntr(comp_mask=%#x, type=%d, flags=%#x)", attr->comp_mask, (int)attr->type,
	    attr->flags);
	if (failing("create_comp_cntr"))
		return NULL;
	counter = new_object("counter", sizeof(*counter));
	counter->context = context;
	return counter;
}

int ibv_destroy_comp_cntr(struct counter *comp_cntr)
{
	return end_object("destroy_comp_cntr", comp_cntr);
}

int ibv_set_comp_cntr(struct counter *comp_cntr, uint64_t value)
{
	comp_cntr->completed = value;
	return failing("set_comp_cntr");
}

int ibv_set_err_comp_cntr(struct counter *comp_cntr, uint64_t value)
{
	comp_cntr->failed = value;
	return failing("set_err_comp_cntr");
}

int ibv_inc_comp_cntr(struct counter *comp_cntr, uint64_t amount)
{
	comp_cntr->completed += amount;
	return failing("inc_comp_cntr");
}

int ibv_inc_err_comp_cntr(struct counter *comp_cntr, uint64_t amount)
{
	comp_cntr->failed += amount;
	return failing("inc_err_comp_cntr");
}

int ibv_read_comp_cntr(struct counter *comp_cntr, uint64_t *value)
{
	*value = comp_cntr->completed;
	return failing("read_comp_cntr");
}

int ibv_read_err_comp_cntr(struct counter *comp_cntr, uint64_t *value)
{
	*value = comp_cntr->failed;
	return failing("read_err_comp_cntr");
}

int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct counter *comp_cntr, struct attach_attr *attr)
{
	saw("qp_attach_comp_cntr(%s, %s, comp_mask=%#x, op_mask=%#x)", name(qp), name(comp_cntr),
	    attr->comp_mask, attr->op_mask);
	return failing("qp_attach_comp_cntr");
}

/* Older than the rest, but its flags are not. */
int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	saw("query_qp_data_in_order(%s, op=%d, flags=%#x)", name(qp), (int)op, flags);
	return flags ? (int)answer("data_in_order", 0) : (int)answer("whole_msg", 0);
}
