/*
 * The C side of the overhead benchmarks: the loops in C, which are the baseline, and one native
 * method per verb, which is how JNI libraries reach the provider.
 *
 * The loops are the same as those of the Java classes beside which they run; "count" rounds a call,
 * so that the call itself does not count.
 */
#include <infiniband/verbs.h>
#include <jni.h>
#include <stdlib.h>

#define METHOD(type, class, name) JNIEXPORT type JNICALL Java_io_github_verbs4j_bench_overhead_##class##_##name

struct plain {
	struct ibv_qp *qp;
	struct ibv_cq *cq;
	int batch;
	struct ibv_send_wr *send;
	struct ibv_recv_wr *recv;
	struct ibv_wc *wc;
	struct ibv_sge sge;
};

METHOD(jlong, CLoops, create)(JNIEnv *env, jclass class, jlong qp, jlong cq, jint batch)
{
	struct plain *p = calloc(1, sizeof *p);

	(void)env, (void)class;
	p->qp = (struct ibv_qp *)qp;
	p->cq = (struct ibv_cq *)cq;
	p->batch = batch;
	p->send = calloc(batch, sizeof *p->send);
	p->recv = calloc(batch, sizeof *p->recv);
	p->wc = calloc(batch, sizeof *p->wc);
	for (int i = 0; i < batch; i++) {
		p->send[i].next = i + 1 < batch ? &p->send[i + 1] : NULL;
		p->send[i].sg_list = &p->sge;
		p->send[i].num_sge = 1;
		p->send[i].opcode = IBV_WR_RDMA_WRITE;
		p->send[i].send_flags = IBV_SEND_SIGNALED;
		p->recv[i].next = i + 1 < batch ? &p->recv[i + 1] : NULL;
		p->recv[i].sg_list = &p->sge;
		p->recv[i].num_sge = 1;
	}
	return (jlong)p;
}

METHOD(jint, CLoops, postSend)(JNIEnv *env, jclass class, jlong plain, jint count)
{
	struct plain *p = (struct plain *)plain;
	struct ibv_send_wr *bad;
	int failed = 0;

	(void)env, (void)class;
	for (int i = 0; i < count; i++)
		failed |= ibv_post_send(p->qp, p->send, &bad);
	return failed;
}

METHOD(jint, CLoops, postRecv)(JNIEnv *env, jclass class, jlong plain, jint count)
{
	struct plain *p = (struct plain *)plain;
	struct ibv_recv_wr *bad;
	int failed = 0;

	(void)env, (void)class;
	for (int i = 0; i < count; i++)
		failed |= ibv_post_recv(p->qp, p->recv, &bad);
	return failed;
}

METHOD(jlong, CLoops, poll)(JNIEnv *env, jclass class, jlong plain, jint count)
{
	struct plain *p = (struct plain *)plain;
	jlong sum = 0;

	(void)env, (void)class;
	for (int i = 0; i < count; i++) {
		int n = ibv_poll_cq(p->cq, p->batch, p->wc);

		for (int k = 0; k < n; k++)
			sum += p->wc[k].status == IBV_WC_SUCCESS ? p->wc[k].wr_id : 1000000;
	}
	return sum;
}

METHOD(jlong, CLoops, postPoll)(JNIEnv *env, jclass class, jlong plain, jint count)
{
	struct plain *p = (struct plain *)plain;
	struct ibv_send_wr *bad;
	jlong sum = 0;

	(void)env, (void)class;
	for (int i = 0; i < count; i++) {
		int n;

		for (int k = 0; k < p->batch; k++)
			p->send[k].wr_id = i + k;
		if (ibv_post_send(p->qp, p->send, &bad))
			return -1;
		n = ibv_poll_cq(p->cq, p->batch, p->wc);
		for (int k = 0; k < n; k++)
			sum += p->wc[k].status == IBV_WC_SUCCESS ? p->wc[k].wr_id : 1000000;
	}
	return sum;
}

METHOD(jlong, ExtendedCLoops, postPoll)(JNIEnv *env, jclass class, jlong qp_ex, jlong cq_ex, jlong address,
					jint batch, jint count)
{
	struct ibv_qp_ex *qp = (struct ibv_qp_ex *)qp_ex;
	struct ibv_cq_ex *cq = (struct ibv_cq_ex *)cq_ex;
	struct ibv_poll_cq_attr none = { 0 };
	jlong sum = 0;

	(void)env, (void)class;
	for (int i = 0; i < count; i++) {
		int n = 0;

		ibv_wr_start(qp);
		for (int k = 0; k < batch; k++) {
			qp->wr_id = i + k;
			qp->wr_flags = IBV_SEND_SIGNALED;
			ibv_wr_rdma_write(qp, 1, address);
			ibv_wr_set_sge(qp, 1, address, 8);
		}
		if (ibv_wr_complete(qp))
			return -1;
		if (ibv_start_poll(cq, &none))
			continue;
		do {
			sum += cq->status == IBV_WC_SUCCESS ? cq->wr_id : 1000000;
			n++;
		} while (n < batch && !ibv_next_poll(cq));
		ibv_end_poll(cq);
	}
	return sum;
}

METHOD(jint, JniVerbs, postSend)(JNIEnv *env, jclass class, jlong qp, jlong wr, jlong bad)
{
	(void)env, (void)class;
	return ibv_post_send((struct ibv_qp *)qp, (struct ibv_send_wr *)wr, (struct ibv_send_wr **)bad);
}

METHOD(jint, JniVerbs, postRecv)(JNIEnv *env, jclass class, jlong qp, jlong wr, jlong bad)
{
	(void)env, (void)class;
	return ibv_post_recv((struct ibv_qp *)qp, (struct ibv_recv_wr *)wr, (struct ibv_recv_wr **)bad);
}

METHOD(jint, JniVerbs, pollCq)(JNIEnv *env, jclass class, jlong cq, jint n, jlong wc)
{
	(void)env, (void)class;
	return ibv_poll_cq((struct ibv_cq *)cq, n, (struct ibv_wc *)wc);
}

METHOD(jlong, JniVerbs, address)(JNIEnv *env, jclass class, jobject buffer)
{
	(void)class;
	return (jlong)(*env)->GetDirectBufferAddress(env, buffer);
}
