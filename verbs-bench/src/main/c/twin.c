/*
 * The C twin of the device benchmarks: the loop of Requester.java in C against libibverbs, on the
 * same device, with the same objects and options.
 *
 *   twin KEY=VALUE…     see parse() for the keys; prints what TwinOutput.java reads
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "lap_timer.h"
#include "options.h"

enum { SPARE_RECEIVES = 16, POLL = 16, RD_ATOMIC = 16, STUCK_SECONDS = 20 };

/* Greeting.java has the same; a port and a GID's index are bytes in the structures of libibverbs. */
enum { MAX_DEPTH = 1 << 14, MAX_SIZE = 1 << 30, MAX_BYTE = 255, MAX_SGES = 1024, MAX_THREADS = 1024 };

static const struct {
	const char *name;
	enum ibv_wr_opcode opcode;
	int send_op;
	int takes_receive;
} operations[] = {
	{ "SEND", IBV_WR_SEND, IBV_QP_EX_WITH_SEND, 1 },
	{ "WRITE", IBV_WR_RDMA_WRITE, IBV_QP_EX_WITH_RDMA_WRITE, 0 },
	{ "WRITE_WITH_IMM", IBV_WR_RDMA_WRITE_WITH_IMM, IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, 1 },
	{ "READ", IBV_WR_RDMA_READ, IBV_QP_EX_WITH_RDMA_READ, 0 },
	{ "FETCH_AND_ADD", IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, 0 },
	{ "COMPARE_AND_SWAP", IBV_WR_ATOMIC_CMP_AND_SWP, IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, 0 },
};

static struct {
	const char *mode, *device, *peer;
	int op, port, gid, depth, batch, signal_every, sges, is_inline, extended, events, huge, count, threads;
	int warmups, iterations, millis;
	int yields;
	long size;
} opt = { .mode = "latency", .op = 1, .port = 1, .gid = -1, .depth = 1, .batch = 1, .signal_every = 1, .sges = 1,
	  .count = 1, .threads = 1, .warmups = 3, .iterations = 5, .millis = 300, .size = 8 };

static void die(const char *format, ...)
{
	va_list args;
	int error = errno;

	va_start(args, format);
	fputs("twin: ", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, error ? ": %s\n" : "\n", strerror(error));
	exit(1);
}

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int operation(const char *name)
{
	for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcmp(operations[i].name, name))
			return i;
	die("no operation %s", name);
	return 0;
}

static int flag(const char *key, const char *value)
{
	if (strcmp(value, "true") && strcmp(value, "false"))
		die("%s is true or false, not \"%s\"", key, value);
	return !strcmp(value, "true");
}

static void choose_way(const char *value)
{
	opt.extended = !strcmp(value, "EXTENDED");
	opt.events = !strcmp(value, "EVENTS");
	if (!opt.extended && !opt.events && strcmp(value, "CLASSIC"))
		die("no way %s", value);
}

static const char *mode(const char *value)
{
	static const char *const modes[] = { "latency", "throughput", "first", "open", "register", "connect" };

	for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(modes[i], value))
			return value;
	die("no mode %s", value);
	return NULL;
}

static const char *peer(const char *value)
{
	const char *colon = strrchr(value, ':');

	if (!colon || colon == value)
		die("peer takes HOST:PORT, not %s", value);
	number("the port of peer", colon + 1, 1, 65535);
	return value;
}

