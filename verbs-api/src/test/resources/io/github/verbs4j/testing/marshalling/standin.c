/* What every topic needs: the record, the objects, the device. */
#include "standin.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_LINES = 4096, MAX_OBJECTS = 256, MAX_ANSWERS = 64, MAX_TOPICS = 64, LENGTH = 2048 };

static char lines[MAX_LINES][LENGTH];
static int line_count;

static struct {
	const void *object;
	char name[40];
} objects[MAX_OBJECTS];
static unsigned int serial;

static struct {
	char name[64];
	uint64_t value;
} answers[MAX_ANSWERS];
static int answer_count;

static topic topics[MAX_TOPICS];
static int topic_count;

void saw(const char *format, ...)
{
	va_list arguments;

	if (line_count == MAX_LINES)
		abort();
	va_start(arguments, format);
	vsnprintf(lines[line_count++], LENGTH, format, arguments);
	va_end(arguments);
}

uint64_t answer(const char *name, uint64_t otherwise)
{
	int i;

	for (i = answer_count - 1; i >= 0; i--)
		if (strcmp(answers[i].name, name) == 0)
			return answers[i].value;
	return otherwise;
}

int failing(const char *function)
{
	char key[64];

	snprintf(key, sizeof(key), "fail %s", function);
	errno = (int)answer(key, 0);
	return errno;
}

void *new_object(const char *kind, size_t size)
{
	void *object = calloc(1, size);
	int i;

	for (i = 0; objects[i].object; i++)
		if (i + 1 == MAX_OBJECTS)
			abort();
	objects[i].object = object;
	snprintf(objects[i].name, sizeof(objects[i].name), "%s#%u", kind, ++serial);
	return object;
}

const char *name(const void *object)
{
	int i;

	if (!object)
		return "NULL";
	for (i = 0; i < MAX_OBJECTS; i++)
		if (objects[i].object == object)
			return objects[i].name;
	return "?";
}

int end_object(const char *function, void *object)
{
	int i, error = failing(function);

	saw("%s(%s)", function, name(object));
	if (error)
		return error;
	for (i = 0; i < MAX_OBJECTS; i++) {
		if (objects[i].object == object) {
			objects[i].object = NULL;
			free(object);
			return 0;
		}
	}
	return EFAULT;
}

const char *hex(const void *memory, size_t size)
{
	static char digits[513];
	size_t i;

	digits[0] = 0;
	for (i = 0; i < size && i < 256; i++)
		sprintf(digits + 2 * i, "%02x", ((const uint8_t *)memory)[i]);
	return digits;
}

void add_topic(topic install)
{
	topics[topic_count++] = install;
}

/* For Java: StandIn. */

void standin_reset(void)
{
	line_count = 0;
	answer_count = 0;
	serial = 0;
}

int standin_line_count(void)
{
	return line_count;
}

const char *standin_line(int index)
{
	return lines[index];
}

void standin_answer(const char *name, uint64_t value)
{
	if (answer_count == MAX_ANSWERS)
		abort();
	snprintf(answers[answer_count].name, sizeof(answers[0].name), "%s", name);
	answers[answer_count++].value = value;
}

const char *standin_name(const void *object)
{
	return name(object);
}

int standin_live(void)
{
	int i, live = 0;

	for (i = 0; i < MAX_OBJECTS; i++)
		live += objects[i].object != NULL;
	return live;
}

/* The device. */

static struct ibv_device device = {
	.node_type = IBV_NODE_CA,
	.transport_type = IBV_TRANSPORT_IB,
	.name = "standin0",
	.dev_name = "uverbs0",
	.ibdev_path = "/sys/class/infiniband/standin0",
};

struct ibv_device **(ibv_get_device_list)(int *num_devices)
{
	struct ibv_device **list = calloc(2, sizeof(*list));

	list[0] = &device;
	if (num_devices)
		*num_devices = 1;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

const char *ibv_get_device_name(struct ibv_device *of)
{
	return of->name;
}

__be64 ibv_get_device_guid(struct ibv_device *of)
{
	(void)of;
	return (__be64)answer("guid", 0x0102030405060708);
}

/* An open device; asynchronous events come through a pipe. */
struct opened {
	int event_ends[2];
	struct verbs_context verbs;
};

static struct opened *opened_last;

struct ibv_context *ibv_open_device(struct ibv_device *of)
{
	struct opened *opened;
	struct verbs_context *verbs;
	int i;

	if (failing("open_device"))
		return NULL;
	opened = opened_last = calloc(1, sizeof(*opened));
	verbs = &opened->verbs;
	verbs->sz = sizeof(*verbs);
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs->context.device = of;
	verbs->context.num_comp_vectors = (int)answer("num_comp_vectors", 2);
	if (pipe(opened->event_ends))
		abort();
	verbs->context.async_fd = opened->event_ends[0];
	verbs->context.cmd_fd = -1;
	for (i = 0; i < topic_count; i++)
		topics[i](verbs);
	return &verbs->context;
}

int ibv_close_device(struct ibv_context *context)
{
	struct opened *opened =
		(void *)((char *)context - offsetof(struct opened, verbs.context));

	close(opened->event_ends[0]);
	close(opened->event_ends[1]);
	free(opened);
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	(void)context;
	memset(attr, 0, sizeof(*attr));
	strcpy(attr->fw_ver, "stand-in");
	attr->max_mr_size = UINT64_MAX;
	attr->max_qp = attr->max_cq = attr->max_mr = attr->max_pd = attr->max_mw = 1000;
	attr->max_qp_wr = attr->max_cqe = attr->max_srq_wr = 4096;
	attr->max_sge = attr->max_sge_rd = attr->max_srq_sge = 16;
	attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 16;
	attr->max_srq = attr->max_ah = 1000;
	attr->max_pkeys = 1;
	attr->phys_port_cnt = 1;
	return 0;
}

/* Asynchronous events, raised by the test on the context opened last. */

void standin_raise(int event_type, uint64_t element)
{
	uint64_t event[2] = { (uint64_t)event_type, element };

	if (write(opened_last->event_ends[1], event, sizeof(event)) != sizeof(event))
		abort();
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	uint64_t raised[2];

	if (read(context->async_fd, raised, sizeof(raised)) != sizeof(raised))
		return -1;
	memset(event, 0xff, sizeof(*event));
	event->event_type = (enum ibv_event_type)raised[0];
	if (raised[1] < 256)
		event->element.port_num = (int)raised[1];
	else
		event->element.qp = (void *)(uintptr_t)raised[1];
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	saw("ack_async_event(event_type=%d)", (int)event->event_type);
}
