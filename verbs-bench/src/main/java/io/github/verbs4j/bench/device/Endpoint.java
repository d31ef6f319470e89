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
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import java.util.Set;

/** One end of a connection: a queue pair, its completion queues and its buffer. */
final class Endpoint implements AutoCloseable {

    /** Receives beyond those in flight, where the loop itself posts those that were taken. */
    private static final int SPARE_RECEIVES = 16;

    /**
     * Where another process sends, and a SEND that has completed there may not have been seen here
     * yet: as many as a client sends while this side waits for its turn on the processor. Of too
     * few, a SEND finds none and is repeated milliseconds later.
     */
    private static final int PEER_SPARE_RECEIVES = 4096;

    final Context context;
    final GidEntry gid;
    final MemoryRegion mr;

    /** Null unless its events are waited for. */
    final CompletionChannel channel;

    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final QueuePair qp;
    private final int receives;
    private final RecvWr recv;
    private final WcArray received = new WcArray(16);

    /** An end of a loop, which itself posts again the receives that were taken. */
    static Endpoint open(DeviceChoice choice, Workload load) {
        return open(choice, load, SPARE_RECEIVES);
    }

    /** The end of a client in another process. */
    static Endpoint forPeer(DeviceChoice choice, Workload load) {
        return open(choice, load, PEER_SPARE_RECEIVES);
    }

    private static Endpoint open(DeviceChoice choice, Workload load, int spareReceives) {
        Context context = choice.open();
        try {
            return new Endpoint(context, choice, load, spareReceives);
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private Endpoint(Context context, DeviceChoice choice, Workload load, int spareReceives) {
        this.context = context;
        // Setting up is measured: the device is asked only where its limits may be met.
        receives =
                spareReceives == SPARE_RECEIVES
                        ? load.depth() + SPARE_RECEIVES
                        : granted(context.queryDevice(), load.depth() + spareReceives);
        gid = choice.gid(context);
        ProtectionDomain pd = context.allocPd();
        mr =
                pd.allocateMr(
                        Math.max(load.size(), 8),
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC);
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

    private static int granted(DeviceAttr limits, int wanted) {
        return Math.min(wanted, Math.min(limits.maxQpWr(), limits.maxCqe()));
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

    void postReceives() {
        for (int i = 0; i < receives; i++) {
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
