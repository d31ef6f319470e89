/* Work queues, indirection tables, flows with all specifications, ESP actions, counters. */
#include "standin.h"

/* Work queues. */

static int post_wq_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	for (; wr; wr = wr->next) {
		if (failing("post_wq_recv")) {
			*bad_wr = wr;
			return errno;
		}
		saw("post_wq_recv(%s, wr_id=%#llx, num_sge=%d, length=%u)", name(wq),
		    (unsigned long long)wr->wr_id, wr->num_sge,
		    wr->num_sge ? wr->sg_list[0].length : 0);
	}
	return 0;
}

static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr)
{
	struct ibv_wq *wq;

	saw("create_wq(wq_context=%s, wq_type=%d, max_wr=%u, max_sge=%u, pd=%s, cq=%s, "
	    "comp_mask=%#x, create_flags=%#x)",
	    name(attr->wq_context), (int)attr->wq_type, attr->max_wr, attr->max_sge,
	    name(attr->pd), name(attr->cq), attr->comp_mask, attr->create_flags);
	if (failing("create_wq"))
		return NULL;
	attr->max_wr = (uint32_t)answer("granted_wr", attr->max_wr);
	attr->max_sge = (uint32_t)answer("granted_sge", attr->max_sge);
	wq = new_object("wq", sizeof(*wq));
	wq->context = context;
	wq->pd = attr->pd;
	wq->cq = attr->cq;
	wq->wq_num = (uint32_t)answer("wq_num", 0);
	wq->post_recv = post_wq_recv;
	return wq;
}

static int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr)
{
	saw("modify_wq(%s, attr_mask=%#x, wq_state=%d, curr_wq_state=%d, flags=%#x, "
	    "flags_mask=%#x)",
	    name(wq), attr->attr_mask, (int)attr->wq_state, (int)attr->curr_wq_state, attr->flags,
	    attr->flags_mask);
	if (failing("modify_wq"))
		return errno;
	if (attr->attr_mask & IBV_WQ_ATTR_STATE)
		wq->state = attr->wq_state;
	return 0;
}

static int destroy_wq(struct ibv_wq *wq)
{
	return end_object("destroy_wq", wq);
}

/* Queue pairs over an indirection table; other extended ones are another topic. */

static struct ibv_qp *(*create_other_qp)(struct ibv_context *, struct ibv_qp_init_attr_ex *);

static struct ibv_qp *create_rss_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_rx_hash_conf *hash = &attr->rx_hash_conf;
	struct ibv_qp *qp;

	if (!(attr->comp_mask & IBV_QP_INIT_ATTR_IND_TABLE))
		return create_other_qp(context, attr);
	saw("create_rss_qp(send_cq=%s, recv_cq=%s, srq=%s, cap=%u/%u/%u/%u/%u, qp_type=%d, "
	    "comp_mask=%#x, pd=%s, rwq_ind_tbl=%s, rx_hash_function=%d, rx_hash_key=%s, "
	    "rx_hash_fields_mask=%#llx)",
	    name(attr->send_cq), name(attr->recv_cq), name(attr->srq), attr->cap.max_send_wr,
	    attr->cap.max_recv_wr, attr->cap.max_send_sge, attr->cap.max_recv_sge,
	    attr->cap.max_inline_data, (int)attr->qp_type, attr->comp_mask, name(attr->pd),
	    name(attr->rwq_ind_tbl), hash->rx_hash_function,
	    hex(hash->rx_hash_key, hash->rx_hash_key_len),
	    (unsigned long long)hash->rx_hash_fields_mask);
	if (failing("create_rss_qp"))
		return NULL;
	qp = new_object("qp", sizeof(struct ibv_qp_ex));
	qp->context = context;
	qp->qp_num = (uint32_t)answer("qp_num", 0x123456);
	return qp;
}

static struct ibv_rwq_ind_table *create_rwq_ind_table(struct ibv_context *context,
						      struct ibv_rwq_ind_table_init_attr *attr)
{
	struct verbs_context *verbs = verbs_get_ctx(context);
	struct ibv_rwq_ind_table *table;
	unsigned int i;

	saw("create_rwq_ind_table(log_ind_tbl_size=%u, comp_mask=%#x)", attr->log_ind_tbl_size,
	    attr->comp_mask);
	for (i = 0; i < 1u << attr->log_ind_tbl_size; i++)
		saw("entry(%s)", name(attr->ind_tbl[i]));
	if (failing("create_rwq_ind_table"))
		return NULL;
	if (verbs->create_qp_ex != create_rss_qp) {
		create_other_qp = verbs->create_qp_ex;
		verbs->create_qp_ex = create_rss_qp;
	}
	table = new_object("table", sizeof(*table));
	table->context = context;
	table->ind_tbl_num = (int)answer("ind_tbl_num", 0);
	return table;
}

