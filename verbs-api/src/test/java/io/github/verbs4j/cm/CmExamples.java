package io.github.verbs4j.cm;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The examples of the package's documentation, to be compiled and run. */
final class CmExamples {

    private CmExamples() {}

    static void server(InetSocketAddress address, Duration timeout) throws Exception {
        ConnectionOptions options = new ConnectionOptions().receives(16, 4096);
        try (RdmaListener listener = RdmaListener.bind(address, options);
                RdmaConnection peer = listener.accept(timeout)) {
            WorkCompletion received = peer.verbs().getRecvComp(timeout);
            String text = peer.received(received.wrId()).getString(0);
            peer.repost(received.wrId());
            System.out.println(text);
        }
    }

    static void client(InetSocketAddress address, Duration timeout) throws Exception {
        try (RdmaConnection server = RdmaConnection.connect(address);
                MemoryRegion buffer = server.pd().allocateMr(4096)) {
            buffer.segment().setString(0, "hello");
            server.verbs().postSend(1, buffer, 0, 6, SendFlags.SIGNALED);
            server.verbs().getSendComp(timeout);
        }
    }

    static void events(InetSocketAddress address, Duration timeout) throws Exception {
        try (EventChannel events = EventChannel.create();
                CmId id = events.createId(PortSpace.TCP)) {
            id.resolveAddr(address, timeout);
            events.await(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(timeout);
            events.await(CmEventType.ROUTE_RESOLVED);
            try (CompletionQueue cq = id.context().createCq(32)) {
                QueuePair qp = id.createQp(new QpInitAttr(QpType.RC, cq));
                id.connect(new ConnParam());
                events.await(CmEventType.ESTABLISHED);
                System.out.println(qp);
                id.disconnect();
            }
        }
    }
}
