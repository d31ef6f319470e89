/*
 * A provider whose every function records its arguments, reached through the same function pointers
 * as a real one: ibv_context.ops, verbs_context, ibv_qp_ex, ibv_cq_ex, ibv_wq, ibv_dm.
 */
#include "record.h"

/* struct ibv_context_ops */

static struct ibv_mw *ops_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	return (void *)(uintptr_t)RECORD("alloc_mw", A(pd), A(type));
}

static int ops_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *mw_bind)
{
	return (int)RECORD("bind_mw", A(qp), A(mw), A(mw_bind));
}

static int ops_dealloc_mw(struct ibv_mw *mw)
{
	return (int)RECORD("dealloc_mw", A(mw));
}

static int ops_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	return (int)RECORD("poll_cq", A(cq), A(num_entries), A(wc));
}

static int ops_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return (int)RECORD("req_notify_cq", A(cq), A(solicited_only));
}

static int ops_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *recv_wr, struct
		ibv_recv_wr **bad_recv_wr)
{
	record_wr(recv_wr, sizeof(*recv_wr), recv_wr->sg_list);
	return (int)RECORD("post_srq_recv", A(srq), A(recv_wr), A(bad_recv_wr));
}

static int ops_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	record_wr(wr, sizeof(*wr), wr->sg_list);
	return (int)RECORD("post_send", A(qp), A(wr), A(bad_wr));
}

static int ops_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	record_wr(wr, sizeof(*wr), wr->sg_list);
	return (int)RECORD("post_recv", A(qp), A(wr), A(bad_wr));
}

/* struct verbs_context */

static int ctx_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr
		*port_attr, size_t port_attr_len)
{
	return (int)RECORD("query_port", A(context), A(port_num), A(port_attr), A(port_attr_len));
}

static int ctx_advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags,
		struct ibv_sge *sg_list, uint32_t num_sges)
{
	return (int)RECORD("advise_mr", A(pd), A(advice), A(flags), A(sg_list), A(num_sges));
}

static struct ibv_mr *ctx_alloc_null_mr(struct ibv_pd *pd)
{
	return (void *)(uintptr_t)RECORD("alloc_null_mr", A(pd));
}

static int ctx_read_counters(struct ibv_counters *counters, uint64_t *counters_value, uint32_t
		ncounters, uint32_t flags)
{
	return (int)RECORD("read_counters", A(counters), A(counters_value), A(ncounters), A(flags));
}

static int ctx_attach_counters_point_flow(struct ibv_counters *counters, struct
		ibv_counter_attach_attr *attr, struct ibv_flow *flow)
{
	return (int)RECORD("attach_counters_point_flow", A(counters), A(attr), A(flow));
}

static struct ibv_counters *ctx_create_counters(struct ibv_context *context, struct
		ibv_counters_init_attr *init_attr)
{
	return (void *)(uintptr_t)RECORD("create_counters", A(context), A(init_attr));
}

static int ctx_destroy_counters(struct ibv_counters *counters)
{
	return (int)RECORD("destroy_counters", A(counters));
}

static struct ibv_mr *ctx_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t dm_offset,
		size_t length, unsigned int access)
{
	return (void *)(uintptr_t)RECORD("reg_dm_mr", A(pd), A(dm), A(dm_offset), A(length), A(access));
}

static struct ibv_dm *ctx_alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	return (void *)(uintptr_t)RECORD("alloc_dm", A(context), A(attr));
}

static int ctx_free_dm(struct ibv_dm *dm)
{
	return (int)RECORD("free_dm", A(dm));
}

static int ctx_modify_flow_action_esp(struct ibv_flow_action *action, struct
		ibv_flow_action_esp_attr *attr)
{
	return (int)RECORD("modify_flow_action_esp", A(action), A(attr));
}

static int ctx_destroy_flow_action(struct ibv_flow_action *action)
{
	return (int)RECORD("destroy_flow_action", A(action));
}

