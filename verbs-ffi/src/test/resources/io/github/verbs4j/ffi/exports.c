/*
 * Every exported function of rdma-core 65, as a stand-in for libibverbs.so.1 and librdmacm.so.1. It
 * records what it is called with. The installed headers are included, so that a prototype that
 * differs from theirs does not compile; what they do not know yet is declared first.
 */
#include <stdarg.h>

#include "record.h"

struct ibv_buf;
struct ibv_dmah;
struct ibv_dmah_init_attr;
struct ibv_mr_init_attr;
struct ibv_comp_cntr;
struct ibv_comp_cntr_caps;
struct ibv_comp_cntr_init_attr;
struct ibv_qp_attach_comp_cntr_attr;
struct epoll_event;

#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

struct record verbs4j_record;

int _ibv_query_comp_cntr_caps(struct ibv_context *context, struct ibv_comp_cntr_caps *caps,
		size_t caps_size)
{
	return (int)RECORD("_ibv_query_comp_cntr_caps", A(context), A(caps), A(caps_size));
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num, uint32_t gid_index,
		struct ibv_gid_entry *entry, uint32_t flags, size_t entry_size)
{
	        return (int)RECORD("_ibv_query_gid_ex", A(context), A(port_num), A(gid_index),
		A(entry), A(flags), A(entry_size));
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries,
		size_t max_entries, uint32_t flags, size_t entry_size)
{
	        return (ssize_t)RECORD("_ibv_query_gid_table", A(context), A(entries),
		A(max_entries), A(flags), A(entry_size));
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	RECORD("ibv_ack_async_event", A(event));
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)
{
	RECORD("ibv_ack_cq_events", A(cq), A(nevents));
}

void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf)
{
	return (void *)(uintptr_t)RECORD("ibv_alloc_buf", A(pd), A(size), A(buf));
}

struct ibv_dmah *ibv_alloc_dmah(struct ibv_context *context, struct ibv_dmah_init_attr *attr)
{
	return (void *)(uintptr_t)RECORD("ibv_alloc_dmah", A(context), A(attr));
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	return (void *)(uintptr_t)RECORD("ibv_alloc_pd", A(context));
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return (int)RECORD("ibv_attach_mcast", A(qp), A(gid), A(lid));
}

int ibv_close_device(struct ibv_context *context)
{
	return (int)RECORD("ibv_close_device", A(context));
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	return (void *)(uintptr_t)RECORD("ibv_create_ah", A(pd), A(attr));
}

struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh
		*grh, uint8_t port_num)
{
	return (void *)(uintptr_t)RECORD("ibv_create_ah_from_wc", A(pd), A(wc), A(grh), A(port_num));
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	return (void *)(uintptr_t)RECORD("ibv_create_comp_channel", A(context));
}

struct ibv_comp_cntr *ibv_create_comp_cntr(struct ibv_context *context, struct
		ibv_comp_cntr_init_attr *cc_attr)
{
	return (void *)(uintptr_t)RECORD("ibv_create_comp_cntr", A(context), A(cc_attr));
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct
		ibv_comp_channel *channel, int comp_vector)
{
	        return (void *)(uintptr_t)RECORD("ibv_create_cq", A(context), A(cqe), A(cq_context),
		A(channel), A(comp_vector));
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr)
{
	return (void *)(uintptr_t)RECORD("ibv_create_qp", A(pd), A(qp_init_attr));
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *srq_init_attr)
{
	return (void *)(uintptr_t)RECORD("ibv_create_srq", A(pd), A(srq_init_attr));
}

int ibv_dealloc_dmah(struct ibv_dmah *dmah)
{
	return (int)RECORD("ibv_dealloc_dmah", A(dmah));
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	return (int)RECORD("ibv_dealloc_pd", A(pd));
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	return (int)RECORD("ibv_dereg_mr", A(mr));
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	return (int)RECORD("ibv_destroy_ah", A(ah));
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	return (int)RECORD("ibv_destroy_comp_channel", A(channel));
}

