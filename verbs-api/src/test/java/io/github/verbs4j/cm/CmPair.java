package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmEventType.CONNECT_REQUEST;
import static io.github.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.github.verbs4j.cm.CmEventType.ROUTE_RESOLVED;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.ffi.rdma_event_channel;
import io.github.verbs4j.internal.ReadableWait;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A listener, a client and what they are made of, step by step; one channel for each side. */
final class CmPair implements AutoCloseable {

    static final Duration RESOLVE = Duration.ofSeconds(2);
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    final TestDevice.Kind kind;
    final PortSpace ps;
    final EventChannel serverEvents = EventChannel.create();
    final EventChannel clientEvents = EventChannel.create();
    final CmId listener;
    final CmId client;
    final List<CompletionQueue> queues = new ArrayList<>();
    CmEvent request;
    CmId server;
    QueuePair serverQp;
    QueuePair clientQp;
    CmEvent established;
    CmEvent serverEstablished;

    CmPair(TestDevice.Kind kind, PortSpace ps) {
        this.kind = kind;
        this.ps = ps;
        listener = serverEvents.createId(ps);
        listener.bindAddr(CmAddress.of(kind, 0));
        listener.listen(16);
        client = clientEvents.createId(ps);
    }

    static CmPair connected(TestDevice.Kind kind) throws Exception {
        CmPair pair = new CmPair(kind, PortSpace.TCP);
        try {
            pair.resolve().connect(new ConnParam()).accept(new ConnParam());
            return pair;
        } catch (Throwable e) {
            pair.close();
            throw e;
        }
    }

    /** The client has a route to the listener and a queue pair. */
    CmPair resolve() throws Exception {
        client.resolveAddr(listener.getLocalAddr(), RESOLVE);
        client.await(ADDR_RESOLVED);
        return resolveRoute();
    }

    CmPair resolveRoute() throws Exception {
        client.resolveRoute(RESOLVE);
        client.await(ROUTE_RESOLVED);
        clientQp = client.createQp(attr(client));
        return this;
    }

    /** The client asks, and the server has the request and a queue pair. */
    CmPair connect(ConnParam param) throws Exception {
        client.connect(param);
        request = listener.await(CONNECT_REQUEST);
        server = request.id();
        serverQp = server.createQp(attr(server));
        return this;
    }

    CmPair accept(ConnParam param) throws Exception {
        server.accept(param);
        established = client.await(ESTABLISHED);
        if (!ps.isDatagram()) {
            serverEstablished = server.await(ESTABLISHED);
        }
        return this;
    }

    QpInitAttr attr(CmId id) {
        CompletionQueue cq = id.context().createCq(64);
        queues.add(cq);
        return new QpInitAttr(ps.isDatagram() ? QpType.UD : QpType.RC, cq)
                .maxSendSge(2)
                .maxRecvSge(2);
    }

    /** Waits until there is an event that nobody has taken, and leaves it there. */
    static void awaitUntaken(EventChannel events) throws InterruptedException {
        int fd = rdma_event_channel.fd(Structs.view(events.handle(), rdma_event_channel.sizeof()));
        ReadableWait wait = new ReadableWait(events.nativeHandle(), fd, TIMEOUT);
        while (!wait.look()) {
            assertFalse(wait.isOver(), "no event came");
        }
    }

    static MemoryRegion region(CmId id, AccessFlag... access) {
        return id.qp().pd().allocateMr(4096, access);
    }

    static WorkCompletion completion(CompletionQueue cq)
            throws TimeoutException, InterruptedException {
        WcArray wc = new WcArray(1);
        cq.await(wc, TIMEOUT);
        return wc.get(0);
    }

    @Override
    public void close() {
        clientEvents.close();
        serverEvents.close();
        queues.forEach(CompletionQueue::close);
    }
}
