/* Memory by any address, of a device, of a GPU, of nowhere; advice; imports. */
#include "standin.h"

static struct ibv_mr *new_mr(struct ibv_pd *pd, void *addr, size_t length)
{
	struct ibv_mr *mr = new_object("mr", sizeof(*mr));

	mr->context = pd->context;
	mr->pd = pd;
	mr->addr = addr;
	mr->length = length;
	mr->handle = (uint32_t)answer("mr_handle", 0);
	mr->lkey = (uint32_t)answer("lkey", 0x11223344);
	mr->rkey = (uint32_t)answer("rkey", 0x55667788);
	return mr;
}

#undef ibv_reg_mr_iova

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
			       int access)
{
	saw("reg_mr_iova(pd=%s, byte=%s, length=%zu, iova=%#llx, access=%#x)", name(pd),
	    hex(addr, 1), length, (unsigned long long)iova, (unsigned int)access);
	return failing("reg_mr_iova") ? NULL : new_mr(pd, addr, length);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova,
				unsigned int access)
{
	int own = (uintptr_t)addr == iova;

	saw("reg_mr_iova2(pd=%s, iova=%s, length=%zu, access=%#x)", name(pd),
	    own ? "addr" : "other", length, access);
	return failing("reg_mr_iova2") ? NULL : new_mr(pd, addr, length);
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
				 int fd, int access)
{
	saw("reg_dmabuf_mr(pd=%s, offset=%#llx, length=%zu, iova=%#llx, fd=%d, access=%#x)",
	    name(pd), (unsigned long long)offset, length, (unsigned long long)iova, fd,
	    (unsigned int)access);
	return failing("reg_dmabuf_mr") ? NULL : new_mr(pd, NULL, length);
}

static struct ibv_mr *alloc_null_mr(struct ibv_pd *pd)
{
	saw("alloc_null_mr(pd=%s)", name(pd));
	return failing("alloc_null_mr") ? NULL : new_mr(pd, NULL, SIZE_MAX);
}

static int advise_mr(struct ibv_pd *pd, enum ibv_advise_mr_advice advice, uint32_t flags,
		     struct ibv_sge *sg_list, uint32_t num_sges)
{
	uint32_t i;

	saw("advise_mr(pd=%s, advice=%d, flags=%#x, num_sges=%u)", name(pd), (int)advice, flags,
	    num_sges);
	for (i = 0; i < num_sges; i++)
		saw("range(addr=%#llx, length=%u, lkey=%#x)", (unsigned long long)sg_list[i].addr,
		    sg_list[i].length, sg_list[i].lkey);
	return failing("advise_mr");
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		 int access)
{
	saw("rereg_mr(%s, flags=%#x, pd=%s, byte=%s, length=%zu, access=%#x)", name(mr),
	    (unsigned int)flags, name(pd), addr ? hex(addr, 1) : "NULL", length,
	    (unsigned int)access);
	if (failing("rereg_mr"))
		return (int)answer("rereg_result", (uint64_t)-1);
	mr->lkey = (uint32_t)answer("new_lkey", mr->lkey);
	mr->rkey = (uint32_t)answer("new_rkey", mr->rkey);
	return 0;
}

/* Memory of the device. */

static unsigned char bytes_of_device[4096];

static int memcpy_to_dm(struct ibv_dm *dm, uint64_t dm_offset, const void *host_addr, size_t length)
{
	saw("memcpy_to_dm(%s, dm_offset=%llu, length=%zu)", name(dm),
	    (unsigned long long)dm_offset, length);
	if (failing("memcpy_to_dm"))
		return errno;
	memcpy(bytes_of_device + dm_offset, host_addr, length);
	return 0;
}

static int memcpy_from_dm(void *host_addr, struct ibv_dm *dm, uint64_t dm_offset, size_t length)
{
	saw("memcpy_from_dm(%s, dm_offset=%llu, length=%zu)", name(dm),
	    (unsigned long long)dm_offset, length);
	if (failing("memcpy_from_dm"))
		return errno;
	memcpy(host_addr, bytes_of_device + dm_offset, length);
	return 0;
}

static struct ibv_dm *new_dm(struct ibv_context *context)
{
	struct ibv_dm *dm = new_object("dm", sizeof(*dm));

	dm->context = context;
	dm->memcpy_to_dm = memcpy_to_dm;
	dm->memcpy_from_dm = memcpy_from_dm;
	dm->handle = (uint32_t)answer("dm_handle", 0);
	return dm;
}

static struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	saw("alloc_dm(length=%zu, log_align_req=%u, comp_mask=%#x)", attr->length,
	    attr->log_align_req, attr->comp_mask);
	return failing("alloc_dm") ? NULL : new_dm(context);
}

static int free_dm(struct ibv_dm *dm)
{
	return end_object("free_dm", dm);
}

/* Since rdma-core 62; older headers do not declare it. */
int ibv_dm_export_dmabuf_fd(struct ibv_dm *dm);

int ibv_dm_export_dmabuf_fd(struct ibv_dm *dm)
{
	saw("dm_export_dmabuf_fd(%s)", name(dm));
	return failing("dm_export_dmabuf_fd") ? -1 : (int)answer("dmabuf_fd", 0);
}

static struct ibv_mr *reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t dm_offset,
				size_t length, unsigned int access)
{
	saw("reg_dm_mr(pd=%s, dm=%s, dm_offset=%llu, length=%zu, access=%#x)", name(pd), name(dm),
	    (unsigned long long)dm_offset, length, access);
	return failing("reg_dm_mr") ? NULL : new_mr(pd, NULL, length);
}

/* Imports. */

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t pd_handle)
{
	struct ibv_pd *pd;

	saw("import_pd(pd_handle=%u)", pd_handle);
	if (failing("import_pd"))
		return NULL;
	pd = new_object("pd", sizeof(*pd));
	pd->context = context;
	pd->handle = pd_handle;
	return pd;
}

void ibv_unimport_pd(struct ibv_pd *pd)
{
	end_object("unimport_pd", pd);
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t mr_handle)
{
	saw("import_mr(pd=%s, mr_handle=%u)", name(pd), mr_handle);
	return failing("import_mr") ? NULL : new_mr(pd, NULL, answer("length", 0));
}

void ibv_unimport_mr(struct ibv_mr *mr)
{
	end_object("unimport_mr", mr);
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t dm_handle)
{
	saw("import_dm(dm_handle=%u)", dm_handle);
	return failing("import_dm") ? NULL : new_dm(context);
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	end_object("unimport_dm", dm);
}

TOPIC(memory)
{
	verbs->alloc_null_mr = alloc_null_mr;
	verbs->advise_mr = advise_mr;
	verbs->alloc_dm = alloc_dm;
	verbs->free_dm = free_dm;
	verbs->reg_dm_mr = reg_dm_mr;
}
