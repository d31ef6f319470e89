/*
 * The C twin of Connections.java: connects to itself over librdmacm and disconnects, again and
 * again, with the objects that RdmaConnection and RdmaListener create.
 *
 *   cm_twin KEY=VALUE…     address=, warmups=, iterations=, millis=; prints what TwinOutput.java reads
 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "lap_timer.h"
#include "options.h"

enum { DEPTH = 16, TIMEOUT_MS = 5000 };

struct connection {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_cq *sends, *receives;
};

static void check(int failed, const char *what)
{
	if (failed) {
		perror(what);
		exit(1);
	}
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct rdma_cm_id *expect(struct rdma_event_channel *channel, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;

	check(rdma_get_cm_event(channel, &event), "rdma_get_cm_event");
	if (event->event != type) {
		fprintf(stderr, "cm_twin: %s instead of %s\n", rdma_event_str(event->event), rdma_event_str(type));
		exit(1);
	}
	id = event->id;
	rdma_ack_cm_event(event);
	return id;
}

static void create_queues(struct connection *c)
{
	struct ibv_qp_init_attr attr = { .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1 } };

	attr.send_cq = c->sends = ibv_create_cq(c->id->verbs, DEPTH, NULL, NULL, 0);
	attr.recv_cq = c->receives = ibv_create_cq(c->id->verbs, DEPTH, NULL, NULL, 0);
	check(!c->sends || !c->receives, "ibv_create_cq");
	check(rdma_create_qp(c->id, NULL, &attr), "rdma_create_qp");
}

static void destroy(struct connection *c)
{
	rdma_destroy_qp(c->id);
	ibv_destroy_cq(c->receives);
	ibv_destroy_cq(c->sends);
	rdma_destroy_id(c->id);
	rdma_destroy_event_channel(c->channel);
}

/* Takes one connection after the other; its client says when each ends. */
static void *serve(void *listener)
{
	struct rdma_conn_param param = { .responder_resources = 0xff, .initiator_depth = 0xff, .rnr_retry_count = 7 };

	for (;;) {
		struct connection c = { .channel = rdma_create_event_channel() };

		check(!c.channel, "rdma_create_event_channel");
		c.id = expect(listener, RDMA_CM_EVENT_CONNECT_REQUEST);
		check(rdma_migrate_id(c.id, c.channel), "rdma_migrate_id");
		create_queues(&c);
		check(rdma_accept(c.id, &param), "rdma_accept");
		expect(c.channel, RDMA_CM_EVENT_ESTABLISHED);
		expect(c.channel, RDMA_CM_EVENT_DISCONNECTED);
		rdma_disconnect(c.id);
		destroy(&c);
	}
	return NULL;
}

static void connect_once(struct sockaddr *server)
{
	struct rdma_conn_param param = { .responder_resources = 0xff, .initiator_depth = 0xff, .retry_count = 6,
					 .rnr_retry_count = 7 };
	struct connection c = { .channel = rdma_create_event_channel() };

	check(!c.channel || rdma_create_id(c.channel, &c.id, NULL, RDMA_PS_TCP), "rdma_create_id");
	check(rdma_resolve_addr(c.id, NULL, server, TIMEOUT_MS), "rdma_resolve_addr");
	expect(c.channel, RDMA_CM_EVENT_ADDR_RESOLVED);
	check(rdma_resolve_route(c.id, TIMEOUT_MS), "rdma_resolve_route");
	expect(c.channel, RDMA_CM_EVENT_ROUTE_RESOLVED);
	create_queues(&c);
	check(rdma_connect(c.id, &param), "rdma_connect");
	expect(c.channel, RDMA_CM_EVENT_ESTABLISHED);
	rdma_disconnect(c.id);
	destroy(&c);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int warmups = 1, iterations = 5, millis = 1000;
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener;
	pthread_t server;

	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (value)
			*value++ = 0;
		if (value && !strcmp(argv[i], "warmups")) warmups = number(argv[i], value, 0, INT_MAX);
		else if (value && !strcmp(argv[i], "iterations")) iterations = number(argv[i], value, 1, INT_MAX);
		else if (value && !strcmp(argv[i], "millis")) millis = number(argv[i], value, 1, INT_MAX);
		else if (!value || strcmp(argv[i], "address") || inet_pton(AF_INET, value, &address.sin_addr) != 1) {
			fprintf(stderr, "cm_twin: %s%s%s?\n", argv[i], value ? "=" : "", value ? value : "");
			return 1;
		}
	}
	channel = rdma_create_event_channel();
	check(!channel || rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP), "rdma_create_id");
	check(rdma_bind_addr(listener, (struct sockaddr *)&address), "rdma_bind_addr");
	check(rdma_listen(listener, DEPTH), "rdma_listen");
	address.sin_port = rdma_get_src_port(listener);
	check(errno = pthread_create(&server, NULL, serve, channel), "pthread_create");
	for (int i = -warmups; i < iterations; i++) {
		long long start, time, connections = 0;

		check(errno = begin_iteration(millis), "pthread_create");
		start = now();
		do {
			connect_once((struct sockaddr *)&address);
			connections++;
		} while (!atomic_load(&iteration_over));
		time = now() - start;
		if (i >= 0)
			printf("iteration %d %.3f\n", i, connections * 1e9 / time);
	}
	return 0;
}
