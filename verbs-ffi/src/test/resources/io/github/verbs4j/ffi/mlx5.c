/* What libmlx5.so.1 exports of the dynamically connected transport, and its queue pair. */
#include "record.h"

#include <infiniband/mlx5dv.h>

bool mlx5dv_is_supported(struct ibv_device *device)
{
	return RECORD("mlx5dv_is_supported", A(device));
}

struct ibv_context *mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attr)
{
	return (void *)(uintptr_t)RECORD("mlx5dv_open_device", A(device), A(attr));
}

int mlx5dv_query_device(struct ibv_context *ctx_in, struct mlx5dv_context *attrs_out)
{
	return (int)RECORD("mlx5dv_query_device", A(ctx_in), A(attrs_out));
}

struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *qp_attr,
		struct mlx5dv_qp_init_attr *mlx5_qp_attr)
{
	return (void *)(uintptr_t)RECORD("mlx5dv_create_qp", A(context), A(qp_attr),
		A(mlx5_qp_attr));
}

struct mlx5dv_qp_ex *mlx5dv_qp_ex_from_ibv_qp_ex(struct ibv_qp_ex *qp)
{
	return (void *)(uintptr_t)RECORD("mlx5dv_qp_ex_from_ibv_qp_ex", A(qp));
}

int mlx5dv_dci_stream_id_reset(struct ibv_qp *qp, uint16_t stream_id)
{
	return (int)RECORD("mlx5dv_dci_stream_id_reset", A(qp), A(stream_id));
}

static void wr_set_dc_addr(struct mlx5dv_qp_ex *mqp, struct ibv_ah *ah, uint32_t remote_dctn,
		uint64_t remote_dc_key)
{
	RECORD("wr_set_dc_addr", A(mqp), A(ah), A(remote_dctn), A(remote_dc_key));
}

static void wr_set_dc_addr_stream(struct mlx5dv_qp_ex *mqp, struct ibv_ah *ah, uint32_t remote_dctn,
		uint64_t remote_dc_key, uint16_t stream_id)
{
	RECORD("wr_set_dc_addr_stream", A(mqp), A(ah), A(remote_dctn), A(remote_dc_key),
		A(stream_id));
}

static struct mlx5dv_qp_ex qp;

struct mlx5dv_qp_ex *verbs4j_mlx5_qp(void)
{
	memset(&qp, 0, sizeof(qp));
	qp.wr_set_dc_addr = wr_set_dc_addr;
	qp.wr_set_dc_addr_stream = wr_set_dc_addr_stream;
	return &qp;
}
