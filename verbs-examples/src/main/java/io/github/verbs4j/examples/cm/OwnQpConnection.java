package io.github.verbs4j.examples.cm;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.cm.CmEventType;
import io.github.verbs4j.cm.CmId;
import io.github.verbs4j.cm.CmState;
import io.github.verbs4j.cm.EventChannel;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * A connection whose queue pair the program makes itself and moves from state to state. The
 * connection manager only carries its number to the peer, and tells the attributes of each state.
 */
final class OwnQpConnection implements PingConnection {

    private static final int SLOT = PingInfo.BYTES;

    private final CmId id;

    private final Resources parts = new Resources();

    private final CompletionChannel channel;
    private final QueuePair qp;
    private final MemoryRegion slots;
    private final RecvWr receive = new RecvWr(1);

    private OwnQpConnection(EventChannel events, CmId id) {
        this.id = id;
        parts.add(events);
        parts.add(id);
        try {
            Context context = id.context();
            channel = parts.add(context.createCompChannel());
            CompletionQueue sends =
                    parts.add(context.createCq(new CqInitAttr(16).channel(channel)));
            CompletionQueue receives =
                    parts.add(context.createCq(new CqInitAttr(RECEIVES).channel(channel)));
            slots = parts.add(id.pd().allocateMr((long) RECEIVES * SLOT, AccessFlag.LOCAL_WRITE));
            qp = parts.add(id.pd().createQp(new QpInitAttr(QpType.RC, sends, receives)));
            qp.modify(
                    QpAttr.init(id.portNum())
                            .qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE));
            for (int i = 0; i < RECEIVES; i++) {
                repost(i);
            }
        } catch (Throwable e) {
            parts.close();
            throw e;
        }
    }

    // @start region=own-qp
    /** The client's side. */
    static OwnQpConnection connect(InetSocketAddress local, InetSocketAddress peer, Duration wait)
            throws Exception {
        EventChannel events = EventChannel.create();
        CmId id = events.createId(PortSpace.TCP);
        OwnQpConnection made = null;
        try {
            id.resolveAddr(local, peer, wait);
            id.await(CmEventType.ADDR_RESOLVED, wait);
            id.resolveRoute(wait);
            id.await(CmEventType.ROUTE_RESOLVED, wait);
            made = new OwnQpConnection(events, id);
            id.connect(PingLink.connParam().qpNum(made.qp.qpNum()));
            id.await(CmEventType.CONNECT_RESPONSE, wait);
            made.activate();
            id.establish();
            return made;
        } catch (Exception e) {
            giveUp(made, id, events);
            throw e;
        }
    }

    /** The server's side. */
    static OwnQpConnection accept(CmId request, Duration wait) throws Exception {
        EventChannel events = EventChannel.create();
        OwnQpConnection made = null;
        try {
            request.migrate(events);
            made = new OwnQpConnection(events, request);
            made.activate();
            request.accept(PingLink.connParam().qpNum(made.qp.qpNum()));
            request.await(CmEventType.ESTABLISHED, wait);
            return made;
        } catch (Exception e) {
            giveUp(made, request, events);
            throw e;
        }
    }

    private void activate() {
        qp.modify(id.initQpAttr(QpState.INIT));
        qp.modify(id.initQpAttr(QpState.RTR));
        qp.modify(id.initQpAttr(QpState.RTS));
    }

    // @end

    private static void giveUp(OwnQpConnection made, CmId id, EventChannel events) {
        if (made != null) {
            made.close();
        } else {
            id.close();
            events.close();
        }
    }

    @Override
    public QueuePair qp() {
        return qp;
    }

    @Override
    public CompletionChannel compChannel() {
        return channel;
    }

    @Override
    public MemorySegment received(long number) {
        return slots.segment().asSlice(number * SLOT, SLOT);
    }

    @Override
    public void repost(long number) {
        qp.postRecv(receive.wrId(number).sge(slots, number * SLOT, SLOT));
    }

    @Override
    public boolean isConnected() throws InterruptedException {
        id.getCmEvent(Duration.ZERO);
        return id.state() == CmState.CONNECTED;
    }

    @Override
    public void awaitDisconnected(Duration patience) throws InterruptedException {
        if (id.state() == CmState.CONNECTED) {
            id.getCmEvent(patience);
        }
    }

    /** Disconnects; nobody but the program itself can stop its queue pair. */
    @Override
    public void close() {
        try {
            if (id.isOpen() && id.state() == CmState.CONNECTED) {
                qp.modify(new QpAttr().qpState(QpState.ERR));
                id.disconnect();
            }
        } catch (VerbsException | IllegalStateException e) {
            // The peer was faster: what follows ends it all the same.
        }
        parts.close();
    }
}