static struct ibv_flow_action *ctx_create_flow_action_esp(struct ibv_context *context, struct
		ibv_flow_action_esp_attr *attr)
{
	return (void *)(uintptr_t)RECORD("create_flow_action_esp", A(context), A(attr));
}

static int ctx_modify_qp_rate_limit(struct ibv_qp *qp, struct ibv_qp_rate_limit_attr *attr)
{
	return (int)RECORD("modify_qp_rate_limit", A(qp), A(attr));
}

static struct ibv_pd *ctx_alloc_parent_domain(struct ibv_context *context, struct
		ibv_parent_domain_init_attr *attr)
{
	return (void *)(uintptr_t)RECORD("alloc_parent_domain", A(context), A(attr));
}

static int ctx_dealloc_td(struct ibv_td *td)
{
	return (int)RECORD("dealloc_td", A(td));
}

static struct ibv_td *ctx_alloc_td(struct ibv_context *context, struct ibv_td_init_attr
		*init_attr)
{
	return (void *)(uintptr_t)RECORD("alloc_td", A(context), A(init_attr));
}

static int ctx_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	return (int)RECORD("modify_cq", A(cq), A(attr));
}

static int ctx_post_srq_ops(struct ibv_srq *srq, struct ibv_ops_wr *op, struct ibv_ops_wr
		**bad_op)
{
	return (int)RECORD("post_srq_ops", A(srq), A(op), A(bad_op));
}

static int ctx_destroy_rwq_ind_table(struct ibv_rwq_ind_table *rwq_ind_table)
{
	return (int)RECORD("destroy_rwq_ind_table", A(rwq_ind_table));
}

static struct ibv_rwq_ind_table *ctx_create_rwq_ind_table(struct ibv_context *context, struct
		ibv_rwq_ind_table_init_attr *init_attr)
{
	return (void *)(uintptr_t)RECORD("create_rwq_ind_table", A(context), A(init_attr));
}

static int ctx_destroy_wq(struct ibv_wq *wq)
{
	return (int)RECORD("destroy_wq", A(wq));
}

static int ctx_modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *wq_attr)
{
	return (int)RECORD("modify_wq", A(wq), A(wq_attr));
}

static struct ibv_wq *ctx_create_wq(struct ibv_context *context, struct ibv_wq_init_attr
		*wq_init_attr)
{
	return (void *)(uintptr_t)RECORD("create_wq", A(context), A(wq_init_attr));
}

static int ctx_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	return (int)RECORD("query_rt_values", A(context), A(values));
}

static struct ibv_cq_ex *ctx_create_cq_ex(struct ibv_context *context, struct
		ibv_cq_init_attr_ex *init_attr)
{
	return (void *)(uintptr_t)RECORD("create_cq_ex", A(context), A(init_attr));
}

static int ctx_query_device_ex(struct ibv_context *context, const struct
		ibv_query_device_ex_input *input, struct ibv_device_attr_ex *attr, size_t attr_size)
{
	return (int)RECORD("query_device_ex", A(context), A(input), A(attr), A(attr_size));
}

static int ctx_ibv_destroy_flow(struct ibv_flow *flow)
{
	return (int)RECORD("ibv_destroy_flow", A(flow));
}

static struct ibv_flow *ctx_ibv_create_flow(struct ibv_qp *qp, struct ibv_flow_attr *flow_attr)
{
	return (void *)(uintptr_t)RECORD("ibv_create_flow", A(qp), A(flow_attr));
}

static struct ibv_qp *ctx_open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	return (void *)(uintptr_t)RECORD("open_qp", A(context), A(attr));
}

static struct ibv_qp *ctx_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex
		*qp_init_attr_ex)
{
	return (void *)(uintptr_t)RECORD("create_qp_ex", A(context), A(qp_init_attr_ex));
}

static int ctx_get_srq_num(struct ibv_srq *srq, uint32_t *srq_num)
{
	return (int)RECORD("get_srq_num", A(srq), A(srq_num));
}

