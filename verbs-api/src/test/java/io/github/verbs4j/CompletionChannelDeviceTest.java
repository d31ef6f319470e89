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
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Side a's completions, and side b's receives, report on one channel. */
@RequiresDevice
class CompletionChannelDeviceTest {

    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(20);

    private LoopbackPair pair;
    private CompletionChannel channel;
    private CompletionQueue cqA;
    private CompletionQueue cqB;
    private QueuePair a;
    private QueuePair b;
    private final WcArray wc = new WcArray(16);

    @BeforeEach
    void connect() {
        pair = new LoopbackPair(attr -> attr);
        channel = pair.context.createCompChannel();
        cqA = pair.context.createCq(new CqInitAttr(256).channel(channel));
        cqB = pair.context.createCq(new CqInitAttr(256).channel(channel));
        a = pair.pd.createQp(LoopbackPair.attr(cqA));
        b = pair.pd.createQp(LoopbackPair.attr(cqB));
        pair.connect(a, b);
        pair.connect(b, a);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void write() {
        a.postSend(new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
    }

    private void writeAndAwait() throws Exception {
        write();
        pair.completion(cqA).checkSuccess();
    }

    /** A message, of which only the receiver hears. */
    private void send(int flags) {
        b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        a.postSend(new SendWr(1).send(pair.mrA, 0, 8).sendFlags(flags));
    }

    @Test
    @DisplayName("CQ-11 no event without arming; armed, one event for the next completion only")
    void oneShot() throws Exception {
        writeAndAwait();
        assertNull(channel.getCqEvent(NOW));
        cqA.reqNotify();
        assertNull(channel.getCqEvent(NOW));
        writeAndAwait();
        assertSame(cqA, channel.getCqEvent(LONG));
        writeAndAwait();
        assertNull(channel.getCqEvent(NOW));
    }

    @Test
    @DisplayName("CQ-11 arming twice gives one event")
    void armedTwice() throws Exception {
        cqA.reqNotify();
        cqA.reqNotify();
        writeAndAwait();
        assertSame(cqA, channel.getCqEvent(LONG));
        assertNull(channel.getCqEvent(NOW));
    }

    @Test
    @DisplayName("CQ-11 a completion queued before arming gives no event: poll after arming")
    void queuedBeforeArming() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        send(0);
        b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        writeAndAwait(); // side b answers in order, so the message has arrived
        cqB.reqNotify();
        assertNull(channel.getCqEvent(NOW));
        assertEquals(1, cqB.poll(wc));
    }

    @Test
    @DisplayName("CQ-11 arming survives a resize")
    void armingSurvivesResize() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        cqA.reqNotify();
        cqA.resize(1000);
        write();
        assertSame(cqA, channel.getCqEvent(LONG));
    }

    @Test
    @DisplayName("CQ-12 armed for solicited completions, only such a message gives an event")
    void solicitedOnly() throws Exception {
        cqB.reqNotify(true);
        send(0);
        pair.completion(cqB).checkSuccess();
        assertNull(channel.getCqEvent(NOW));
        send(SendFlags.SOLICITED);
        assertSame(cqB, channel.getCqEvent(LONG));
    }

    @Test
    @DisplayName("CQ-12 armed for solicited completions, a flushed request gives an event")
    void flushIsSolicited() throws Exception {
        cqB.reqNotify(true);
        b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        b.modify(QpAttr.of(QpState.ERR));
        assertSame(cqB, channel.getCqEvent(LONG));
    }

    @Test
    @DisplayName("CQ-13 arming for any completion wins over arming for solicited ones")
    void anyWins() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        cqB.reqNotify(false);
        cqB.reqNotify(true);
        send(0);
        assertSame(cqB, channel.getCqEvent(LONG));
        pair.completion(cqB).checkSuccess();
        cqB.reqNotify(true);
        cqB.reqNotify(false);
        send(0);
        assertSame(cqB, channel.getCqEvent(LONG));
    }

    @Test
    @DisplayName("CQ-14 two queues on one channel: each event names its own")
    void twoQueues() throws Exception {
        cqA.reqNotify();
        cqB.reqNotify();
        send(SendFlags.SIGNALED);
        List<CompletionQueue> woken = List.of(channel.getCqEvent(LONG), channel.getCqEvent(LONG));
        assertTrue(woken.contains(cqA) && woken.contains(cqB));
        assertSame(channel, cqA.channel());
        assertNull(channel.getCqEvent(NOW));
        cqA.close(); // its number goes to the next queue
        CompletionQueue next = pair.context.createCq(new CqInitAttr(8).channel(channel));
        QueuePair other = pair.pd.createQp(new QpInitAttr(QpType.RC, next));
        pair.connect(other, other);
        next.reqNotify();
        other.postSend(new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
        assertSame(next, channel.getCqEvent(LONG));
    }

    @Test
    @DisplayName("CQ-17 R events that nobody took, or whose queue was dropped, let the queue close")
    void closeWithEventsPending() throws Exception {
        cqA.reqNotify();
        cqB.reqNotify();
        send(SendFlags.SIGNALED);
        pair.completion(cqA).checkSuccess();
        pair.completion(cqB).checkSuccess();
        cqA.close(); // never taken
        assertSame(cqB, channel.getCqEvent(LONG)); // taken, not re-armed
        cqB.close();
        assertNull(channel.getCqEvent(NOW));
        channel.close();
    }

    @Test
    @DisplayName("CQ-09 closing a channel closes its queues first")
    void closingClosesItsQueues() {
        channel.close();
        assertFalse(cqA.isOpen() || cqB.isOpen() || a.isOpen() || b.isOpen());
        channel.close();
        assertThrows(IllegalStateException.class, () -> channel.getCqEvent(NOW));
        assertThrows(IllegalStateException.class, channel::handle);
        assertThrows(
                IllegalStateException.class,
                () -> pair.context.createCq(new CqInitAttr(8).channel(channel)));
        assertFalse(channel.isOpen());
        assertSame(pair.context, channel.context());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("CQ-15 siw has channels as well")
    void siwChannel() throws Exception {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            CompletionChannel waking = siw.createCompChannel();
            CompletionQueue cq = siw.createCq(new CqInitAttr(8).channel(waking));
            cq.reqNotify();
            assertNull(waking.getCqEvent(NOW));
        }
    }
}
