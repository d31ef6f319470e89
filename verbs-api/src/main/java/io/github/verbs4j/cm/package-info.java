/**
 * Connections by address: librdmacm.
 *
 * <p>There are two ways in. The short one gives a queue pair with its completion queues, with
 * receives posted before the peer can send. The server:
 *
 * {@snippet lang="java" :
 * ConnectionOptions options = new ConnectionOptions().receives(16, 4096);
 * try (RdmaListener listener = RdmaListener.bind(address, options);
 *         RdmaConnection peer = listener.accept(timeout)) {
 *     WorkCompletion received = peer.verbs().getRecvComp(timeout);
 *     String text = peer.received(received.wrId()).getString(0);
 *     peer.repost(received.wrId());
 *     System.out.println(text);
 * }
 * }
 *
 * <p>and its client:
 *
 * {@snippet lang="java" :
 * try (RdmaConnection server = RdmaConnection.connect(address);
 *         MemoryRegion buffer = server.pd().allocateMr(4096)) {
 *     buffer.segment().setString(0, "hello");
 *     server.verbs().postSend(1, buffer, 0, 6, SendFlags.SIGNALED);
 *     server.verbs().getSendComp(timeout);
 * }
 * }
 *
 * <p>The other way is that of C: an {@link io.github.verbs4j.cm.EventChannel}, {@link
 * io.github.verbs4j.cm.CmId}s on it, calls that start something, and events that tell how it ended.
 * A client:
 *
 * {@snippet lang="java" :
 * try (EventChannel events = EventChannel.create();
 *         CmId id = events.createId(PortSpace.TCP)) {
 *     id.resolveAddr(address, timeout);
 *     events.await(CmEventType.ADDR_RESOLVED);
 *     id.resolveRoute(timeout);
 *     events.await(CmEventType.ROUTE_RESOLVED);
 *     try (CompletionQueue cq = id.context().createCq(32)) {
 *         QueuePair qp = id.createQp(new QpInitAttr(QpType.RC, cq));
 *         id.connect(new ConnParam());
 *         events.await(CmEventType.ESTABLISHED);
 *         System.out.println(qp);
 *         id.disconnect();
 *     }
 * }
 * }
 *
 * <p>An event that is not the one waited for ends the wait with a {@link
 * io.github.verbs4j.cm.CmException} that carries it. No wait is without a timeout: a silent peer is
 * noticed by the kernel only after minutes. Events are values, acknowledged when they are taken.
 *
 * <p>All ids on a device share one {@link io.github.verbs4j.Context}, which librdmacm opens ({@link
 * io.github.verbs4j.cm.CmDevices}): completion queues, domains and regions for their queue pairs
 * are made from it. {@link io.github.verbs4j.cm.RSocket} is for those who want a stream of bytes
 * and no verbs.
 */
package io.github.verbs4j.cm;