static struct ibv_srq *ctx_create_srq_ex(struct ibv_context *context, struct
		ibv_srq_init_attr_ex *srq_init_attr_ex)
{
	return (void *)(uintptr_t)RECORD("create_srq_ex", A(context), A(srq_init_attr_ex));
}

static struct ibv_xrcd *ctx_open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr
		*xrcd_init_attr)
{
	return (void *)(uintptr_t)RECORD("open_xrcd", A(context), A(xrcd_init_attr));
}

static int ctx_close_xrcd(struct ibv_xrcd *xrcd)
{
	return (int)RECORD("close_xrcd", A(xrcd));
}

/* struct ibv_qp_ex */

static void wr_atomic_cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
		uint64_t compare, uint64_t swap)
{
	RECORD("wr_atomic_cmp_swp", A(qp), A(rkey), A(remote_addr), A(compare), A(swap));
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
		uint64_t add)
{
	RECORD("wr_atomic_fetch_add", A(qp), A(rkey), A(remote_addr), A(add));
}

static void wr_bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey, const struct
		ibv_mw_bind_info *bind_info)
{
	RECORD("wr_bind_mw", A(qp), A(mw), A(rkey), A(bind_info));
}

static void wr_local_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	RECORD("wr_local_inv", A(qp), A(invalidate_rkey));
}

static void wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	RECORD("wr_rdma_read", A(qp), A(rkey), A(remote_addr));
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	RECORD("wr_rdma_write", A(qp), A(rkey), A(remote_addr));
}

static void wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
		__be32 imm_data)
{
	RECORD("wr_rdma_write_imm", A(qp), A(rkey), A(remote_addr), A(imm_data));
}

static void wr_send(struct ibv_qp_ex *qp)
{
	RECORD("wr_send", A(qp));
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	RECORD("wr_send_imm", A(qp), A(imm_data));
}

static void wr_send_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	RECORD("wr_send_inv", A(qp), A(invalidate_rkey));
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz, uint16_t mss)
{
	RECORD("wr_send_tso", A(qp), A(hdr), A(hdr_sz), A(mss));
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn,
		uint32_t remote_qkey)
{
	RECORD("wr_set_ud_addr", A(qp), A(ah), A(remote_qpn), A(remote_qkey));
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	RECORD("wr_set_xrc_srqn", A(qp), A(remote_srqn));
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	RECORD("wr_set_inline_data", A(qp), A(addr), A(length));
}

static void wr_set_inline_data_list(struct ibv_qp_ex *qp, size_t num_buf, const struct
		ibv_data_buf *buf_list)
{
	RECORD("wr_set_inline_data_list", A(qp), A(num_buf), A(buf_list));
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	RECORD("wr_set_sge", A(qp), A(lkey), A(addr), A(length));
}

static void wr_set_sge_list(struct ibv_qp_ex *qp, size_t num_sge, const struct ibv_sge *sg_list)
{
	RECORD("wr_set_sge_list", A(qp), A(num_sge), A(sg_list));
}

static void wr_start(struct ibv_qp_ex *qp)
{
	RECORD("wr_start", A(qp));
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	return (int)RECORD("wr_complete", A(qp));
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	RECORD("wr_abort", A(qp));
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, const
		void *atomic_wr)
{
	RECORD("wr_atomic_write", A(qp), A(rkey), A(remote_addr), A(atomic_wr));
}

/* struct ibv_cq_ex */

static int start_poll(struct ibv_cq_ex *current, struct ibv_poll_cq_attr *attr)
{
	return (int)RECORD("start_poll", A(current), A(attr));
}

static int next_poll(struct ibv_cq_ex *current)
{
	return (int)RECORD("next_poll", A(current));
}

static void end_poll(struct ibv_cq_ex *current)
{
	RECORD("end_poll", A(current));
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *current)
{
	return (enum ibv_wc_opcode)RECORD("read_opcode", A(current));
}

