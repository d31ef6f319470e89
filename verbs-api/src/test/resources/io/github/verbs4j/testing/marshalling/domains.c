/* Thread and parent domains, and what a device tells of itself that Soft-RoCE does not. */
#include "standin.h"

static struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr)
{
	struct ibv_td *td;

	saw("alloc_td(comp_mask=%#x)", attr->comp_mask);
	if (failing("alloc_td"))
		return NULL;
	td = new_object("td", sizeof(*td));
	td->context = context;
	return td;
}

static int dealloc_td(struct ibv_td *td)
{
	return end_object("dealloc_td", td);
}

static struct ibv_pd *alloc_parent_domain(struct ibv_context *context,
					  struct ibv_parent_domain_init_attr *attr)
{
	struct ibv_pd *pd;

	saw("alloc_parent_domain(pd=%s, td=%s, comp_mask=%#x, callbacks=%s, pd_context=%s)",
	    name(attr->pd), name(attr->td), attr->comp_mask,
	    attr->alloc || attr->free ? "some" : "none", name(attr->pd_context));
	if (failing("alloc_parent_domain"))
		return NULL;
	pd = new_object("parent", sizeof(*pd));
	pd->context = context;
	return pd;
}

static int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	(void)context;
	saw("query_rt_values(comp_mask=%#x)", values->comp_mask);
	if (failing("query_rt_values"))
		return errno;
	values->raw_clock.tv_sec = (time_t)answer("tv_sec", 0);
	values->raw_clock.tv_nsec = (long)answer("tv_nsec", 0);
	return 0;
}

static int query_device_ex(struct ibv_context *context,
			   const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t attr_size)
{
	(void)input;
	memset(attr, 0, attr_size);
	attr->odp_caps.general_caps = answer("odp_general_caps", 0);
	return ibv_query_device(context, &attr->orig_attr);
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port_num, __be16 pkey)
{
	(void)context;
	saw("get_pkey_index(port_num=%d, pkey=%s)", port_num, hex(&pkey, 2));
	return (int)answer("pkey_index", (uint64_t)-1);
}

int ibv_get_device_index(struct ibv_device *device)
{
	(void)device;
	return (int)answer("device_index", (uint64_t)-1);
}

struct ibv_context *ibv_import_device(int cmd_fd)
{
	struct ibv_device **list;
	struct ibv_context *context;

	saw("import_device(cmd_fd=%d)", cmd_fd);
	if (failing("import_device"))
		return NULL;
	list = ibv_get_device_list(NULL);
	context = ibv_open_device(list[0]);
	ibv_free_device_list(list);
	/* It has a descriptor of its own, which it closes: that of the test is only a number. */
	saw("imported(cmd_fd=%d)", context->cmd_fd);
	return context;
}

int ibv_fork_init(void)
{
	saw("fork_init()");
	return failing("fork_init");
}

enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return (enum ibv_fork_status)answer("fork_status", 0);
}

/* Since rdma-core 62; older headers do not declare it. */
int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *port_speed);

int ibv_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *port_speed)
{
	(void)context;
	saw("query_port_speed(port_num=%u)", port_num);
	*port_speed = answer("port_speed", 0);
	return failing("query_port_speed");
}

TOPIC(domains)
{
	verbs->alloc_td = alloc_td;
	verbs->dealloc_td = dealloc_td;
	verbs->alloc_parent_domain = alloc_parent_domain;
	verbs->query_rt_values = query_rt_values;
	verbs->query_device_ex = query_device_ex;
}