static void parse(char *arg)
{
	char *value = strchr(arg, '=');

	if (!value)
		die("expected KEY=VALUE, not %s", arg);
	*value++ = 0;
	if (!strcmp(arg, "mode")) opt.mode = mode(value);
	else if (!strcmp(arg, "device")) opt.device = value;
	else if (!strcmp(arg, "peer")) opt.peer = peer(value);
	else if (!strcmp(arg, "operation")) opt.op = operation(value);
	else if (!strcmp(arg, "port")) opt.port = number(arg, value, 1, MAX_BYTE);
	else if (!strcmp(arg, "gid")) opt.gid = number(arg, value, -1, MAX_BYTE);
	else if (!strcmp(arg, "size")) opt.size = number(arg, value, 1, MAX_SIZE);
	else if (!strcmp(arg, "depth")) opt.depth = number(arg, value, 1, MAX_DEPTH);
	else if (!strcmp(arg, "batch")) opt.batch = number(arg, value, 1, MAX_DEPTH);
	else if (!strcmp(arg, "signalEvery")) opt.signal_every = number(arg, value, 1, MAX_DEPTH);
	else if (!strcmp(arg, "sges")) opt.sges = number(arg, value, 1, MAX_SGES);
	else if (!strcmp(arg, "inline")) opt.is_inline = flag(arg, value);
	else if (!strcmp(arg, "way")) choose_way(value);
	else if (!strcmp(arg, "huge")) opt.huge = flag(arg, value);
	else if (!strcmp(arg, "count")) opt.count = number(arg, value, 1, INT_MAX);
	else if (!strcmp(arg, "threads")) opt.threads = number(arg, value, 1, MAX_THREADS);
	else if (!strcmp(arg, "warmups")) opt.warmups = number(arg, value, 0, INT_MAX);
	else if (!strcmp(arg, "iterations")) opt.iterations = number(arg, value, 1, INT_MAX);
	else if (!strcmp(arg, "millis")) opt.millis = number(arg, value, 1, INT_MAX);
	else if (!strcmp(arg, "yields")) opt.yields = flag(arg, value);
	else die("no option %s", arg);
}

/* As Workload.java does. */
static void check_options(void)
{
	int atomic = operations[opt.op].opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
		     operations[opt.op].opcode == IBV_WR_ATOMIC_CMP_AND_SWP;

	if (opt.depth % opt.batch || opt.depth % opt.signal_every)
		die("batch and signalEvery must divide the depth");
	if (atomic && (opt.size != 8 || opt.sges != 1))
		die("%s works on 8 bytes, one element", operations[opt.op].name);
	if (opt.size < opt.sges)
		die("%ld bytes do not fill %d elements", opt.size, opt.sges);
	if (opt.is_inline && (atomic || operations[opt.op].opcode == IBV_WR_RDMA_READ))
		die("%s takes no inline data", operations[opt.op].name);
}

struct endpoint {
	struct ibv_context *context;
	struct ibv_port_attr port;
	struct ibv_device_attr limits;
	struct ibv_gid_entry gid;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_cq_ex *send_cq_ex;
	struct ibv_comp_channel *channel;
	struct ibv_qp *qp;
	struct ibv_qp_ex *qpx;
	struct ibv_recv_wr recv;
	struct ibv_sge recv_sge;
	uint32_t psn;
};

/* What the other end must know; its text form is QpAddress.toText(). */
struct address {
	unsigned lid, qpn, psn, mtu, rkey;
	unsigned long long addr;
	union ibv_gid gid;
};

static struct ibv_context *open_device(void)
{
	int n = 0;
	struct ibv_device **list = ibv_get_device_list(&n);
	struct ibv_context *context = NULL;

	for (int i = 0; i < n && !context; i++)
		if (!opt.device || !strcmp(opt.device, ibv_get_device_name(list[i])))
			context = ibv_open_device(list[i]);
	if (!context)
		die("no device %s", opt.device ? opt.device : "at all");
	ibv_free_device_list(list);
	return context;
}

/* RoCE v2 on an IPv4 address, else RoCE v2, else the first: as Context.defaultGid(). */
static void choose_gid(struct endpoint *e)
{
	struct ibv_gid_entry table[256];
	ssize_t n = ibv_query_gid_table(e->context, table, 256, 0);
	int best = -1, best_rank = 9;

	for (int i = 0; i < n; i++) {
		static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
		int rank = 3;

		if (table[i].port_num != (uint32_t)opt.port || (opt.gid >= 0 && table[i].gid_index != (uint32_t)opt.gid))
			continue;
		if (table[i].gid_type == IBV_GID_TYPE_ROCE_V2)
			rank = !memcmp(table[i].gid.raw, mapped, 12) ? 0
			       : table[i].gid.raw[0] == 0xfe && (table[i].gid.raw[1] & 0xc0) == 0x80 ? 2 : 1;
		if (rank < best_rank)
			best_rank = rank, best = i;
	}
	if (best < 0)
		die("no such GID");
	e->gid = table[best];
}