static uint32_t read_vendor_err(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_vendor_err", A(current));
}

static uint32_t read_byte_len(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_byte_len", A(current));
}

static __be32 read_imm_data(struct ibv_cq_ex *current)
{
	return (__be32)RECORD("read_imm_data", A(current));
}

static uint32_t read_qp_num(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_qp_num", A(current));
}

static uint32_t read_src_qp(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_src_qp", A(current));
}

static unsigned int read_wc_flags(struct ibv_cq_ex *current)
{
	return (unsigned int)RECORD("read_wc_flags", A(current));
}

static uint32_t read_slid(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_slid", A(current));
}

static uint8_t read_sl(struct ibv_cq_ex *current)
{
	return (uint8_t)RECORD("read_sl", A(current));
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *current)
{
	return (uint8_t)RECORD("read_dlid_path_bits", A(current));
}

static uint64_t read_completion_ts(struct ibv_cq_ex *current)
{
	return (uint64_t)RECORD("read_completion_ts", A(current));
}

static uint16_t read_cvlan(struct ibv_cq_ex *current)
{
	return (uint16_t)RECORD("read_cvlan", A(current));
}

static uint32_t read_flow_tag(struct ibv_cq_ex *current)
{
	return (uint32_t)RECORD("read_flow_tag", A(current));
}

static void read_tm_info(struct ibv_cq_ex *current, struct ibv_wc_tm_info *tm_info)
{
	RECORD("read_tm_info", A(current), A(tm_info));
}

static uint64_t read_completion_wallclock_ns(struct ibv_cq_ex *current)
{
	return (uint64_t)RECORD("read_completion_wallclock_ns", A(current));
}

/* struct ibv_wq */

static int wq_post_recv(struct ibv_wq *current, struct ibv_recv_wr *recv_wr, struct
		ibv_recv_wr **bad_recv_wr)
{
	return (int)RECORD("post_recv", A(current), A(recv_wr), A(bad_recv_wr));
}

/* struct ibv_dm */

static int dm_memcpy_to_dm(struct ibv_dm *dm, uint64_t dm_offset, const void *host_addr,
		size_t length)
{
	return (int)RECORD("memcpy_to_dm", A(dm), A(dm_offset), A(host_addr), A(length));
}

static int dm_memcpy_from_dm(void *host_addr, struct ibv_dm *dm, uint64_t dm_offset, size_t
		length)
{
	return (int)RECORD("memcpy_from_dm", A(host_addr), A(dm), A(dm_offset), A(length));
}

static void wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, size_t len,
		uint8_t type, uint8_t level)
{
	RECORD("wr_flush", A(qp), A(rkey), A(remote_addr), A(len), A(type), A(level));
}

static struct verbs_context verbs;

/* Headers before rdma-core 45 end ibv_qp_ex before wr_flush, where later ones put it. */
static struct {
	struct ibv_qp_ex ex;
#ifndef HAVE_WR_FLUSH
	void (*wr_flush)(struct ibv_qp_ex *, uint32_t, uint64_t, size_t, uint8_t, uint8_t);
#endif
} qp;

static struct ibv_cq_ex cq;
static struct ibv_wq wq;
static struct ibv_dm dm;

struct op {
	char name[56];
	uint64_t size;
};

