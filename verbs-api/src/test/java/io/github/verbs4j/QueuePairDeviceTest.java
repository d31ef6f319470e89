package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.QpType.RC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@RequiresDevice
class QueuePairDeviceTest {

    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
        pd = context.allocPd();
        cq = context.createCq(16);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private QpInitAttr attr() {
        return new QpInitAttr(RC, cq);
    }

    @Test
    @DisplayName("a new queue pair is in RESET, knows its makers and has what it asked for")
    void created() {
        CompletionQueue recvCq = context.createCq(16);
        QpInitAttr attr =
                new QpInitAttr(RC, cq, recvCq)
                        .maxSendWr(5)
                        .maxRecvWr(6)
                        .maxSendSge(2)
                        .maxRecvSge(3)
                        .maxInlineData(16);
        QueuePair qp = pd.createQp(attr);
        assertEquals(QpState.RESET, qp.state());
        assertEquals(QpState.RESET, qp.query().qpState());
        assertEquals(pd, qp.pd());
        assertEquals(cq, qp.sendCq());
        assertEquals(recvCq, qp.recvCq());
        assertEquals(RC, qp.qpType());
        QpCap cap = qp.cap();
        assertTrue(cap.maxSendWr() >= 5 && cap.maxRecvWr() >= 6, cap.toString());
        assertTrue(cap.maxSendSge() >= 2 && cap.maxRecvSge() >= 3, cap.toString());
        assertTrue(cap.maxInlineData() >= 16, cap.toString());
    }

    @Test
    @DisplayName("queue pair numbers differ, fit 24 bits and so do the packet numbers")
    void numbers() {
        QueuePair first = pd.createQp(attr());
        QueuePair second = pd.createQp(attr());
        assertNotEquals(first.qpNum(), second.qpNum());
        QpAddress address = first.localAddress(context.defaultGid(1));
        assertEquals(first.qpNum(), address.qpNum());
        assertEquals(0, (first.qpNum() | address.psn()) & 0xff000000);
        assertEquals(address, first.localAddress(context.defaultGid(1)));
    }

    @Test
    @DisplayName("QP-03 a queue pair without room can be made, and every post finds it full")
    void noRoom() {
        QueuePair qp;
        try {
            qp = pd.createQp(attr().maxSendWr(0).maxRecvWr(0).maxSendSge(0).maxRecvSge(0));
        } catch (VerbsException e) {
            assertEquals(Errno.EINVAL, e.errno());
            assumeTrue(false, "the device makes no queue pair without room");
            return;
        }
        GidEntry gid = context.defaultGid(1);
        qp.connect(gid, qp.localAddress(gid));
        SendWr send = new SendWr(0);
        RecvWr recv = new RecvWr(0);
        if (TestDevice.isRxe(context)) {
            assertFalse(qp.tryPostRecv(recv));
            assertFalse(qp.tryPostSend(send));
            PostException full = assertThrows(PostException.class, () -> qp.postSend(send));
            assertEquals(Errno.ENOMEM, full.errno());
            assertEquals(0, full.index());
            assertTrue(full.getMessage().contains("full"), full.getMessage());
        }
    }

    static Stream<Arguments> tooMuch() {
        return Stream.of(
                Arguments.of("max_send_wr", (Limit) (a, over) -> a.maxSendWr(over.maxQpWr() + 1)),
                Arguments.of("max_recv_wr", (Limit) (a, over) -> a.maxRecvWr(over.maxQpWr() + 1)),
                Arguments.of("max_send_sge", (Limit) (a, over) -> a.maxSendSge(over.maxSge() + 1)),
                Arguments.of("max_recv_sge", (Limit) (a, over) -> a.maxRecvSge(over.maxSge() + 1)),
                Arguments.of("max_inline_data", (Limit) (a, over) -> a.maxInlineData(1 << 20)));
    }