static void create_queues(struct endpoint *e)
{
	int receives = opt.depth + SPARE_RECEIVES;
	struct ibv_qp_cap cap = { .max_send_wr = opt.depth, .max_send_sge = opt.sges, .max_recv_wr = receives,
				  .max_recv_sge = 1, .max_inline_data = opt.is_inline ? opt.size : 0 };

	e->recv_cq = ibv_create_cq(e->context, receives, NULL, NULL, 0);
	if (opt.extended) {
		struct ibv_cq_init_attr_ex cq = { .cqe = opt.depth };
		struct ibv_qp_init_attr_ex qp = { .recv_cq = e->recv_cq, .cap = cap, .qp_type = IBV_QPT_RC,
			.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = e->pd,
			.send_ops_flags = operations[opt.op].send_op };

		e->send_cq_ex = ibv_create_cq_ex(e->context, &cq);
		if (!e->send_cq_ex)
			die("ibv_create_cq_ex");
		e->send_cq = qp.send_cq = ibv_cq_ex_to_cq(e->send_cq_ex);
		e->qp = ibv_create_qp_ex(e->context, &qp);
		e->qpx = e->qp ? ibv_qp_to_qp_ex(e->qp) : NULL;
	} else {
		struct ibv_qp_init_attr qp = { .recv_cq = e->recv_cq, .cap = cap, .qp_type = IBV_QPT_RC };

		if (opt.events)
			e->channel = ibv_create_comp_channel(e->context);
		e->send_cq = qp.send_cq = ibv_create_cq(e->context, opt.depth, NULL, e->channel, 0);
		e->qp = ibv_create_qp(e->pd, &qp);
	}
	if (!e->qp || !e->recv_cq)
		die("cannot create the queues");
}