static int destroy_rwq_ind_table(struct ibv_rwq_ind_table *table)
{
	return end_object("destroy_rwq_ind_table", table);
}

/* Flows. */

#define SAW_FILTER(what)                                                                           \
	do {                                                                                       \
		const struct ibv_flow_spec_##what *s = (const void *)copy;                         \
		char value[2 * sizeof(s->val) + 1];                                                \
		strcpy(value, hex(&s->val, sizeof(s->val)));                                       \
		saw(#what "(type=%#x, size=%u of %zu, val=%s, mask=%s)", (unsigned int)s->type,    \
		    s->size, sizeof(*s), value, hex(&s->mask, sizeof(s->mask)));                   \
	} while (0)

static void saw_spec(const void *copy)
{
	const struct ibv_flow_spec *spec = copy;

	switch ((int)spec->hdr.type & ~IBV_FLOW_SPEC_INNER) {
	case IBV_FLOW_SPEC_ETH:
		SAW_FILTER(eth);
		break;
	case IBV_FLOW_SPEC_IPV4:
		SAW_FILTER(ipv4);
		break;
	case IBV_FLOW_SPEC_IPV4_EXT:
		SAW_FILTER(ipv4_ext);
		break;
	case IBV_FLOW_SPEC_IPV6:
		SAW_FILTER(ipv6);
		break;
	case IBV_FLOW_SPEC_ESP:
		SAW_FILTER(esp);
		break;
	case IBV_FLOW_SPEC_TCP:
	case IBV_FLOW_SPEC_UDP:
		SAW_FILTER(tcp_udp);
		break;
	case IBV_FLOW_SPEC_VXLAN_TUNNEL:
		SAW_FILTER(tunnel);
		break;
	case IBV_FLOW_SPEC_GRE:
		SAW_FILTER(gre);
		break;
	case IBV_FLOW_SPEC_MPLS:
		SAW_FILTER(mpls);
		break;
	case IBV_FLOW_SPEC_ACTION_TAG:
		saw("tag(size=%u of %zu, tag_id=%#x)", spec->flow_tag.size, sizeof(spec->flow_tag),
		    spec->flow_tag.tag_id);
		break;
	case IBV_FLOW_SPEC_ACTION_DROP:
		saw("drop(size=%u of %zu)", spec->drop.size, sizeof(spec->drop));
		break;
	case IBV_FLOW_SPEC_ACTION_HANDLE:
		saw("handle(size=%u of %zu, action=%s)", spec->handle.size, sizeof(spec->handle),
		    name(spec->handle.action));
		break;
	case IBV_FLOW_SPEC_ACTION_COUNT:
		saw("count(size=%u of %zu, counters=%s)", spec->flow_count.size,
		    sizeof(spec->flow_count), name(spec->flow_count.counters));
		break;
	default:
		saw("unknown(type=%#x)", (unsigned int)spec->hdr.type);
	}
}

static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr)
{
	const char *at = (const char *)(attr + 1);
	struct ibv_flow *flow;
	struct ibv_flow_spec copy;
	int i;

	saw("create_flow(%s, comp_mask=%#x, type=%d, size=%u, priority=%u, num_of_specs=%u, "
	    "port=%u, flags=%#x)",
	    name(qp), attr->comp_mask, (int)attr->type, attr->size, attr->priority,
	    attr->num_of_specs, attr->port, attr->flags);
	for (i = 0; i < attr->num_of_specs; i++) {
		uint16_t size;

		memcpy(&size, at + sizeof(int), sizeof(size));
		memset(&copy, 0, sizeof(copy));
		memcpy(&copy, at, size);
		saw_spec(&copy);
		at += size;
	}
	saw("end(behind=%td)", at - (const char *)attr - attr->size);
	if (failing("create_flow"))
		return NULL;
	flow = new_object("flow", sizeof(*flow));
	flow->context = qp->context;
	return flow;
}

static int destroy_flow(struct ibv_flow *flow)
{
	return end_object("destroy_flow", flow);
}

/* ESP actions. */

