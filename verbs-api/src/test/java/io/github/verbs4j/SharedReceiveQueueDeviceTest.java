package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.AsyncEventType;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Grh;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SrqAttr;
import io.github.verbs4j.types.SrqType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class SharedReceiveQueueDeviceTest {

    /** Side b of each pair takes its receives from one queue. */
    private static final class Shared implements AutoCloseable {
        final LoopbackPair pair = new LoopbackPair(attr -> attr);
        final SharedReceiveQueue srq;
        final QueuePair b;

        Shared(int maxWr) {
            srq = pair.pd.createSrq(new SrqInitAttr(maxWr).maxSge(2));
            b = pair.pd.createQp(LoopbackPair.attr(pair.cqB).srq(srq));
            pair.connect(pair.a, b);
            pair.connect(b, pair.a);
        }

        void post(long wrId) {
            srq.postRecv(new RecvWr(1).wrId(wrId).sge(pair.mrB, 0, 1000));
        }

        void send() throws Exception {
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 10));
            pair.completionA().checkSuccess();
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    private static int size(ProtectionDomain pd, SrqInitAttr attr) {
        try (SharedReceiveQueue srq = pd.createSrq(attr)) {
            assertEquals(SrqType.BASIC, srq.type());
            assertSame(pd, srq.pd());
            return srq.query().maxWr();
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("SRQ-01 sizes are rounded up; what the device does not allow is refused")
    void sizes() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            assertEquals(1, size(pair.pd, new SrqInitAttr(1)));
            assertEquals(31, size(pair.pd, new SrqInitAttr(16)));
            assertEquals(127, size(pair.pd, new SrqInitAttr(100)));
            assertEquals(31, size(pair.pd, new SrqInitAttr(16).maxSge(27)));
            for (SrqInitAttr bad :
                    List.of(
                            new SrqInitAttr(0),
                            new SrqInitAttr(-1),
                            new SrqInitAttr(1048577),
                            new SrqInitAttr(1).maxSge(28),
                            new SrqInitAttr(1).maxSge(-1),
                            new SrqInitAttr(1).srqLimit(-1))) {
                assertThrows(IllegalArgumentException.class, () -> pair.pd.createSrq(bad));
            }
            try (SharedReceiveQueue srq = pair.pd.createSrq(new SrqInitAttr(1).maxSge(0))) {
                assertEquals(1, srq.query().maxSge());
            }
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("SRQ-02 a limit above the size is accepted")
    void limitAboveSize() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                SharedReceiveQueue srq = pair.pd.createSrq(new SrqInitAttr(16).srqLimit(100))) {
            assertEquals(100, srq.query().srqLimit());
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("SRQ-03 the size changes both ways, but not below what is outstanding")
    void resize() {
        try (Shared shared = new Shared(16)) {
            shared.srq.modify(new SrqAttr().maxWr(4));
            assertEquals(7, shared.srq.query().maxWr());
            shared.srq.modify(new SrqAttr().maxWr(16));
            assertEquals(31, shared.srq.query().maxWr());
            for (int i = 0; i < 10; i++) {
                shared.post(i);
            }
            VerbsException e =
                    assertThrows(
                            VerbsException.class, () -> shared.srq.modify(new SrqAttr().maxWr(4)));
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains("more receives are outstanding"), e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> new SrqAttr().maxWr(0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> shared.srq.modify(new SrqAttr().maxWr(2_000_000)));
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("SRQ-05, PO-04 a full queue says how many receives it took")
    void full() {
        try (Shared shared = new Shared(4)) {
            RecvWrArray twelve = new RecvWrArray(12, 1);
            assertEquals(7, shared.srq.query().maxWr());
            assertEquals(7, shared.srq.tryPostRecv(twelve, 12));
            assertFalse(shared.srq.tryPostRecv(new RecvWr(1)));
            PostException e =
                    assertThrows(PostException.class, () -> shared.srq.postRecv(new RecvWr(1)));
            assertEquals(Errno.ENOMEM, e.errno());
            assertThrows(PostException.class, () -> shared.srq.postRecv(twelve));
        }
    }

    @Test
    @DisplayName("SRQ-05 too many elements are refused, none is fine")
    void elements() {
        try (Shared shared = new Shared(4)) {
            RecvWr three = new RecvWr(8);
            for (int i = 0; i <= shared.srq.maxSge(); i++) {
                three.sge(i, shared.pair.mrB, 0, 1);
            }
            assertThrows(IllegalArgumentException.class, () -> shared.srq.postRecv(three));
            shared.srq.postRecv(new RecvWr(0));
        }
    }

    @Test
    @DisplayName("SRQ-06 one event tells that fewer receives are left than the limit")
    void limit() throws Exception {
        try (Shared shared = new Shared(16)) {
            Context context = shared.pair.context;
            for (int i = 0; i < 5; i++) {
                shared.post(i);
            }
            shared.srq.modify(new SrqAttr().srqLimit(4));
            assertNull(context.getAsyncEvent(Duration.ZERO));
            shared.send();
            assertNull(context.getAsyncEvent(Duration.ZERO));
            shared.send();
            AsyncEvent event = context.getAsyncEvent(LoopbackPair.TIMEOUT);
            assertEquals(new AsyncEvent.Srq(AsyncEventType.SRQ_LIMIT_REACHED, shared.srq), event);
            assertEquals(0, shared.srq.query().srqLimit());
            shared.send();
            assertNull(context.getAsyncEvent(Duration.ZERO));
        }
    }

    @Test
    @DisplayName("SRQ-07 a queue pair with a shared queue says where receives go")
    void postToTheQueuePair() {
        try (Shared shared = new Shared(4)) {
            assertSame(shared.srq, shared.b.srq());
            for (org.junit.jupiter.api.function.Executable post :
                    List.<org.junit.jupiter.api.function.Executable>of(
                            () -> shared.b.postRecv(new RecvWr(0)),
                            () -> shared.b.tryPostRecv(new RecvWr(0)),
                            () -> shared.b.postRecv(new RecvWrArray(1, 0)),
                            () -> shared.b.tryPostRecv(new RecvWrArray(1, 0), 1))) {
                IllegalStateException e = assertThrows(IllegalStateException.class, post);
                assertTrue(e.getMessage().contains("SharedReceiveQueue"), e.getMessage());
            }
            QpCap cap = shared.b.query().cap();
            assertEquals(0, cap.maxRecvWr());
            assertEquals(0, cap.maxRecvSge());
        }
    }

    @Test
    @DisplayName(
            "SRQ-07 closing the queue closes its queue pairs first, unconsumed receives or not")
    void closeClosesQueuePairs() {
        try (Shared shared = new Shared(4)) {
            shared.post(1);
            shared.srq.close();
            shared.srq.close();
            assertFalse(shared.b.isOpen());
            assertTrue(shared.pair.a.isOpen());
            assertThrows(IllegalStateException.class, () -> shared.post(2));
            assertThrows(IllegalStateException.class, () -> shared.srq.query());
            assertThrows(
                    IllegalStateException.class,
                    () -> shared.srq.modify(new SrqAttr().srqLimit(1)));
            assertThrows(
                    IllegalStateException.class,
                    () ->
                            shared.pair.pd.createQp(
                                    LoopbackPair.attr(shared.pair.cqB).srq(shared.srq)));
        }
    }

    @Test
    @DisplayName("SRQ-09 three queue pairs take receives in the order they were posted")
    void threeQueuePairs() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                SharedReceiveQueue srq = pair.pd.createSrq(new SrqInitAttr(16))) {
            QueuePair[] senders = new QueuePair[3];
            QueuePair[] receivers = new QueuePair[3];
            for (int i = 0; i < 3; i++) {
                senders[i] = pair.pd.createQp(LoopbackPair.attr(pair.cqA));
                receivers[i] = pair.pd.createQp(LoopbackPair.attr(pair.cqB).srq(srq));
                pair.connect(senders[i], receivers[i]);
                pair.connect(receivers[i], senders[i]);
            }
            RecvWrArray six = new RecvWrArray(6, 1);
            for (int i = 0; i < 6; i++) {
                six.get(i).wrId(100 + i).sge(pair.mrB, 64L * i, 64);
            }
            srq.postRecv(six);
            int[] order = {2, 0, 1, 1, 2, 0};
            for (int i = 0; i < 6; i++) {
                senders[order[i]].postSend(new SendWr(1).send(pair.mrA, 0, 10 + i));
                pair.completionA().checkSuccess();
                WorkCompletion received = pair.completionB().checkSuccess();
                assertEquals(100 + i, received.wrId());
                assertEquals(receivers[order[i]].qpNum(), received.qpNum());
                assertEquals(10 + i, received.byteLen());
            }
        }
    }

    @Test
    @DisplayName("SRQ-09 datagrams take receives from a shared queue, and UC may have one")
    void otherTransports() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                SharedReceiveQueue srq = pair.pd.createSrq(new SrqInitAttr(16));
                QueuePair uc = pair.pd.createQp(new QpInitAttr(QpType.UC, pair.cqB).srq(srq));
                QueuePair ud = pair.pd.createQp(new QpInitAttr(QpType.UD, pair.cqB).srq(srq));
                AddressHandle ah = pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid()))) {
            assertTrue(uc.isOpen());
            ud.activateUd(1, 5);
            srq.postRecv(new RecvWr(1).wrId(9).sge(pair.mrB, 0, 100));
            ud.postSend(new SendWr(1).send(pair.mrA, 0, 10).ud(ah, ud.qpNum(), 5));
            List<WorkCompletion> both = pair.completions(pair.cqB, 2);
            assertTrue(
                    both.stream().anyMatch(wc -> wc.wrId() == 9 && wc.byteLen() == Grh.BYTES + 10),
                    both::toString);
        }
    }

    @Test
    @DisplayName("SRQ-09 an empty queue ends the sender's retries")
    void empty() throws Exception {
        try (Shared shared = new Shared(4)) {
            shared.pair.a.postSend(new SendWr(1).send(shared.pair.mrA, 0, 10));
            assertEquals(WcStatus.RNR_RETRY_EXC_ERR, shared.pair.completionA().status());
            assertEquals(QpState.RTS, shared.b.query().qpState());
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("SRQ-10 rxe looks up receive buffers in the queue pair's domain, not the queue's")
    void otherDomain() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                ProtectionDomain pd2 = pair.context.allocPd();
                MemoryRegion mr2 = pd2.allocateMr(4096, LoopbackPair.ALL);
                SharedReceiveQueue srq = pd2.createSrq(new SrqInitAttr(4))) {
            QueuePair b = pair.pd.createQp(LoopbackPair.attr(pair.cqB).srq(srq));
            pair.connect(pair.a, b);
            pair.connect(b, pair.a);
            srq.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
            srq.postRecv(new RecvWr(1).sge(mr2, 0, 100));
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 10));
            pair.completionA().checkSuccess();
            pair.completionB().checkSuccess();
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 10));
            assertEquals(WcStatus.REM_OP_ERR, pair.completionA().status());
            assertEquals(WcStatus.LOC_QP_OP_ERR, pair.completionB().status());
        }
    }

    @Test
    @DisplayName("a shared queue of another context is refused")
    void foreignQueue() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr);
                LoopbackPair other = new LoopbackPair(attr -> attr);
                SharedReceiveQueue srq = other.pd.createSrq(new SrqInitAttr(4))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.pd.createQp(LoopbackPair.attr(pair.cqB).srq(srq)));
        }
    }

    @Test
    @DisplayName("what the device lacks is unsupported: XRC, tag matching, a number")
    void unsupported() {
        try (Shared shared = new Shared(4)) {
            LoopbackPair pair = shared.pair;
            if (TestDevice.isRxe(pair.context)) {
                assertThrows(UnsupportedVerbException.class, pair.context::openXrcd);
                assertThrows(UnsupportedVerbException.class, shared.srq::srqNum);
                assertThrows(
                        VerbsException.class,
                        () -> pair.pd.createSrq(new SrqInitAttr(4).tagMatching(pair.cqB, 4, 4)));
                assertThrows(
                        VerbsException.class, () -> pair.pd.createQp(QpInitAttr.xrcSend(pair.cqA)));
            }
            assertThrows(IllegalStateException.class, () -> shared.srq.postOps(new OpsWr(0)));
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("SRQ-03 Soft-iWARP has shared queues, but does not say how large they are")
    void siw() {
        try (Context context = TestDevice.get(TestDevice.Kind.SIW).open();
                ProtectionDomain pd = context.allocPd();
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(16))) {
            assertThrows(VerbsException.class, srq::query);
        }
    }
}