int ibv_destroy_comp_cntr(struct ibv_comp_cntr *comp_cntr)
{
	return (int)RECORD("ibv_destroy_comp_cntr", A(comp_cntr));
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	return (int)RECORD("ibv_destroy_cq", A(cq));
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	return (int)RECORD("ibv_destroy_qp", A(qp));
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	return (int)RECORD("ibv_destroy_srq", A(srq));
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return (int)RECORD("ibv_detach_mcast", A(qp), A(gid), A(lid));
}

int ibv_dm_export_dmabuf_fd(struct ibv_dm *dm)
{
	return (int)RECORD("ibv_dm_export_dmabuf_fd", A(dm));
}

const char *ibv_event_type_str(enum ibv_event_type event)
{
	return (void *)(uintptr_t)RECORD("ibv_event_type_str", A(event));
}

int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf)
{
	return (int)RECORD("ibv_export_buf_dmabuf_fd", A(buf));
}

int ibv_fork_init(void)
{
	return (int)RECORD0("ibv_fork_init");
}

void ibv_free_buf(struct ibv_buf *buf)
{
	RECORD("ibv_free_buf", A(buf));
}

void ibv_free_device_list(struct ibv_device **list)
{
	RECORD("ibv_free_device_list", A(list));
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	return (int)RECORD("ibv_get_async_event", A(context), A(event));
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	return (int)RECORD("ibv_get_cq_event", A(channel), A(cq), A(cq_context));
}

__be64 ibv_get_device_guid(struct ibv_device *device)
{
	return (__be64)RECORD("ibv_get_device_guid", A(device));
}

int ibv_get_device_index(struct ibv_device *device)
{
	return (int)RECORD("ibv_get_device_index", A(device));
}

struct ibv_device **ibv_get_device_list(int *num_devices)
{
	return (void *)(uintptr_t)RECORD("ibv_get_device_list", A(num_devices));
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return (void *)(uintptr_t)RECORD("ibv_get_device_name", A(device));
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num, __be16 pkey)
{
	return (int)RECORD("ibv_get_pkey_index", A(context), A(port_num), A(pkey));
}

struct ibv_context *ibv_import_device(int cmd_fd)
{
	return (void *)(uintptr_t)RECORD("ibv_import_device", A(cmd_fd));
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle)
{
	return (void *)(uintptr_t)RECORD("ibv_import_dm", A(context), A(dm_handle));
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t mr_handle)
{
	return (void *)(uintptr_t)RECORD("ibv_import_mr", A(pd), A(mr_handle));
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t pd_handle)
{
	return (void *)(uintptr_t)RECORD("ibv_import_pd", A(context), A(pd_handle));
}

int ibv_inc_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t amount)
{
	return (int)RECORD("ibv_inc_comp_cntr", A(comp_cntr), A(amount));
}

int ibv_inc_err_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t amount)
{
	return (int)RECORD("ibv_inc_err_comp_cntr", A(comp_cntr), A(amount));
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num, struct ibv_wc *wc,
		struct ibv_grh *grh, struct ibv_ah_attr *ah_attr)
{
	return (int)RECORD("ibv_init_ah_from_wc", A(context), A(port_num), A(wc), A(grh), A(ah_attr));
}

enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return (enum ibv_fork_status)RECORD0("ibv_is_fork_initialized");
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)
{
	return (int)RECORD("ibv_modify_qp", A(qp), A(attr), A(attr_mask));
}

int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr, int srq_attr_mask)
{
	return (int)RECORD("ibv_modify_srq", A(srq), A(srq_attr), A(srq_attr_mask));
}

const char *ibv_node_type_str(enum ibv_node_type node_type)
{
	return (void *)(uintptr_t)RECORD("ibv_node_type_str", A(node_type));
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	return (void *)(uintptr_t)RECORD("ibv_open_device", A(device));
}

const char *ibv_port_state_str(enum ibv_port_state port_state)
{
	return (void *)(uintptr_t)RECORD("ibv_port_state_str", A(port_state));
}

int ibv_qp_attach_comp_cntr(struct ibv_qp *qp, struct ibv_comp_cntr *comp_cntr, struct
		ibv_qp_attach_comp_cntr_attr *attr)
{
	return (int)RECORD("ibv_qp_attach_comp_cntr", A(qp), A(comp_cntr), A(attr));
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return (void *)(uintptr_t)RECORD("ibv_qp_to_qp_ex", A(qp));
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *device_attr)
{
	return (int)RECORD("ibv_query_device", A(context), A(device_attr));
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	return (int)RECORD("ibv_query_ece", A(qp), A(ece));
}