    private interface Limit {
        QpInitAttr exceed(QpInitAttr attr, io.github.verbs4j.types.DeviceAttr limits);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tooMuch")
    @DisplayName("QP-05 more than the device allows is refused, naming what and the limit")
    void tooMuch(String field, Limit limit) {
        QpInitAttr attr = limit.exceed(attr(), context.queryDevice());
        VerbsException e = assertThrows(VerbsException.class, () -> pd.createQp(attr));
        assertTrue(e.errno() == Errno.EINVAL || e.errno() == Errno.ENOMEM, e.getMessage());
        assertTrue(e.getMessage().contains("ibv_create_qp"), e.getMessage());
        assertTrue(e.getMessage().contains(field), e.getMessage());
    }

    @Test
    @DisplayName("QP-05 as many elements as the device allows are granted")
    void mostElements() {
        int most = context.queryDevice().maxSge();
        try (QueuePair qp = pd.createQp(attr().maxSendSge(most).maxRecvSge(most))) {
            assertTrue(qp.cap().maxSendSge() >= most);
        }
    }

    @Test
    @DisplayName("negative sizes and null are refused before the device sees them")
    void nonsense() {
        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr().maxSendWr(-1)));
        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr().maxRecvWr(-1)));
        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr().maxSendSge(-1)));
        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr().maxRecvSge(-1)));
        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr().maxInlineData(-1)));
        assertThrows(NullPointerException.class, () -> new QpInitAttr(null, cq));
        assertThrows(NullPointerException.class, () -> new QpInitAttr(RC, null));
        assertThrows(NullPointerException.class, () -> new QpInitAttr(RC, cq, null));
        assertThrows(NullPointerException.class, () -> pd.createQp(null));
    }

    @Test
    @DisplayName("QP-07 a completion queue of another context is refused, send or receive")
    void foreignCq() {
        try (Context other = context.device().open()) {
            CompletionQueue foreign = other.createCq(4);
            for (QpInitAttr attr :
                    new QpInitAttr[] {
                        new QpInitAttr(RC, foreign, cq), new QpInitAttr(RC, cq, foreign)
                    }) {
                String message =
                        assertThrows(IllegalArgumentException.class, () -> pd.createQp(attr))
                                .getMessage();
                assertTrue(message.contains("another Context"), message);
            }
        }
    }

    @Test
    @DisplayName("QP-07 a closed completion queue or domain is refused")
    void closedMakers() {
        CompletionQueue gone = context.createCq(4);
        gone.close();
        assertThrows(IllegalStateException.class, () -> pd.createQp(new QpInitAttr(RC, gone)));
        pd.close();
        assertThrows(IllegalStateException.class, () -> pd.createQp(attr()));
    }

    @ParameterizedTest
    @EnumSource(names = {"XRC_SEND", "XRC_RECV", "DRIVER"})
    @DisplayName("a transport that needs more, or that the device lacks, is an exception")
    void otherTransports(QpType type) {
        VerbsException e =
                assertThrows(VerbsException.class, () -> pd.createQp(new QpInitAttr(type, cq)));
        String hint =
                switch (type) {
                    case XRC_RECV -> "createRecvQp";
                    case DRIVER -> "Mlx5.createDci";
                    default -> "not every device has";
                };
        assertTrue(e.getMessage().contains(hint), e.getMessage());
    }

    @Test
    @DisplayName("QP-08 everything on a closed queue pair says that it is closed")
    void closed() {
        QueuePair qp = pd.createQp(attr());
        assertTrue(qp.isOpen());
        qp.close();
        qp.close();
        assertFalse(qp.isOpen());
        SendWr send = new SendWr(1);
        SendWrArray sends = new SendWrArray(2, 1);
        RecvWr recv = new RecvWr(1);
        RecvWrArray recvs = new RecvWrArray(2, 1);
        assertClosed(() -> qp.postSend(send));
        assertClosed(() -> qp.tryPostSend(send));
        assertClosed(() -> qp.postSend(sends));
        assertClosed(() -> qp.tryPostSend(sends, 1));
        assertClosed(() -> qp.postRecv(recv));
        assertClosed(() -> qp.tryPostRecv(recv));
        assertClosed(() -> qp.postRecv(recvs));
        assertClosed(() -> qp.tryPostRecv(recvs, 1));
        assertClosed(() -> qp.modify(QpAttr.init(1)));
        assertClosed(() -> qp.modify(QpAttr.of(QpState.RESET)));
        assertClosed(qp::query);
        assertClosed(qp::handle);
        assertTrue(qp.toString().contains("RC"), qp.toString());
    }

    private static void assertClosed(Runnable call) {
        String message = assertThrows(IllegalStateException.class, call::run).getMessage();
        assertTrue(message.contains("QueuePair") && message.contains("is closed"), message);
    }

    @Test
    @DisplayName("a domain, queue or context that closes first closes the queue pair")
    void closedByMakers() {
        QueuePair ofPd = context.allocPd().createQp(attr());
        ofPd.pd().close();
        assertFalse(ofPd.isOpen());
        CompletionQueue queue = context.createCq(4);
        QueuePair ofCq = pd.createQp(new QpInitAttr(RC, queue));
        queue.close();
        assertFalse(ofCq.isOpen());
        QueuePair ofContext = pd.createQp(attr());
        context.close();
        assertFalse(ofContext.isOpen());
    }

    @Test
    @DisplayName("QP-10 closing with requests outstanding ends them without completions")
    void closedWithWork() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(a -> a)) {
            pair.connect(pair.a, pair.b, LoopbackPair.PATIENT);
            pair.connect(pair.b, pair.a);
            pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 0, 64));
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 64)); // no receive there: waits
            pair.a.close();
            assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(100)));
            pair.mrA.close();
            pair.cqA.close();
        }
    }

    @Test
    @DisplayName("CQ-08 completions of a closed queue pair can still be polled")
    void completionsOutliveQueuePair() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.b.postRecv(new RecvWr(1).wrId(4).sge(pair.mrB, 0, 64));
            pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 64));
            pair.completionA().checkSuccess();
            pair.b.close();
            assertEquals(4, pair.completionB().checkSuccess().wrId());
        }
    }

    @Test
    @DisplayName(
            "connect takes two queue pairs to RTS in one call each, with receives posted before")
    void connectInOneCall() throws Exception {
        CompletionQueue cqB = context.createCq(16);
        QueuePair a = pd.createQp(attr());
        QueuePair b = pd.createQp(new QpInitAttr(RC, cqB));
        GidEntry gid = context.defaultGid(1);
        MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
        b.modify(QpAttr.init(1));
        b.postRecv(new RecvWr(1).sge(mr, 0, 100));
        b.connect(gid, a.localAddress(gid));
        a.connect(gid, b.localAddress(gid));
        assertEquals(QpState.RTS, a.state());
        assertEquals(QpState.RTS, a.query().qpState());
        a.postSend(new SendWr(1).send(mr, 200, 100));
        WcArray wc = new WcArray(1);
        cqB.await(wc, LoopbackPair.TIMEOUT);
        assertEquals(100, wc.byteLen(0));
    }

    @Test
    @DisplayName("connect refuses a peer whose GID is of another RoCE version: it would never hear")
    void connectChecksGidTypes() {
        QueuePair qp = pd.createQp(attr());
        GidEntry gid = context.defaultGid(1);
        QpAddress here = qp.localAddress(gid);
        GidType other = gid.type() == GidType.ROCE_V2 ? GidType.ROCE_V1 : GidType.ROCE_V2;
        QpAddress there =
                new QpAddress(
                        here.lid(), here.qpNum(), here.psn(), here.gid(), other, here.activeMtu());
        String message =
                assertThrows(IllegalArgumentException.class, () -> qp.connect(gid, there))
                        .getMessage();
        assertTrue(message.contains(gid.type().toString()), message);
        assertTrue(message.contains(other.toString()), message);
        assertEquals(QpState.RESET, qp.state());
    }

    @Test
    @DisplayName("A queue pair says in its text which it is and in what state")
    void text() {
        QueuePair qp = pd.createQp(attr());
        String text = qp.toString();
        assertTrue(text.contains(String.format("0x%06x", qp.qpNum())), text);
        assertTrue(text.contains("RESET"), text);
    }
}
