/*
 * A stand-in for libmlx5: the dynamically connected transport. Its queue pairs are those of the
 * stand-in for libibverbs, which is loaded already.
 */
#include "standin.h"

#include <infiniband/mlx5dv.h>

/* One that the device knows: an ibv_qp_ex, and behind it what mlx5 adds. */
struct dc_qp {
	struct ibv_qp_ex ex;
	struct mlx5dv_qp_ex mlx5;
	enum mlx5dv_dc_type type;
};

static struct dc_qp *dc_qp_of(struct mlx5dv_qp_ex *mqp)
{
	return (struct dc_qp *)((char *)mqp - offsetof(struct dc_qp, mlx5));
}

bool mlx5dv_is_supported(struct ibv_device *device)
{
	saw("is_supported(%s)", device->name);
	return answer("is_supported", 1);
}

int mlx5dv_query_device(struct ibv_context *ctx_in, struct mlx5dv_context *attrs_out)
{
	saw("query_device(%s, comp_mask=%#llx)", ctx_in->device->name,
	    (unsigned long long)attrs_out->comp_mask);
	attrs_out->comp_mask = answer("comp_mask", attrs_out->comp_mask);
	if (attrs_out->comp_mask & MLX5DV_CONTEXT_MASK_DC_ODP_CAPS)
		attrs_out->dc_odp_caps = (uint32_t)answer("dc_odp_caps", 0);
	if (attrs_out->comp_mask & MLX5DV_CONTEXT_MASK_DCI_STREAMS) {
		attrs_out->dci_streams_caps.max_log_num_concurent =
			(uint8_t)answer("max_log_num_concurent", 0);
		attrs_out->dci_streams_caps.max_log_num_errored =
			(uint8_t)answer("max_log_num_errored", 0);
	}
	return failing("query_device");
}

static void wr_set_dc_addr(struct mlx5dv_qp_ex *mqp, struct ibv_ah *ah, uint32_t remote_dctn,
			   uint64_t remote_dc_key)
{
	saw("wr_set_dc_addr(%s, ah=%s, remote_dctn=%#x, remote_dc_key=%#llx)", name(dc_qp_of(mqp)),
	    name(ah), remote_dctn, (unsigned long long)remote_dc_key);
}

static void wr_set_dc_addr_stream(struct mlx5dv_qp_ex *mqp, struct ibv_ah *ah,
				  uint32_t remote_dctn, uint64_t remote_dc_key, uint16_t stream_id)
{
	saw("wr_set_dc_addr_stream(%s, ah=%s, remote_dctn=%#x, remote_dc_key=%#llx, stream_id=%u)",
	    name(dc_qp_of(mqp)), name(ah), remote_dctn, (unsigned long long)remote_dc_key,
	    stream_id);
}

struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *qp_attr,
				struct mlx5dv_qp_init_attr *mlx5_qp_attr)
{
	struct mlx5dv_dc_init_attr *dc = &mlx5_qp_attr->dc_init_attr;
	struct dc_qp *qp;

	saw("create_dc(send_cq=%s, recv_cq=%s, srq=%s, cap=%u/%u/%u/%u/%u, qp_type=%d, "
	    "sq_sig_all=%d, comp_mask=%#x, pd=%s, send_ops_flags=%#llx)",
	    name(qp_attr->send_cq), name(qp_attr->recv_cq), name(qp_attr->srq),
	    qp_attr->cap.max_send_wr, qp_attr->cap.max_recv_wr, qp_attr->cap.max_send_sge,
	    qp_attr->cap.max_recv_sge, qp_attr->cap.max_inline_data, (int)qp_attr->qp_type,
	    qp_attr->sq_sig_all, qp_attr->comp_mask, name(qp_attr->pd),
	    (unsigned long long)qp_attr->send_ops_flags);
	if (dc->dc_type == MLX5DV_DCTYPE_DCT)
		saw("dct(comp_mask=%#llx, create_flags=%#x, send_ops_flags=%#llx, access_key=%#llx)",
		    (unsigned long long)mlx5_qp_attr->comp_mask, mlx5_qp_attr->create_flags,
		    (unsigned long long)mlx5_qp_attr->send_ops_flags,
		    (unsigned long long)dc->dct_access_key);
	else
		saw("dci(comp_mask=%#llx, create_flags=%#x, send_ops_flags=%#llx, dc_type=%d, "
		    "log_num_concurent=%d, log_num_errored=%d)",
		    (unsigned long long)mlx5_qp_attr->comp_mask, mlx5_qp_attr->create_flags,
		    (unsigned long long)mlx5_qp_attr->send_ops_flags, (int)dc->dc_type,
		    dc->dci_streams.log_num_concurent, dc->dci_streams.log_num_errored);
	if (failing("create_dc"))
		return NULL;
	qp_attr->cap.max_inline_data = (uint32_t)answer("max_inline_data", 0);
	qp = new_object("qp", sizeof(*qp));
	qp->type = dc->dc_type;
	qp->ex.qp_base.context = context;
	qp->ex.qp_base.qp_type = qp_attr->qp_type;
	if (qp->type == MLX5DV_DCTYPE_DCI) {
		qp->ex.qp_base.qp_num = (uint32_t)answer("qp_num", 0x123456);
		install_wr(&qp->ex);
		qp->mlx5.wr_set_dc_addr = wr_set_dc_addr;
		qp->mlx5.wr_set_dc_addr_stream = wr_set_dc_addr_stream;
	}
	return &qp->ex.qp_base;
}

struct mlx5dv_qp_ex *mlx5dv_qp_ex_from_ibv_qp_ex(struct ibv_qp_ex *qp)
{
	return &((struct dc_qp *)qp)->mlx5;
}

int mlx5dv_dci_stream_id_reset(struct ibv_qp *qp, uint16_t stream_id)
{
	saw("dci_stream_id_reset(%s, stream_id=%u)", name(qp), stream_id);
	return failing("dci_stream_id_reset");
}

/* A target gets its number from the device when it goes to RTR. */
static void modify_dc(struct ibv_qp *ibqp, struct ibv_qp_attr *attr)
{
	struct dc_qp *qp = (struct dc_qp *)ibqp;

	switch (attr->qp_state) {
	case IBV_QPS_INIT:
		saw("to_init(port_num=%d, pkey_index=%d, access=%#x)", attr->port_num,
		    attr->pkey_index, attr->qp_access_flags);
		break;
	case IBV_QPS_RTR:
		saw("to_rtr(path_mtu=%d, dgid=%s, dlid=%d, sgid_index=%d, is_global=%d, "
		    "port_num=%d, min_rnr_timer=%d)",
		    (int)attr->path_mtu, hex(&attr->ah_attr.grh.dgid, 16), attr->ah_attr.dlid,
		    attr->ah_attr.grh.sgid_index, attr->ah_attr.is_global, attr->ah_attr.port_num,
		    attr->min_rnr_timer);
		if (qp->type == MLX5DV_DCTYPE_DCT)
			ibqp->qp_num = (uint32_t)answer("dctn", 0xabcdef);
		break;
	case IBV_QPS_RTS:
		saw("to_rts(timeout=%d, retry_cnt=%d, rnr_retry=%d, max_rd_atomic=%d)",
		    attr->timeout, attr->retry_cnt, attr->rnr_retry, attr->max_rd_atomic);
		break;
	default:
		break;
	}
}

__attribute__((constructor)) static void install(void)
{
	modify_driver_qp = modify_dc;
}