int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index, union ibv_gid *gid)
{
	return (int)RECORD("ibv_query_gid", A(context), A(port_num), A(index), A(gid));
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port_num, int index, __be16 *pkey)
{
	return (int)RECORD("ibv_query_pkey", A(context), A(port_num), A(index), A(pkey));
}

int ibv_query_port(struct ibv_context *context, uint8_t port_num, struct _compat_ibv_port_attr
		*port_attr)
{
	return (int)RECORD("ibv_query_port", A(context), A(port_num), A(port_attr));
}

int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *port_speed)
{
	return (int)RECORD("ibv_query_port_speed", A(context), A(port_num), A(port_speed));
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask, struct
		ibv_qp_init_attr *init_attr)
{
	return (int)RECORD("ibv_query_qp", A(qp), A(attr), A(attr_mask), A(init_attr));
}

int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	return (int)RECORD("ibv_query_qp_data_in_order", A(qp), A(op), A(flags));
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *srq_attr)
{
	return (int)RECORD("ibv_query_srq", A(srq), A(srq_attr));
}

int ibv_rate_to_mbps(enum ibv_rate rate)
{
	return (int)RECORD("ibv_rate_to_mbps", A(rate));
}

int ibv_rate_to_mult(enum ibv_rate rate)
{
	return (int)RECORD("ibv_rate_to_mult", A(rate));
}

int ibv_read_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t *value)
{
	return (int)RECORD("ibv_read_comp_cntr", A(comp_cntr), A(value));
}

int ibv_read_err_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t *value)
{
	return (int)RECORD("ibv_read_err_comp_cntr", A(comp_cntr), A(value));
}

struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *addr, size_t
		length, int access)
{
	return (void *)(uintptr_t)RECORD("ibv_reg_buf_mr", A(pd), A(buf), A(addr), A(length), A(access));
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t
		iova, int fd, int access)
{
	        return (void *)(uintptr_t)RECORD("ibv_reg_dmabuf_mr", A(pd), A(offset), A(length),
		A(iova), A(fd), A(access));
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return (void *)(uintptr_t)RECORD("ibv_reg_mr", A(pd), A(addr), A(length), A(access));
}

struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *mr_init_attr)
{
	return (void *)(uintptr_t)RECORD("ibv_reg_mr_ex", A(pd), A(mr_init_attr));
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
		int access)
{
	        return (void *)(uintptr_t)RECORD("ibv_reg_mr_iova", A(pd), A(addr), A(length),
		A(iova), A(access));
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
		unsigned int access)
{
	        return (void *)(uintptr_t)RECORD("ibv_reg_mr_iova2", A(pd), A(addr), A(length),
		A(iova), A(access));
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		int access)
{
	return (int)RECORD("ibv_rereg_mr", A(mr), A(flags), A(pd), A(addr), A(length), A(access));
}

int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	return (int)RECORD("ibv_resize_cq", A(cq), A(cqe));
}

int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr, uint8_t
		eth_mac[ETHERNET_LL_SIZE], uint16_t *vid)
{
	return (int)RECORD("ibv_resolve_eth_l2_from_gid", A(context), A(attr), A(eth_mac), A(vid));
}

int ibv_set_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t value)
{
	return (int)RECORD("ibv_set_comp_cntr", A(comp_cntr), A(value));
}

int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	return (int)RECORD("ibv_set_ece", A(qp), A(ece));
}

int ibv_set_err_comp_cntr(struct ibv_comp_cntr *comp_cntr, uint64_t value)
{
	return (int)RECORD("ibv_set_err_comp_cntr", A(comp_cntr), A(value));
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	RECORD("ibv_unimport_dm", A(dm));
}

void ibv_unimport_mr(struct ibv_mr *mr)
{
	RECORD("ibv_unimport_mr", A(mr));
}

void ibv_unimport_pd(struct ibv_pd *pd)
{
	RECORD("ibv_unimport_pd", A(pd));
}

