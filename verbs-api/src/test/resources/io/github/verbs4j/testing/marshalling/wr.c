/* Send requests built by functions: ibv_wr_start to ibv_wr_complete. */
#include "standin.h"

#include <stdarg.h>
#include <stdio.h>

/* The beginning of a request: what C finds in the queue pair goes with it. */
__attribute__((format(printf, 3, 4))) static void begun(struct ibv_qp_ex *qp, const char *operation,
							 const char *format, ...)
{
	char operands[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(operands, sizeof(operands), format, arguments);
	va_end(arguments);
	saw("%s(wr_id=%#llx, wr_flags=%#x%s)", operation, (unsigned long long)qp->wr_id,
	    qp->wr_flags, operands);
}

static void wr_start(struct ibv_qp_ex *qp)
{
	saw("wr_start(%s)", name(qp));
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	saw("wr_complete(%s)", name(qp));
	return failing("wr_complete");
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	saw("wr_abort(%s)", name(qp));
}

static void wr_send(struct ibv_qp_ex *qp)
{
	begun(qp, "wr_send", "%s", "");
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	begun(qp, "wr_send_imm", ", imm_data=%s", hex(&imm_data, sizeof(imm_data)));
}

static void wr_send_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	begun(qp, "wr_send_inv", ", invalidate_rkey=%#x", invalidate_rkey);
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	begun(qp, "wr_rdma_write", ", rkey=%#x, remote_addr=%#llx", rkey,
	      (unsigned long long)remote_addr);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
			      __be32 imm_data)
{
	begun(qp, "wr_rdma_write_imm", ", rkey=%#x, remote_addr=%#llx, imm_data=%s", rkey,
	      (unsigned long long)remote_addr, hex(&imm_data, sizeof(imm_data)));
}

static void wr_rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	begun(qp, "wr_rdma_read", ", rkey=%#x, remote_addr=%#llx", rkey,
	      (unsigned long long)remote_addr);
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr,
				uint64_t add)
{
	begun(qp, "wr_atomic_fetch_add", ", rkey=%#x, remote_addr=%#llx, add=%#llx", rkey,
	      (unsigned long long)remote_addr, (unsigned long long)add);
}

static void wr_local_inv(struct ibv_qp_ex *qp, uint32_t invalidate_rkey)
{
	begun(qp, "wr_local_inv", ", invalidate_rkey=%#x", invalidate_rkey);
}

static void wr_send_tso(struct ibv_qp_ex *qp, void *hdr, uint16_t hdr_sz, uint16_t mss)
{
	begun(qp, "wr_send_tso", ", hdr=%s, mss=%u", hex(hdr, hdr_sz), mss);
}

static void wr_set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn,
			   uint32_t remote_qkey)
{
	(void)qp;
	saw("wr_set_ud_addr(ah=%s, remote_qpn=%#x, remote_qkey=%#x)", name(ah), remote_qpn,
	    remote_qkey);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn)
{
	(void)qp;
	saw("wr_set_xrc_srqn(remote_srqn=%#x)", remote_srqn);
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	(void)qp;
	saw("wr_set_sge(lkey=%#x, addr=%s, length=%u)", lkey, addr ? "some" : "NULL", length);
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	(void)qp;
	saw("wr_set_inline_data(%s)", hex(addr, length));
}

void install_wr(struct ibv_qp_ex *qp)
{
	qp->wr_start = wr_start;
	qp->wr_complete = wr_complete;
	qp->wr_abort = wr_abort;
	qp->wr_send = wr_send;
	qp->wr_send_imm = wr_send_imm;
	qp->wr_send_inv = wr_send_inv;
	qp->wr_rdma_write = wr_rdma_write;
	qp->wr_rdma_write_imm = wr_rdma_write_imm;
	qp->wr_rdma_read = wr_rdma_read;
	qp->wr_atomic_fetch_add = wr_atomic_fetch_add;
	qp->wr_local_inv = wr_local_inv;
	qp->wr_send_tso = wr_send_tso;
	qp->wr_set_ud_addr = wr_set_ud_addr;
	qp->wr_set_xrc_srqn = wr_set_xrc_srqn;
	qp->wr_set_sge = wr_set_sge;
	qp->wr_set_inline_data = wr_set_inline_data;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return (struct ibv_qp_ex *)qp;
}
