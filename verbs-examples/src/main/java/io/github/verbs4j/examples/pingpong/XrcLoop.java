package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.XrcDomain;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.examples.wire.XrcAddress;
import io.github.verbs4j.examples.wire.XrcRendezvous;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One side of xsrq-pingpong. For each peer it has a queue pair that sends and one that receives; a
 * message for a peer takes them in turn, and finds the peer by the number of its receive queue.
 */
final class XrcLoop implements AutoCloseable {

    private final Resources open = new Resources();
    private final PingpongOptions options;
    private final int tests;
    private final GidEntry gid;
    private final XrcPath path;
    private final Completions receives;
    private final CompletionQueue sends;
    private final SharedReceiveQueue srq;
    private final QueuePair[] receivers;
    private final QueuePair[] senders;
    private final int[] srqOfPeer;
    private final int[] sent;
    private final RecvWr receive;
    private final SendWr send;

    XrcLoop(
            ProtectionDomain pd,
            XrcDomain domain,
            PingpongOptions options,
            MessageOptions message,
            int peers,
            int tests) {
        this.options = options;
        this.tests = tests;
        Context context = pd.context();
        gid = options.device.gid(context, options.gidIndex);
        path = new XrcPath(gid, message.pathMtu(), options.sl);
        PingpongBuffer buffer = open.add(new PingpongBuffer(pd, message.size));
        receives = open.add(new Completions(context, options, peers));
        sends = open.add(context.createCq(peers));
        srq = open.add(pd.createSrq(new SrqInitAttr(peers).xrc(domain, receives.cq())));
        receivers = new QueuePair[peers];
        senders = new QueuePair[peers];
        srqOfPeer = new int[peers];
        sent = new int[peers];
        receive = new RecvWr(1).wrId(PingpongLoop.RECV).sge(buffer.mr(), 0, message.size);
        send = new SendWr(1).wrId(PingpongLoop.SEND).send(buffer.mr(), 0, message.size);
        for (int i = 0; i < peers; i++) {
            receivers[i] = open.add(domain.createRecvQp());
            receivers[i].modify(path.receiverInit());
            senders[i] = open.add(pd.createQp(QpInitAttr.xrcSend(sends).maxSendWr(peers * tests)));
            senders[i].modify(path.senderInit());
            srq.postRecv(receive);
        }
    }

    /** Connects to each peer. */
    void meet(XrcRendezvous rendezvous) {
        for (int i = 0; i < senders.length; i++) {
            int index = i;
            XrcAddress here = addressOf(i);
            System.out.printf("%8s: %s%n", "local", here);
            rendezvous.meet(here, there -> connect(index, there));
        }
    }

    private XrcAddress addressOf(int index) {
        QpAddress sender = senders[index].localAddress(gid);
        boolean useGid =
                options.gidIndex != null
                        || srq.pd().context().queryPort(gid.port()).linkLayer()
                                == LinkLayer.ETHERNET;
        return new XrcAddress(
                sender.lid(),
                receivers[index].qpNum(),
                sender.qpNum(),
                sender.psn(),
                srq.srqNum(),
                useGid ? gid.gid() : Gid.of(0, 0));
    }

    private void connect(int index, XrcAddress there) {
        System.out.printf("%8s: %s%n", "remote", there);
        srqOfPeer[index] = there.srqNum();
        int psn = senders[index].localAddress(gid).psn();
        receivers[index].modify(path.receiverRtr(there));
        receivers[index].modify(path.receiverRts(psn));
        senders[index].modify(path.senderRtr(there));
        senders[index].modify(path.senderRts(psn));
    }

    /** Exchanges the messages; the server's come first. */
    void run(boolean first) throws InterruptedException, TimeoutException {
        for (int i = 0; first && i < senders.length; i++) {
            postSend(i);
        }
        int missing = senders.length * tests;
        while (missing > 0) {
            int count = receives.await();
            for (int i = 0; i < count; i++) {
                srq.postRecv(receive);
                int peer = indexOf(receives.qpNum(i));
                if (sent[peer] < tests) {
                    postSend(peer);
                }
            }
            missing -= count;
        }
        awaitSends(senders.length);
    }

    @Override
    public void close() {
        open.close();
    }

    private int indexOf(int qpNum) {
        for (int i = 0; i < receivers.length; i++) {
            if (receivers[i].qpNum() == qpNum || receivers.length == 1) {
                return i;
            }
        }
        throw new ExampleException("completion of an unknown queue pair 0x%06x", qpNum);
    }

    /** {@return whose connection takes a peer's next message: its own first, then the others'} */
    static int turn(int peer, int sent, int peers) {
        return (peer + sent) % peers;
    }

    // @start region=xrc-send
    /** Only the last message to a peer tells when it is sent. */
    private void postSend(int peer) {
        QueuePair qp = senders[turn(peer, sent[peer], senders.length)];
        sent[peer]++;
        qp.postSend(
                send.xrcRemoteSrqn(srqOfPeer[peer])
                        .sendFlags(sent[peer] == tests ? SendFlags.SIGNALED : 0));
    }

    // @end

    private void awaitSends(int count) throws InterruptedException, TimeoutException {
        WcArray wc = new WcArray(1);
        for (int i = 0; i < count; i++) {
            sends.await(wc, Duration.ofSeconds(options.patience));
            wc.checkSuccess(0);
        }
    }
}