const char *ibv_wc_status_str(enum ibv_wc_status status)
{
	return (void *)(uintptr_t)RECORD("ibv_wc_status_str", A(status));
}

const char *ibv_wr_opcode_str(enum ibv_wr_opcode opcode)
{
	return (void *)(uintptr_t)RECORD("ibv_wr_opcode_str", A(opcode));
}

enum ibv_rate mbps_to_ibv_rate(int mbps)
{
	return (enum ibv_rate)RECORD("mbps_to_ibv_rate", A(mbps));
}

enum ibv_rate mult_to_ibv_rate(int mult)
{
	return (enum ibv_rate)RECORD("mult_to_ibv_rate", A(mult));
}

int raccept(int socket, struct sockaddr *addr, socklen_t *addrlen)
{
	return (int)RECORD("raccept", A(socket), A(addr), A(addrlen));
}

int rbind(int socket, const struct sockaddr *addr, socklen_t addrlen)
{
	return (int)RECORD("rbind", A(socket), A(addr), A(addrlen));
}

int rclose(int socket)
{
	return (int)RECORD("rclose", A(socket));
}

int rconnect(int socket, const struct sockaddr *addr, socklen_t addrlen)
{
	return (int)RECORD("rconnect", A(socket), A(addr), A(addrlen));
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *conn_param)
{
	return (int)RECORD("rdma_accept", A(id), A(conn_param));
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	return (int)RECORD("rdma_ack_cm_event", A(event));
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr)
{
	return (int)RECORD("rdma_bind_addr", A(id), A(addr));
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *conn_param)
{
	return (int)RECORD("rdma_connect", A(id), A(conn_param));
}

int rdma_create_ep(struct rdma_cm_id **id, struct rdma_addrinfo *res, struct ibv_pd *pd,
		struct ibv_qp_init_attr *qp_init_attr)
{
	return (int)RECORD("rdma_create_ep", A(id), A(res), A(pd), A(qp_init_attr));
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
	return (void *)(uintptr_t)RECORD0("rdma_create_event_channel");
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
		enum rdma_port_space ps)
{
	return (int)RECORD("rdma_create_id", A(channel), A(id), A(context), A(ps));
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr
		*qp_init_attr)
{
	return (int)RECORD("rdma_create_qp", A(id), A(pd), A(qp_init_attr));
}

int rdma_create_qp_ex(struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *qp_init_attr)
{
	return (int)RECORD("rdma_create_qp_ex", A(id), A(qp_init_attr));
}

int rdma_create_srq(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	return (int)RECORD("rdma_create_srq", A(id), A(pd), A(attr));
}

int rdma_create_srq_ex(struct rdma_cm_id *id, struct ibv_srq_init_attr_ex *attr)
{
	return (int)RECORD("rdma_create_srq_ex", A(id), A(attr));
}

void rdma_destroy_ep(struct rdma_cm_id *id)
{
	RECORD("rdma_destroy_ep", A(id));
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
	RECORD("rdma_destroy_event_channel", A(channel));
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
	return (int)RECORD("rdma_destroy_id", A(id));
}

void rdma_destroy_qp(struct rdma_cm_id *id)
{
	RECORD("rdma_destroy_qp", A(id));
}

void rdma_destroy_srq(struct rdma_cm_id *id)
{
	RECORD("rdma_destroy_srq", A(id));
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	return (int)RECORD("rdma_disconnect", A(id));
}

int rdma_establish(struct rdma_cm_id *id)
{
	return (int)RECORD("rdma_establish", A(id));
}

const char *rdma_event_str(enum rdma_cm_event_type event)
{
	return (void *)(uintptr_t)RECORD("rdma_event_str", A(event));
}

void rdma_free_devices(struct ibv_context **list)
{
	RECORD("rdma_free_devices", A(list));
}

void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
	RECORD("rdma_freeaddrinfo", A(res));
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **event)
{
	return (int)RECORD("rdma_get_cm_event", A(channel), A(event));
}

struct ibv_context **rdma_get_devices(int *num_devices)
{
	return (void *)(uintptr_t)RECORD("rdma_get_devices", A(num_devices));
}

__be16 rdma_get_dst_port(struct rdma_cm_id *id)
{
	return (__be16)RECORD("rdma_get_dst_port", A(id));
}