static void create(struct endpoint *e)
{
	size_t length = opt.size < 8 ? 8 : opt.size;
	void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(e, 0, sizeof *e);
	e->context = open_device();
	if (ibv_query_device(e->context, &e->limits) || ibv_query_port(e->context, opt.port, &e->port))
		die("cannot query the device");
	choose_gid(e);
	e->pd = ibv_alloc_pd(e->context);
	e->mr = ibv_reg_mr(e->pd, memory, length, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
	if (!e->mr)
		die("ibv_reg_mr");
	create_queues(e);
	e->psn = (getpid() ^ now()) & 0xffffff;
	e->recv_sge = (struct ibv_sge){ (uintptr_t)e->mr->addr, length, e->mr->lkey };
	e->recv = (struct ibv_recv_wr){ .sg_list = &e->recv_sge, .num_sge = 1 };
}

static struct address address_of(struct endpoint *e)
{
	return (struct address){ e->port.lid, e->qp->qp_num, e->psn, e->port.active_mtu, e->mr->rkey,
				 (uintptr_t)e->mr->addr, e->gid.gid };
}

static int at_most(int wanted, int limit) { return wanted < limit ? wanted : limit; }

static void connect_to(struct endpoint *e, struct address *peer)
{
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = opt.port,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC };
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = at_most(e->port.active_mtu, peer->mtu),
		.dest_qp_num = peer->qpn, .rq_psn = peer->psn, .min_rnr_timer = 12,
		.max_dest_rd_atomic = at_most(RD_ATOMIC, e->limits.max_qp_rd_atom),
		.ah_attr = { .is_global = 1, .port_num = opt.port, .dlid = peer->lid,
			     .grh = { .dgid = peer->gid, .sgid_index = e->gid.gid_index, .hop_limit = 64 } } };
	struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
		.sq_psn = e->psn, .max_rd_atomic = at_most(RD_ATOMIC, e->limits.max_qp_init_rd_atom) };

	if (ibv_modify_qp(e->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) ||
	    ibv_modify_qp(e->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) ||
	    ibv_modify_qp(e->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		die("ibv_modify_qp");
}

static void post_receive(struct endpoint *e)
{
	struct ibv_recv_wr *bad;

	if (ibv_post_recv(e->qp, &e->recv, &bad))
		die("ibv_post_recv");
}

static void refill(struct endpoint *e)
{
	struct ibv_wc wc[POLL];
	int n = ibv_poll_cq(e->recv_cq, POLL, wc);

	for (int i = 0; i < n; i++) {
		if (wc[i].status)
			die("receive failed, %s", ibv_wc_status_str(wc[i].status));
		post_receive(e);
	}
}

/* One thread's connection. */
struct requester {
	struct endpoint local, remote;
	struct address peer;
	struct ibv_send_wr *wrs;
	struct ibv_sge *sges;
	int refills, full;
	long long *samples;
	int sampled, room;
	double rate;
	pthread_t thread;
	int leads;
};

static void meet_peer(struct requester *r)
{
	char host[256], line[512], gid[33], type[16];
	struct address mine = address_of(&r->local);
	const char *colon = strrchr(opt.peer, ':');
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
	FILE *in;
	int n, fd;

	snprintf(host, sizeof host, "%.*s", (int)(colon - opt.peer), opt.peer);
	if (getaddrinfo(host, colon + 1, &hints, &found))
		errno = 0, die("no host %s", host);
	fd = socket(found->ai_family, SOCK_STREAM, 0);
	if (connect(fd, found->ai_addr, found->ai_addrlen))
		die("no server at %s", opt.peer);
	for (int i = 0; i < 16; i++)
		sprintf(gid + 2 * i, "%02x", mine.gid.raw[i]);
	n = snprintf(line, sizeof line, "verbs4j-bench/1 %s %ld %d v1:%04x:%06x:%06x:%s:%s:%d\n",
		     operations[opt.op].name, opt.size, opt.depth, mine.lid, mine.qpn, mine.psn, gid,
		     r->local.gid.gid_type == IBV_GID_TYPE_ROCE_V2 ? "roce_v2"
		     : r->local.gid.gid_type == IBV_GID_TYPE_ROCE_V1 ? "roce_v1" : "ib", 128 << mine.mtu);
	if (write(fd, line, n) != n)
		die("cannot write to %s", opt.peer);
	in = fdopen(fd, "r");
	if (!fgets(line, sizeof line, in) ||
	    sscanf(line, "v1:%x:%x:%x:%32[0-9a-f]:%15[^:]:%u v1:%llx:%*x:%x", &r->peer.lid, &r->peer.qpn, &r->peer.psn,
		   gid, type, &r->peer.mtu, &r->peer.addr, &r->peer.rkey) != 8)
		die("the server did not answer");
	for (int i = 0; i < 16; i++)
		sscanf(gid + 2 * i, "%2hhx", &r->peer.gid.raw[i]);
	r->peer.mtu = __builtin_ctz(r->peer.mtu) - 7;
	connect_to(&r->local, &r->peer);
}

static void meet(struct requester *r)
{
	struct address mine;

	create(&r->local);
	if (opt.peer) {
		meet_peer(r);
		return;
	}
	create(&r->remote);
	mine = address_of(&r->local);
	connect_to(&r->remote, &mine);
	if (operations[opt.op].takes_receive) {
		for (int i = 0; i < opt.depth + SPARE_RECEIVES; i++)
			post_receive(&r->remote);
		r->refills = 1;
	}
	r->peer = address_of(&r->remote);
	connect_to(&r->local, &r->peer);
}

static int flags(int index)
{
	return ((index + 1) % opt.signal_every == 0 ? IBV_SEND_SIGNALED : 0) | (opt.is_inline ? IBV_SEND_INLINE : 0);
}

static void build(struct requester *r)
{
	r->wrs = calloc(opt.depth, sizeof *r->wrs);
	r->sges = calloc(opt.sges, sizeof *r->sges);
	for (int i = 0; i < opt.sges; i++) {
		long share = opt.size / opt.sges;

		r->sges[i].addr = (uintptr_t)r->local.mr->addr + share * i;
		r->sges[i].length = i == opt.sges - 1 ? opt.size - share * (opt.sges - 1) : share;
		r->sges[i].lkey = r->local.mr->lkey;
	}
	for (int i = 0; i < opt.depth; i++) {
		struct ibv_send_wr *wr = &r->wrs[i];

		wr->wr_id = i;
		wr->next = (i + 1) % opt.batch ? wr + 1 : NULL;
		wr->sg_list = r->sges;
		wr->num_sge = opt.sges;
		wr->opcode = operations[opt.op].opcode;
		wr->send_flags = flags(i);
		if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
			wr->wr.atomic.remote_addr = r->peer.addr;
			wr->wr.atomic.rkey = r->peer.rkey;
			wr->wr.atomic.compare_add = wr->wr.atomic.swap = 1;
		} else if (wr->opcode != IBV_WR_SEND) {
			wr->wr.rdma.remote_addr = r->peer.addr;
			wr->wr.rdma.rkey = r->peer.rkey;
		}
	}
}