/* The ops of verbs_context, each with the smallest verbs_context.sz that still has it. */
#define OP(op) { #op, sizeof(struct verbs_context) - offsetof(struct verbs_context, op) }
const struct op verbs4j_ops[] = {
	OP(query_port),
	OP(advise_mr),
	OP(alloc_null_mr),
	OP(read_counters),
	OP(attach_counters_point_flow),
	OP(create_counters),
	OP(destroy_counters),
	OP(reg_dm_mr),
	OP(alloc_dm),
	OP(free_dm),
	OP(modify_flow_action_esp),
	OP(destroy_flow_action),
	OP(create_flow_action_esp),
	OP(modify_qp_rate_limit),
	OP(alloc_parent_domain),
	OP(dealloc_td),
	OP(alloc_td),
	OP(modify_cq),
	OP(post_srq_ops),
	OP(destroy_rwq_ind_table),
	OP(create_rwq_ind_table),
	OP(destroy_wq),
	OP(modify_wq),
	OP(create_wq),
	OP(query_rt_values),
	OP(create_cq_ex),
	OP(query_device_ex),
	OP(ibv_destroy_flow),
	OP(ibv_create_flow),
	OP(open_qp),
	OP(create_qp_ex),
	OP(get_srq_num),
	OP(create_srq_ex),
	OP(open_xrcd),
	OP(close_xrcd),
	{ "", 0 },
};

/* Sets everything up anew; returns the context. */
struct ibv_context *verbs4j_context(void)
{
	struct ibv_context *context = &verbs.context;

	memset(&verbs, 0, sizeof(verbs));
	context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs.sz = sizeof(verbs);
	verbs.query_port = ctx_query_port;
	verbs.advise_mr = ctx_advise_mr;
	verbs.alloc_null_mr = ctx_alloc_null_mr;
	verbs.read_counters = ctx_read_counters;
	verbs.attach_counters_point_flow = ctx_attach_counters_point_flow;
	verbs.create_counters = ctx_create_counters;
	verbs.destroy_counters = ctx_destroy_counters;
	verbs.reg_dm_mr = ctx_reg_dm_mr;
	verbs.alloc_dm = ctx_alloc_dm;
	verbs.free_dm = ctx_free_dm;
	verbs.modify_flow_action_esp = ctx_modify_flow_action_esp;
	verbs.destroy_flow_action = ctx_destroy_flow_action;
	verbs.create_flow_action_esp = ctx_create_flow_action_esp;
	verbs.modify_qp_rate_limit = ctx_modify_qp_rate_limit;
	verbs.alloc_parent_domain = ctx_alloc_parent_domain;
	verbs.dealloc_td = ctx_dealloc_td;
	verbs.alloc_td = ctx_alloc_td;
	verbs.modify_cq = ctx_modify_cq;
	verbs.post_srq_ops = ctx_post_srq_ops;
	verbs.destroy_rwq_ind_table = ctx_destroy_rwq_ind_table;
	verbs.create_rwq_ind_table = ctx_create_rwq_ind_table;
	verbs.destroy_wq = ctx_destroy_wq;
	verbs.modify_wq = ctx_modify_wq;
	verbs.create_wq = ctx_create_wq;
	verbs.query_rt_values = ctx_query_rt_values;
	verbs.create_cq_ex = ctx_create_cq_ex;
	verbs.query_device_ex = ctx_query_device_ex;
	verbs.ibv_destroy_flow = ctx_ibv_destroy_flow;
	verbs.ibv_create_flow = ctx_ibv_create_flow;
	verbs.open_qp = ctx_open_qp;
	verbs.create_qp_ex = ctx_create_qp_ex;
	verbs.get_srq_num = ctx_get_srq_num;
	verbs.create_srq_ex = ctx_create_srq_ex;
	verbs.open_xrcd = ctx_open_xrcd;
	verbs.close_xrcd = ctx_close_xrcd;
	context->ops.alloc_mw = ops_alloc_mw;
	context->ops.bind_mw = ops_bind_mw;
	context->ops.dealloc_mw = ops_dealloc_mw;
	context->ops.poll_cq = ops_poll_cq;
	context->ops.req_notify_cq = ops_req_notify_cq;
	context->ops.post_srq_recv = ops_post_srq_recv;
	context->ops.post_send = ops_post_send;
	context->ops.post_recv = ops_post_recv;
	return context;
}