int rdma_get_remote_ece(struct rdma_cm_id *id, struct ibv_ece *ece)
{
	return (int)RECORD("rdma_get_remote_ece", A(id), A(ece));
}

int rdma_get_request(struct rdma_cm_id *listen, struct rdma_cm_id **id)
{
	return (int)RECORD("rdma_get_request", A(listen), A(id));
}

__be16 rdma_get_src_port(struct rdma_cm_id *id)
{
	return (__be16)RECORD("rdma_get_src_port", A(id));
}

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
		struct rdma_addrinfo **res)
{
	return (int)RECORD("rdma_getaddrinfo", A(node), A(service), A(hints), A(res));
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *qp_attr, int *qp_attr_mask)
{
	return (int)RECORD("rdma_init_qp_attr", A(id), A(qp_attr), A(qp_attr_mask));
}

int rdma_join_multicast(struct rdma_cm_id *id, struct sockaddr *addr, void *context)
{
	return (int)RECORD("rdma_join_multicast", A(id), A(addr), A(context));
}

int rdma_join_multicast_ex(struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex
		*mc_join_attr, void *context)
{
	return (int)RECORD("rdma_join_multicast_ex", A(id), A(mc_join_attr), A(context));
}

int rdma_leave_multicast(struct rdma_cm_id *id, struct sockaddr *addr)
{
	return (int)RECORD("rdma_leave_multicast", A(id), A(addr));
}

int rdma_listen(struct rdma_cm_id *id, int backlog)
{
	return (int)RECORD("rdma_listen", A(id), A(backlog));
}

int rdma_migrate_id(struct rdma_cm_id *id, struct rdma_event_channel *channel)
{
	return (int)RECORD("rdma_migrate_id", A(id), A(channel));
}

int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event)
{
	return (int)RECORD("rdma_notify", A(id), A(event));
}

int rdma_query_addrinfo(struct rdma_cm_id *id, struct rdma_addrinfo **info)
{
	return (int)RECORD("rdma_query_addrinfo", A(id), A(info));
}

int rdma_reject(struct rdma_cm_id *id, const void *private_data, uint8_t private_data_len)
{
	return (int)RECORD("rdma_reject", A(id), A(private_data), A(private_data_len));
}

int rdma_reject_ece(struct rdma_cm_id *id, const void *private_data, uint8_t private_data_len)
{
	return (int)RECORD("rdma_reject_ece", A(id), A(private_data), A(private_data_len));
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *src_addr, struct sockaddr
		*dst_addr, int timeout_ms)
{
	return (int)RECORD("rdma_resolve_addr", A(id), A(src_addr), A(dst_addr), A(timeout_ms));
}

int rdma_resolve_addrinfo(struct rdma_cm_id *id, const char *node, const char *service, const
		struct rdma_addrinfo *hints)
{
	return (int)RECORD("rdma_resolve_addrinfo", A(id), A(node), A(service), A(hints));
}

int rdma_resolve_route(struct rdma_cm_id *id, int timeout_ms)
{
	return (int)RECORD("rdma_resolve_route", A(id), A(timeout_ms));
}

int rdma_set_local_ece(struct rdma_cm_id *id, struct ibv_ece *ece)
{
	return (int)RECORD("rdma_set_local_ece", A(id), A(ece));
}

int rdma_set_option(struct rdma_cm_id *id, int level, int optname, void *optval, size_t optlen)
{
	return (int)RECORD("rdma_set_option", A(id), A(level), A(optname), A(optval), A(optlen));
}

int rdma_write_cm_event(struct rdma_cm_id *id, enum rdma_cm_event_type event, int status,
		uint64_t arg)
{
	return (int)RECORD("rdma_write_cm_event", A(id), A(event), A(status), A(arg));
}

int repoll_create(int flags)
{
	return (int)RECORD("repoll_create", A(flags));
}

int repoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
{
	return (int)RECORD("repoll_ctl", A(epfd), A(op), A(fd), A(event));
}

int repoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
{
	return (int)RECORD("repoll_wait", A(epfd), A(events), A(maxevents), A(timeout));
}

int rgetpeername(int socket, struct sockaddr *addr, socklen_t *addrlen)
{
	return (int)RECORD("rgetpeername", A(socket), A(addr), A(addrlen));
}

