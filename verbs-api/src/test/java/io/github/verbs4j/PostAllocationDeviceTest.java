package io.github.verbs4j;

import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.verbs4j.testing.Allocations;
import io.github.verbs4j.testing.DatagramPair;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Posting and polling allocate nothing on the Java heap, once compiled. */
@RequiresDevice
class PostAllocationDeviceTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private LoopbackPair pair;
    private RemoteBuffer target;
    private final WcArray wc = new WcArray(16);

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
        target = pair.mrB.remote();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void complete(CompletionQueue cq, int count) {
        for (int polled = 0; polled < count; ) {
            int n = cq.poll(wc);
            for (int i = 0; i < n; i++) {
                wc.checkSuccess(i);
            }
            if (n == 0) {
                Thread.yield();
            }
            polled += n;
        }
    }

    @Test
    @DisplayName("0 B: RDMA_WRITE, changed in place, posted and polled")
    void plain() {
        SendWr wr = new SendWr(1);
        long[] n = new long[1];
        Allocations.assertNone(
                () -> {
                    long offset = n[0]++ & 1023;
                    pair.a.postSend(
                            wr.wrId(n[0])
                                    .write(pair.mrA, offset, 8, target, offset)
                                    .sendFlags(SIGNALED));
                    complete(pair.cqA, 1);
                });
    }

    @Test
    @DisplayName("0 B: SEND into a receive, both posted and polled")
    void sendAndReceive() {
        SendWr send = new SendWr(1);
        RecvWr recv = new RecvWr(1);
        Allocations.assertNone(
                () -> {
                    pair.b.postRecv(recv.wrId(1).sge(pair.mrB, 0, 64));
                    if (!pair.a.tryPostSend(send.sendWithImm(pair.mrA, 0, 8, 5))) {
                        throw new AssertionError("full");
                    }
                    complete(pair.cqA, 1);
                    complete(pair.cqB, 1);
                });
    }

    @Test
    @DisplayName("0 B: inline data from the heap and from a region")
    void inline() {
        SendWr heap =
                new SendWr(1)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sge(0, MemorySegment.ofArray(new byte[32]))
                        .remote(target, 0)
                        .sendFlags(INLINE | SIGNALED);
        SendWr region = new SendWr(1).sendFlags(INLINE | SIGNALED);
        Allocations.assertNone(
                () -> {
                    pair.a.postSend(heap);
                    pair.a.postSend(region.write(pair.mrA, 0, 32, target, 64));
                    complete(pair.cqA, 2);
                });
    }

    @Test
    @DisplayName(
            "0 B: chains of sends and of receives, whole and in part, with inline requests too")
    void chains() {
        SendWrArray sends = new SendWrArray(3, 1);
        SendWrArray mixed = new SendWrArray(2, 1);
        RecvWrArray receives = new RecvWrArray(3, 1);
        for (int i = 0; i < 3; i++) {
            sends.get(i).send(pair.mrA, 0, 8);
            receives.get(i).sge(pair.mrB, 0, 64);
        }
        mixed.get(0).write(pair.mrA, 0, 8, target, 0);
        mixed.get(1).write(pair.mrA, 0, 8, target, 0).sendFlags(INLINE | SIGNALED);
        Allocations.assertNone(
                () -> {
                    pair.b.postRecv(receives);
                    pair.a.postSend(sends);
                    complete(pair.cqA, 3);
                    complete(pair.cqB, 3);
                    pair.b.tryPostRecv(receives, 2);
                    pair.a.tryPostSend(sends, 2);
                    pair.a.postSend(mixed);
                    complete(pair.cqA, 4);
                    complete(pair.cqB, 2);
                });
    }

    @Test
    @DisplayName("0 B: datagrams into a shared receive queue")
    void datagrams() {
        try (DatagramPair datagrams = new DatagramPair();
                SharedReceiveQueue srq = datagrams.pd.createSrq(new SrqInitAttr(4));
                QueuePair receiver =
                        datagrams.pd.createQp(new QpInitAttr(QpType.UD, datagrams.cqB).srq(srq))) {
            receiver.activateUd(datagrams.gid.port(), DatagramPair.QKEY);
            SendWr wr = new SendWr(1);
            RecvWr recv = new RecvWr(1).sge(datagrams.mr, DatagramPair.RECV_AT, 128);
            int qpn = receiver.qpNum();
            Allocations.assertNone(
                    () -> {
                        srq.postRecv(recv);
                        datagrams.a.postSend(
                                wr.send(datagrams.mr, 0, 8)
                                        .ud(datagrams.ah, qpn, DatagramPair.QKEY));
                        complete(datagrams.cqA, 1);
                        complete(datagrams.cqB, 1);
                    });
        }
    }

    @Test
    @DisplayName("0 B: READs and atomics")
    void readsAndAtomics() {
        SendWr wr = new SendWr(1);
        Allocations.assertNone(
                () -> {
                    pair.a.postSend(wr.read(pair.mrA, 0, 8, target, 0));
                    pair.a.postSend(wr.fetchAdd(pair.mrA, 0, target, 0, 1));
                    complete(pair.cqA, 2);
                });
    }

    @Test
    @DisplayName("0 B: a full queue, told by tryPost")
    void full() {
        RecvWr recv = new RecvWr(1).sge(pair.mrA, 0, 64);
        while (pair.a.tryPostRecv(recv)) {
            Thread.onSpinWait();
        }
        Allocations.assertNone(
                () -> {
                    if (pair.a.tryPostRecv(recv)) {
                        throw new AssertionError("not full");
                    }
                });
    }

    @Test
    @DisplayName("0 B: an event, waited for and acknowledged, and the queue armed again")
    void events() {
        try (CompletionChannel channel = pair.context.createCompChannel();
                CompletionQueue cq = pair.context.createCq(new CqInitAttr(8).channel(channel));
                QueuePair a = pair.pd.createQp(new QpInitAttr(QpType.RC, cq));
                QueuePair b = pair.pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            pair.connect(a, b);
            pair.connect(b, a);
            SendWr wr = new SendWr(1).send(pair.mrA, 0, 8);
            RecvWr recv = new RecvWr(1).sge(pair.mrB, 0, 8);
            cq.reqNotify();
            Allocations.assertNone(
                    () -> {
                        b.postRecv(recv);
                        a.postSend(wr);
                        for (int polled = 0; polled < 2; polled += cq.poll(wc)) {
                            assertSame(cq, await(channel));
                            cq.reqNotify();
                        }
                    });
        }
    }

    private static CompletionQueue await(CompletionChannel channel) {
        try {
            return channel.getCqEvent(TIMEOUT);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