static void saw_esp(const char *function, const void *object, struct ibv_flow_action_esp_attr *attr)
{
	struct ib_uverbs_flow_action_esp *esp = (void *)attr->esp_attr;
	struct ib_uverbs_flow_action_esp_encap *encap = (void *)attr->esp_encap;

	saw("%s(%s, comp_mask=%#x, esn=%#x)", function, name(object), attr->comp_mask, attr->esn);
	if (esp)
		saw("esp(spi=%#x, seq=%#x, tfc_pad=%u, flags=%#x, hard_limit_pkts=%llu)", esp->spi,
		    esp->seq, esp->tfc_pad, esp->flags, (unsigned long long)esp->hard_limit_pkts);
	if (attr->keymat_ptr) {
		struct ib_uverbs_flow_action_esp_keymat_aes_gcm *k = attr->keymat_ptr;

		saw("keymat(proto=%d, len=%u of %zu, iv=%#llx, iv_algo=%u, salt=%#x, icv_len=%u, "
		    "key_len=%u, aes_key=%s)",
		    (int)attr->keymat_proto, attr->keymat_len, sizeof(*k),
		    (unsigned long long)k->iv, k->iv_algo, k->salt, k->icv_len, k->key_len,
		    hex(k->aes_key, sizeof(k->aes_key)));
	}
	if (attr->replay_ptr) {
		struct ib_uverbs_flow_action_esp_replay_bmp *r = attr->replay_ptr;

		saw("replay(proto=%d, len=%u of %zu, size=%u)", (int)attr->replay_proto,
		    attr->replay_len, sizeof(*r), r->size);
	}
	for (; encap; encap = encap->next_ptr)
		saw("encap(type=%#x, len=%u, val=%s)", encap->type, encap->len,
		    hex(encap->val_ptr, encap->len));
}

static struct ibv_flow_action *create_flow_action_esp(struct ibv_context *context,
						      struct ibv_flow_action_esp_attr *attr)
{
	struct ibv_flow_action *action;

	saw_esp("create_flow_action_esp", NULL, attr);
	if (failing("create_flow_action_esp"))
		return NULL;
	action = new_object("action", sizeof(*action));
	action->context = context;
	return action;
}

static int modify_flow_action_esp(struct ibv_flow_action *action,
				  struct ibv_flow_action_esp_attr *attr)
{
	saw_esp("modify_flow_action_esp", action, attr);
	return failing("modify_flow_action_esp");
}

static int destroy_flow_action(struct ibv_flow_action *action)
{
	return end_object("destroy_flow_action", action);
}

/* Counters. */

static struct ibv_counters *create_counters(struct ibv_context *context,
					    struct ibv_counters_init_attr *attr)
{
	struct ibv_counters *counters;

	saw("create_counters(comp_mask=%#x)", attr->comp_mask);
	if (failing("create_counters"))
		return NULL;
	counters = new_object("counters", sizeof(*counters));
	counters->context = context;
	return counters;
}

static int destroy_counters(struct ibv_counters *counters)
{
	return end_object("destroy_counters", counters);
}

static int attach_counters_point_flow(struct ibv_counters *counters,
				      struct ibv_counter_attach_attr *attr, struct ibv_flow *flow)
{
	saw("attach_counters_point_flow(%s, counter_desc=%d, index=%u, comp_mask=%#x, flow=%s)",
	    name(counters), (int)attr->counter_desc, attr->index, attr->comp_mask, name(flow));
	return failing("attach_counters_point_flow");
}

static int read_counters(struct ibv_counters *counters, uint64_t *values, uint32_t count,
			 uint32_t flags)
{
	uint32_t i;

	saw("read_counters(%s, ncounters=%u, flags=%#x)", name(counters), count, flags);
	for (i = 0; i < count; i++)
		values[i] = answer("counter", 0) + i;
	return failing("read_counters");
}

TOPIC(steering)
{
	verbs->create_wq = create_wq;
	verbs->modify_wq = modify_wq;
	verbs->destroy_wq = destroy_wq;
	verbs->create_rwq_ind_table = create_rwq_ind_table;
	verbs->destroy_rwq_ind_table = destroy_rwq_ind_table;
	verbs->ibv_create_flow = create_flow;
	verbs->ibv_destroy_flow = destroy_flow;
	verbs->create_flow_action_esp = create_flow_action_esp;
	verbs->modify_flow_action_esp = modify_flow_action_esp;
	verbs->destroy_flow_action = destroy_flow_action;
	verbs->create_counters = create_counters;
	verbs->destroy_counters = destroy_counters;
	verbs->attach_counters_point_flow = attach_counters_point_flow;
	verbs->read_counters = read_counters;
}
