/*
 * What the last recording function was called with, and what the next ones shall return. Java reads
 * and writes it: keep Recorder.java in step.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <rdma/rsocket.h>

struct record {
	uint64_t calls;
	uint64_t count;
	uint64_t args[12];
	uint64_t results[8]; /* of the first call, the second, ...; the last one of all later calls */
	uint64_t error;
	char name[64];
	char trace[256];
	uint8_t wr[256]; /* the work request posted last, and its first element */
	struct ibv_sge sge;
};

extern struct record verbs4j_record;

#define A(x) ((uint64_t)(uintptr_t)(x))
#define RECORD(name, ...)                                                                          \
	record(name, (uint64_t[]){ __VA_ARGS__ },                                                  \
	       sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
#define RECORD0(name) record(name, NULL, 0)

static inline uint64_t record(const char *name, const uint64_t *args, size_t count)
{
	struct record *r = &verbs4j_record;

	uint64_t call = r->calls++;

	r->count = count;
	if (count)
		memcpy(r->args, args, count * sizeof(*args));
	strncpy(r->name, name, sizeof(r->name) - 1);
	strncat(r->trace, name, sizeof(r->trace) - strlen(r->trace) - 2);
	strcat(r->trace, " ");
	errno = (int)r->error;
	return r->results[call < 8 ? call : 7];
}

static inline void record_wr(const void *wr, size_t size, const struct ibv_sge *sg_list)
{
	memcpy(verbs4j_record.wr, wr, size);
	if (sg_list)
		verbs4j_record.sge = *sg_list;
}