struct ibv_qp_ex *verbs4j_qp(void)
{
	memset(&qp, 0, sizeof(qp));
	qp.ex.qp_base.context = &verbs.context;
	qp.ex.wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	qp.ex.wr_atomic_fetch_add = wr_atomic_fetch_add;
	qp.ex.wr_bind_mw = wr_bind_mw;
	qp.ex.wr_local_inv = wr_local_inv;
	qp.ex.wr_rdma_read = wr_rdma_read;
	qp.ex.wr_rdma_write = wr_rdma_write;
	qp.ex.wr_rdma_write_imm = wr_rdma_write_imm;
	qp.ex.wr_send = wr_send;
	qp.ex.wr_send_imm = wr_send_imm;
	qp.ex.wr_send_inv = wr_send_inv;
	qp.ex.wr_send_tso = wr_send_tso;
	qp.ex.wr_set_ud_addr = wr_set_ud_addr;
	qp.ex.wr_set_xrc_srqn = wr_set_xrc_srqn;
	qp.ex.wr_set_inline_data = wr_set_inline_data;
	qp.ex.wr_set_inline_data_list = wr_set_inline_data_list;
	qp.ex.wr_set_sge = wr_set_sge;
	qp.ex.wr_set_sge_list = wr_set_sge_list;
	qp.ex.wr_start = wr_start;
	qp.ex.wr_complete = wr_complete;
	qp.ex.wr_abort = wr_abort;
	qp.ex.wr_atomic_write = wr_atomic_write;
#ifdef HAVE_WR_FLUSH
	qp.ex.wr_flush = wr_flush;
#else
	qp.wr_flush = wr_flush;
#endif
	return &qp.ex;
}

struct ibv_cq_ex *verbs4j_cq(void)
{
	memset(&cq, 0, sizeof(cq));
	cq.context = &verbs.context;
	cq.status = IBV_WC_RETRY_EXC_ERR;
	cq.wr_id = 0x1122334455667788;
	cq.start_poll = start_poll;
	cq.next_poll = next_poll;
	cq.end_poll = end_poll;
	cq.read_opcode = read_opcode;
	cq.read_vendor_err = read_vendor_err;
	cq.read_byte_len = read_byte_len;
	cq.read_imm_data = read_imm_data;
	cq.read_qp_num = read_qp_num;
	cq.read_src_qp = read_src_qp;
	cq.read_wc_flags = read_wc_flags;
	cq.read_slid = read_slid;
	cq.read_sl = read_sl;
	cq.read_dlid_path_bits = read_dlid_path_bits;
	cq.read_completion_ts = read_completion_ts;
	cq.read_cvlan = read_cvlan;
	cq.read_flow_tag = read_flow_tag;
	cq.read_tm_info = read_tm_info;
	cq.read_completion_wallclock_ns = read_completion_wallclock_ns;
	return &cq;
}

struct ibv_wq *verbs4j_wq(void)
{
	memset(&wq, 0xff, sizeof(wq));
	wq.context = &verbs.context;
	wq.post_recv = wq_post_recv;
	return &wq;
}

struct ibv_dm *verbs4j_dm(void)
{
	memset(&dm, 0, sizeof(dm));
	dm.context = &verbs.context;
	dm.memcpy_to_dm = dm_memcpy_to_dm;
	dm.memcpy_from_dm = dm_memcpy_from_dm;
	return &dm;
}

/* What Java wrote to the fields of ibv_qp_ex, as C reads them. */
uint64_t verbs4j_qp_wr_id(void)
{
	return qp.ex.wr_id;
}

uint64_t verbs4j_qp_wr_flags(void)
{
	return qp.ex.wr_flags;
}

/* Whether the fields that ibv_create_wq must set are set: all else of the wq is still 0xff. */
int verbs4j_wq_is_initialised(void *wq_context)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	return wq.wq_context == wq_context && wq.events_completed == 0 && wq.comp_mask == UINT32_MAX &&
	       memcmp(&wq.mutex, &mutex, sizeof(mutex)) == 0 &&
	       memcmp(&wq.cond, &cond, sizeof(cond)) == 0;
}
