package io.github.verbs4j.bench.device;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.CqInitAttrEx;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import java.util.Set;

/** One end of a connection: a queue pair, its completion queues and its buffer. */
final class Endpoint implements AutoCloseable {

    /** Receives beyond those in flight, so that none is ever missing. */
    private static final int SPARE_RECEIVES = 16;

    final Context context;
    final GidEntry gid;
    final MemoryRegion mr;

    /** Null unless its events are waited for. */
    final CompletionChannel channel;

    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final QueuePair qp;
    private final RecvWr recv;
    private final WcArray received = new WcArray(16);

    Endpoint(DeviceChoice choice, Workload load) {
        context = choice.open();
        gid = choice.gid(context);
        ProtectionDomain pd = context.allocPd();
        mr =
                pd.allocateMr(
                        Math.max(load.size(), 8),
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC);
        int receives = load.depth() + SPARE_RECEIVES;
        recvCq = context.createCq(receives);
        channel = load.way() == Way.EVENTS ? context.createCompChannel() : null;
        if (load.way() == Way.EXTENDED) {
            sendCq = context.createCqEx(new CqInitAttrEx(load.depth()).wcFlags(Set.of()));
            qp =
                    pd.createQpEx(
                            new QpInitAttrEx(QpType.RC, sendCq, recvCq)
                                    .maxSendWr(load.depth())
                                    .maxSendSge(load.sges())
                                    .maxRecvWr(receives)
                                    .maxInlineData(load.inline() ? load.size() : 0)
                                    .sendOps(load.operation().sendOp));
        } else {
            sendCq = context.createCq(new CqInitAttr(load.depth()).channel(channel));
            qp =
                    pd.createQp(
                            new QpInitAttr(QpType.RC, sendCq, recvCq)
                                    .maxSendWr(load.depth())
                                    .maxSendSge(load.sges())
                                    .maxRecvWr(receives)
                                    .maxInlineData(load.inline() ? load.size() : 0));
        }
        recv = new RecvWr(1).sge(mr, 0, mr.length());
    }

    QpAddress address() {
        return qp.localAddress(gid);
    }

    RemoteBuffer buffer() {
        return mr.remote();
    }

    void connect(QpAddress peer) {
        qp.connect(
                gid,
                peer,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC);
    }

    void postReceives(Workload load) {
        for (int i = 0; i < load.depth() + SPARE_RECEIVES; i++) {
            qp.postRecv(recv);
        }
    }

    /** Posts a receive for each that was taken. */
    int refill() {
        int n = recvCq.poll(received);
        for (int i = 0; i < n; i++) {
            received.checkSuccess(i);
            qp.postRecv(recv);
        }
        return n;
    }

    @Override
    public void close() {
        context.close();
    }
}
