/*
 * A stand-in for libibverbs with one device, for verbs that Soft-RoCE lacks. Its functions write
 * down what they see, field by field, and return what the test asked for.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

/* Adds a line to what the test reads, by convention «function(field=value, ...)». */
void saw(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The value that the test gave this name, or another one where it gave none. */
uint64_t answer(const char *name, uint64_t otherwise);

/* The errno value with which the test wants this function to fail, else 0. Sets errno, too. */
int failing(const char *function);

/* Zeroed memory of a new object, which is called «kind#1», «kind#2», ... in what is written down. */
void *new_object(const char *kind, size_t size);

/* What an object is called; «NULL», or «?» for an address that is no object (any more). */
const char *name(const void *object);

/* Ends an object; returns 0, or errno when the test wants this function to fail. */
int end_object(const char *function, void *object);

/* Reads the first bytes of memory that Java passed as hex digits; valid until the next call. */
const char *hex(const void *memory, size_t size);

/* Makes the functions that ibv_wr_... call write down what they see, wr_id and wr_flags included. */
void install_wr(struct ibv_qp_ex *qp);

/* What ibv_modify_qp does with queue pairs of type IBV_QPT_DRIVER beside writing down the state. */
extern void (*modify_driver_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr);

/* A topic: adds its functions to each context that is opened. */
typedef void (*topic)(struct verbs_context *verbs);
void add_topic(topic install);
#define TOPIC(id)                                                                                  \
	static void id##_topic(struct verbs_context *verbs);                                       \
	__attribute__((constructor)) static void id##_register(void)                               \
	{                                                                                          \
		add_topic(id##_topic);                                                             \
	}                                                                                          \
	static void id##_topic(struct verbs_context *verbs)

#endif