int rgetsockname(int socket, struct sockaddr *addr, socklen_t *addrlen)
{
	return (int)RECORD("rgetsockname", A(socket), A(addr), A(addrlen));
}

int rgetsockopt(int socket, int level, int optname, void *optval, socklen_t *optlen)
{
	return (int)RECORD("rgetsockopt", A(socket), A(level), A(optname), A(optval), A(optlen));
}

off_t riomap(int socket, void *buf, size_t len, int prot, int flags, off_t offset)
{
	return (off_t)RECORD("riomap", A(socket), A(buf), A(len), A(prot), A(flags), A(offset));
}

int riounmap(int socket, void *buf, size_t len)
{
	return (int)RECORD("riounmap", A(socket), A(buf), A(len));
}

size_t riowrite(int socket, const void *buf, size_t count, off_t offset, int flags)
{
	return (size_t)RECORD("riowrite", A(socket), A(buf), A(count), A(offset), A(flags));
}

int rlisten(int socket, int backlog)
{
	return (int)RECORD("rlisten", A(socket), A(backlog));
}

int rpoll(struct pollfd *fds, nfds_t nfds, int timeout)
{
	return (int)RECORD("rpoll", A(fds), A(nfds), A(timeout));
}

ssize_t rread(int socket, void *buf, size_t count)
{
	return (ssize_t)RECORD("rread", A(socket), A(buf), A(count));
}

ssize_t rreadv(int socket, const struct iovec *iov, int iovcnt)
{
	return (ssize_t)RECORD("rreadv", A(socket), A(iov), A(iovcnt));
}

ssize_t rrecv(int socket, void *buf, size_t len, int flags)
{
	return (ssize_t)RECORD("rrecv", A(socket), A(buf), A(len), A(flags));
}

ssize_t rrecvfrom(int socket, void *buf, size_t len, int flags, struct sockaddr *src_addr,
		socklen_t *addrlen)
{
	        return (ssize_t)RECORD("rrecvfrom", A(socket), A(buf), A(len), A(flags), A(src_addr),
		A(addrlen));
}

ssize_t rrecvmsg(int socket, struct msghdr *msg, int flags)
{
	return (ssize_t)RECORD("rrecvmsg", A(socket), A(msg), A(flags));
}

int rselect(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds, struct timeval
		*timeout)
{
	return (int)RECORD("rselect", A(nfds), A(readfds), A(writefds), A(exceptfds), A(timeout));
}

ssize_t rsend(int socket, const void *buf, size_t len, int flags)
{
	return (ssize_t)RECORD("rsend", A(socket), A(buf), A(len), A(flags));
}

ssize_t rsendmsg(int socket, const struct msghdr *msg, int flags)
{
	return (ssize_t)RECORD("rsendmsg", A(socket), A(msg), A(flags));
}

ssize_t rsendto(int socket, const void *buf, size_t len, int flags, const struct sockaddr
		*dest_addr, socklen_t addrlen)
{
	return (ssize_t)RECORD("rsendto", A(socket), A(buf), A(len), A(flags), A(dest_addr), A(addrlen));
}

int rsetsockopt(int socket, int level, int optname, const void *optval, socklen_t optlen)
{
	return (int)RECORD("rsetsockopt", A(socket), A(level), A(optname), A(optval), A(optlen));
}

int rshutdown(int socket, int how)
{
	return (int)RECORD("rshutdown", A(socket), A(how));
}

int rsocket(int domain, int type, int protocol)
{
	return (int)RECORD("rsocket", A(domain), A(type), A(protocol));
}

ssize_t rwrite(int socket, const void *buf, size_t count)
{
	return (ssize_t)RECORD("rwrite", A(socket), A(buf), A(count));
}

ssize_t rwritev(int socket, const struct iovec *iov, int iovcnt)
{
	return (ssize_t)RECORD("rwritev", A(socket), A(iov), A(iovcnt));
}

int rfcntl(int socket, int cmd, ...)
{
	va_list args;

	va_start(args, cmd);
	int arg = va_arg(args, int);
	va_end(args);
	return (int)RECORD("rfcntl", A(socket), A(cmd), A(arg));
}
