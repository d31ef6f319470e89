package io.github.verbs4j.examples.cm;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.CqInitAttr;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.cm.SyncCmId;
import io.github.verbs4j.cm.UdParam;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Grh;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcFlags;
import java.time.Duration;

/**
 * One end of an exchange of datagrams: a queue pair, one buffer for all messages, and the address
 * that it sends to, once it is known. For one thread.
 */
final class DatagramEnd implements AutoCloseable {

    private static final Duration SLICE = Duration.ofMillis(200);

    private final SyncCmId id;
    private final DatagramOptions options;

    private final Resources parts = new Resources();

    private final CompletionChannel channel;
    private final QueuePair qp;
    private final MemoryRegion buffer;
    private final WcArray wc = new WcArray(1);

    private AddressHandle peer;
    private int peerQpNum;
    private int peerQkey;

    /** Makes it on an id that has a device, and owns the id from then on. */
    DatagramEnd(SyncCmId id, DatagramOptions options) {
        this.id = id;
        this.options = options;
        parts.add(id);
        try {
            Context context = id.id().context();
            requireFits(context.queryPort(id.id().portNum()).activeMtu().bytes());
            int depth = Math.max(1, options.messages);
            channel = parts.add(context.createCompChannel());
            CompletionQueue sends =
                    parts.add(context.createCq(new CqInitAttr(depth).channel(channel)));
            CompletionQueue receives =
                    parts.add(context.createCq(new CqInitAttr(depth).channel(channel)));
            buffer =
                    parts.add(
                            id.id()
                                    .pd()
                                    .allocateMr(Grh.BYTES + options.size, AccessFlag.LOCAL_WRITE));
            qp =
                    parts.add(
                            id.id()
                                    .createQp(
                                            new QpInitAttr(QpType.UD, sends, receives)
                                                    .maxSendWr(depth)
                                                    .maxRecvWr(depth)));
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void requireFits(int mtu) {
        if (options.messages > 0 && options.size > mtu) {
            throw new ExampleException(
                    "message_size %d is larger than active mtu %d", options.size, mtu);
        }
    }

    SyncCmId id() {
        return id;
    }

    /** Posts a receive for each message, before a peer can send. */
    void postReceives() {
        RecvWr receive = new RecvWr(1).sge(buffer, 0, Grh.BYTES + options.size);
        for (int i = 0; i < options.messages; i++) {
            qp.postRecv(receive);
        }
    }

    // @start region=ud-address
    /** Sends go where the connection manager says that the server, or the group, is. */
    void sendTo(UdParam there) {
        peer = parts.add(qp.pd().createAh(there.ahAttr()));
        peerQpNum = there.qpNum();
        peerQkey = there.qkey();
    }

    /** Sends go where the datagram that was just received came from. */
    private void sendToItsSender() {
        // The way back is in the 40 bytes in front of it; who to ask for, the sender says itself.
        peer = parts.add(qp.pd().createAhFromWc(wc, 0, buffer.segment(), id.id().portNum()));
        peerQpNum = wc.immData(0);
        peerQkey = qp.query().qkey();
    }

    // @end

    /** Sends all messages. Each carries this side's queue pair number, for the answers. */
    void sendAll() throws InterruptedException {
        SendWr send =
                new SendWr(1)
                        .sendWithImm(buffer, Grh.BYTES, options.size, qp.qpNum())
                        .ud(peer, peerQpNum, peerQkey);
        for (int i = 1; i <= options.messages; i++) {
            // When the last one has gone, all have.
            qp.postSend(send.sendFlags(i == options.messages ? SendFlags.SIGNALED : 0));
        }
        if (options.messages > 0) {
            await(qp.sendCq(), 0);
        }
    }

    /** Receives all messages. The first tells who to answer, unless that is known. */
    void receiveAll() throws InterruptedException {
        for (int i = 0; i < options.messages; i++) {
            await(qp.recvCq(), i);
            long length = wc.byteLen(0) - Grh.BYTES;
            if (length != options.size || (wc.wcFlags(0) & WcFlags.WITH_IMM) == 0) {
                throw new ExampleException(
                        "a message of %d bytes came that is none of %d from the same tool (-S)",
                        length, options.size);
            }
            if (peer == null) {
                sendToItsSender();
            }
        }
    }

    private void await(CompletionQueue cq, int done) throws InterruptedException {
        long deadline = System.nanoTime() + options.patience.get().toNanos();
        while (cq.poll(wc) == 0) {
            // Armed first, then polled: a completion in between is not missed.
            cq.reqNotify();
            if (cq.poll(wc) > 0) {
                break;
            }
            if (channel.getCqEvent(SLICE) == null && System.nanoTime() - deadline > 0) {
                throw new ExampleException(
                        "%d of %d messages came, then none for %d s: datagrams can get lost, and a"
                                + " peer that is gone does not say so",
                        done, options.messages, options.patience.get().toSeconds());
            }
        }
        wc.checkSuccess(0);
    }

    /** Closes all of it, the id last. */
    @Override
    public void close() {
        parts.close();
    }
}