static void post_extended(struct requester *r, int slot)
{
	struct ibv_qp_ex *qp = r->local.qpx;

	ibv_wr_start(qp);
	for (int i = slot; i < slot + opt.batch; i++) {
		qp->wr_id = i;
		qp->wr_flags = flags(i) & ~IBV_SEND_INLINE;
		switch (operations[opt.op].opcode) {
		case IBV_WR_SEND: ibv_wr_send(qp); break;
		case IBV_WR_RDMA_WRITE: ibv_wr_rdma_write(qp, r->peer.rkey, r->peer.addr); break;
		case IBV_WR_RDMA_WRITE_WITH_IMM: ibv_wr_rdma_write_imm(qp, r->peer.rkey, r->peer.addr, 0); break;
		case IBV_WR_RDMA_READ: ibv_wr_rdma_read(qp, r->peer.rkey, r->peer.addr); break;
		case IBV_WR_ATOMIC_FETCH_AND_ADD: ibv_wr_atomic_fetch_add(qp, r->peer.rkey, r->peer.addr, 1); break;
		default: ibv_wr_atomic_cmp_swp(qp, r->peer.rkey, r->peer.addr, 1, 1); break;
		}
		if (opt.is_inline)
			ibv_wr_set_inline_data(qp, r->local.mr->addr, opt.size);
		else if (opt.sges == 1)
			ibv_wr_set_sge(qp, r->sges[0].lkey, r->sges[0].addr, r->sges[0].length);
		else
			ibv_wr_set_sge_list(qp, opt.sges, r->sges);
	}
	errno = ibv_wr_complete(qp);
	if (errno)
		die("ibv_wr_complete");
}

static void post(struct requester *r, int slot)
{
	struct ibv_send_wr *bad;

	if (opt.extended)
		post_extended(r, slot);
	else if (ibv_post_send(r->local.qp, &r->wrs[slot], &bad))
		die("ibv_post_send");
}

/*
 * Before rdma-core 56, ibv_next_poll that meets the end of a Soft-RoCE queue makes ibv_end_poll skip an entry: old
 * completions would count again. There, one completion per start and end, as CompletionQueueEx does it.
 */
static int is_rxe(struct endpoint *e) { return e->limits.vendor_id == 0xffffff; }

static int poll_extended(struct requester *r)
{
	struct ibv_cq_ex *cq = r->local.send_cq_ex;
	struct ibv_poll_cq_attr none = { 0 };
	int one_by_one = is_rxe(&r->local), n = 0;

	while (n < POLL && !ibv_start_poll(cq, &none)) {
		do {
			if (cq->status)
				die("request failed, %s", ibv_wc_status_str(cq->status));
			n++;
		} while (!one_by_one && n < POLL && !ibv_next_poll(cq));
		ibv_end_poll(cq);
		if (!one_by_one)
			break;
	}
	return n;
}

static int poll_classic(struct requester *r)
{
	struct ibv_wc wc[POLL];
	int n = ibv_poll_cq(r->local.send_cq, POLL, wc);

	for (int i = 0; i < n; i++)
		if (wc[i].status)
			die("request failed, %s", ibv_wc_status_str(wc[i].status));
	return n;
}

static void await_event(struct requester *r)
{
	struct pollfd ready = { .fd = r->local.channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;

	if (poll(&ready, 1, STUCK_SECONDS * 1000) != 1)
		die("no event for %d seconds", STUCK_SECONDS);
	if (ibv_get_cq_event(r->local.channel, &cq, &context))
		die("ibv_get_cq_event");
	ibv_ack_cq_events(cq, 1);
}

static void arm(struct requester *r)
{
	if (ibv_req_notify_cq(r->local.send_cq, 0))
		die("ibv_req_notify_cq");
}

static int poll_events(struct requester *r)
{
	int n;

	if (!r->full) {
		await_event(r);
		arm(r);
	}
	n = poll_classic(r);
	r->full = n == POLL;
	return n;
}

static int poll_completions(struct requester *r)
{
	return opt.extended ? poll_extended(r) : opt.events ? poll_events(r) : poll_classic(r);
}

static void run(struct requester *r, int count)
{
	int posted = 0, completed = 0, empty = 0;
	long long stuck = 0;

	while (completed < count) {
		int n;

		while (posted < count && posted - completed + opt.batch <= opt.depth) {
			post(r, posted % opt.depth);
			posted += opt.batch;
		}
		n = poll_completions(r);
		if (r->refills)
			refill(&r->remote);
		completed += n * opt.signal_every;
		empty = n > 0 ? 0 : empty + 1;
		if (empty && opt.yields)
			sched_yield();
		if (empty == 10000)
			stuck = now();
		else if (empty && empty % 10000 == 0 && now() - stuck > STUCK_SECONDS * 1000000000LL)
			errno = 0, die("no completion for %d seconds", STUCK_SECONDS);
	}
}

static int ascending(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return x < y ? -1 : x > y;
}

static void sample(struct requester *r, long long nanos)
{
	if (r->sampled == r->room) {
		r->room = r->room ? 2 * r->room : 1 << 16;
		r->samples = realloc(r->samples, r->room * sizeof *r->samples);
	}
	r->samples[r->sampled++] = nanos;
}

static void latency(struct requester *r)
{
	static const double percents[] = { 0, 50, 90, 95, 99, 99.9, 99.99, 100 };
	int all = 0;

	for (int i = -opt.warmups; i < opt.iterations; i++) {
		long long end = now() + opt.millis * 1000000LL, before = now();
		int first = r->sampled = i <= 0 ? 0 : all;

		while (before < end) {
			long long after;

			run(r, 1);
			after = now();
			sample(r, after - before);
			before = now();
		}
		if (i < 0)
			continue;
		qsort(r->samples + first, r->sampled - first, sizeof *r->samples, ascending);
		printf("iteration %d %lld\n", i, r->samples[first + (r->sampled - first) / 2]);
		all = r->sampled;
	}
	qsort(r->samples, all, sizeof *r->samples, ascending);
	for (unsigned i = 0; i < sizeof percents / sizeof *percents; i++) {
		int at = percents[i] / 100 * all;

		printf("percentile %g %lld\n", percents[i], r->samples[at < all ? at : all - 1]);
	}
}

static pthread_barrier_t barrier;
static atomic_int stopped;

static void *throughput(void *argument)
{
	struct requester *r = argument;

	for (int i = -opt.warmups; i < opt.iterations; i++) {
		long long start, done = 0;

		if (r->leads) {
			atomic_store(&stopped, 0);
			if ((errno = begin_iteration(opt.millis)))
				die("pthread_create");
		}
		pthread_barrier_wait(&barrier);
		start = now();
		do {
			run(r, opt.count);
			done += opt.count;
		} while (!atomic_load(&iteration_over));
		r->rate = done * 1e9 / (now() - start);
		/* As JMH does: who is counted longest must not have the device alone. */
		atomic_fetch_add(&stopped, 1);
		while (atomic_load(&stopped) < opt.threads)
			run(r, opt.count);
		pthread_barrier_wait(&barrier);
		if (r->leads && i >= 0) {
			double sum = 0;

			for (int t = 0; t < opt.threads; t++)
				sum += r[t].rate;
			printf("iteration %d %.3f\n", i, sum);
		}
	}
	return NULL;
}

/* As closing its context does in Java, newest first. */
static void close_endpoint(struct endpoint *e)
{
	ibv_destroy_qp(e->qp);
	ibv_destroy_cq(e->send_cq);
	ibv_destroy_cq(e->recv_cq);
	ibv_dereg_mr(e->mr);
	munmap((void *)e->recv_sge.addr, e->recv_sge.length);
	ibv_dealloc_pd(e->pd);
	ibv_close_device(e->context);
}

static void set_up(const char *what)
{
	for (int i = -opt.warmups; i < opt.iterations; i++) {
		struct requester r = { 0 };
		long long start = 0, end;

		if (!strcmp(what, "open")) {
			start = now();
			ibv_close_device(open_device());
			end = now();
		} else if (!strcmp(what, "register")) {
			struct ibv_context *context = open_device();
			struct ibv_pd *pd = ibv_alloc_pd(context);
			struct ibv_mr *mr;
			void *memory;

			start = now();
			memory = mmap(NULL, opt.size, PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS | (opt.huge ? MAP_HUGETLB : 0), -1, 0);
			mr = ibv_reg_mr(pd, memory, opt.size, IBV_ACCESS_LOCAL_WRITE);
			if (!mr)
				die("ibv_reg_mr");
			ibv_dereg_mr(mr);
			munmap(memory, opt.size);
			end = now();
			ibv_dealloc_pd(pd);
			ibv_close_device(context);
		} else {
			start = now();
			meet(&r);
			build(&r);
			end = now();
			close_endpoint(&r.local);
			if (r.remote.context)
				close_endpoint(&r.remote);
			free(r.wrs);
			free(r.sges);
		}
		if (i >= 0)
			printf("iteration %d %lld\n", i, end - start);
	}
}

int main(int argc, char **argv)
{
	struct requester *requesters;

	errno = 0; /* the loader may have left one, which die() would tell */
	for (int i = 1; i < argc; i++)
		parse(argv[i]);
	check_options();
	if (!strcmp(opt.mode, "open") || !strcmp(opt.mode, "register") || !strcmp(opt.mode, "connect")) {
		set_up(opt.mode);
		return 0;
	}
	requesters = calloc(opt.threads, sizeof *requesters);
	requesters[0].leads = 1;
	for (int t = 0; t < opt.threads; t++) {
		meet(&requesters[t]);
		build(&requesters[t]);
		if (opt.events)
			arm(&requesters[t]);
	}
	if (!strcmp(opt.mode, "latency")) {
		latency(requesters);
	} else if (!strcmp(opt.mode, "first")) {
		run(requesters, 1);
		puts("done");
		fflush(stdout);
	} else {
		pthread_barrier_init(&barrier, NULL, opt.threads);
		for (int t = 1; t < opt.threads; t++)
			pthread_create(&requesters[t].thread, NULL, throughput, &requesters[t]);
		throughput(requesters);
		for (int t = 1; t < opt.threads; t++)
			pthread_join(requesters[t].thread, NULL);
	}
	return 0;
}
