package io.github.verbs4j;

import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.WcStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where, in which state and how many at a time requests may be posted. */
@RequiresDevice
class PostDeviceTest {

    private static final Duration QUIET = Duration.ofMillis(100);

    private LoopbackPair pair;

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
    }

    private void connected() {
        pair = LoopbackPair.connected();
    }

    /** A pair whose side {@code a} sends what waits until {@code b} posts receives. */
    private void patient() {
        pair = new LoopbackPair(attr -> attr);
        pair.connect(pair.a, pair.b, LoopbackPair.PATIENT);
        pair.connect(pair.b, pair.a);
    }

    private SendWr send(long id) {
        return new SendWr(1).wrId(id).send(pair.mrA, 0, 8);
    }

    private RecvWr recv(long id) {
        return new RecvWr(1).wrId(id).sge(pair.mrB, 0, 64);
    }

    private int roomForReceives(QueuePair qp) {
        RecvWr wr = new RecvWr(1).sge(pair.mrB, 0, 64);
        int room = 0;
        while (qp.tryPostRecv(wr.wrId(room))) {
            room++;
        }
        return room;
    }

    @Test
    @DisplayName("PO-01 receives are refused in RESET and taken from INIT on")
    void receivesByState() throws Exception {
        pair = new LoopbackPair(attr -> attr);
        List<QpAttr> steps = pair.steps(pair.b, pair.a);
        PostException e = assertThrows(PostException.class, () -> pair.b.postRecv(recv(1)));
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("RESET"), e.getMessage());
        pair.b.modify(steps.get(0));
        pair.b.postRecv(recv(2));
        pair.b.modify(steps.get(1));
        pair.b.postRecv(recv(3));
        pair.connect(pair.a, pair.b);
        pair.a.postSend(send(4));
        pair.a.postSend(send(5));
        assertEquals(2, pair.completionB().checkSuccess().wrId());
        assertEquals(3, pair.completionB().checkSuccess().wrId());
    }

    @ParameterizedTest
    @EnumSource(
            value = QpState.class,
            names = {"RESET", "INIT", "RTR"})
    @DisplayName("PO-02 sends are refused in Java before RTS, and none runs later")
    void sendsBeforeRts(QpState state) throws Exception {
        pair = new LoopbackPair(attr -> attr);
        pair.connect(pair.b, pair.a);
        for (int i = 0; i < 4; i++) {
            pair.b.postRecv(recv(i));
        }
        List<QpAttr> steps = pair.steps(pair.a, pair.b);
        int step = state.value();
        steps.subList(0, step).forEach(pair.a::modify);
        assertEquals(state, pair.a.state());
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).send(pair.mrA, 0, 8);
        chain.get(1).send(pair.mrA, 0, 8);
        byte[] inline = new byte[4];
        for (Runnable post :
                new Runnable[] {
                    () -> pair.a.postSend(send(1)),
                    () -> pair.a.tryPostSend(send(2)),
                    () -> pair.a.postSend(chain),
                    () -> pair.a.tryPostSend(chain, 1),
                    () ->
                            pair.a.postSend(
                                    new SendWr(1)
                                            .sge(0, java.lang.foreign.MemorySegment.ofArray(inline))
                                            .sendFlags(INLINE | SIGNALED))
                }) {
            String message = assertThrows(IllegalStateException.class, post::run).getMessage();
            assertTrue(message.contains("in state " + state), message);
        }
        steps.subList(step, steps.size()).forEach(pair.a::modify);
        // The doorbell of a post in RTS is what makes rxe run those it kept.
        pair.a.postSend(send(77));
        assertEquals(77, pair.completionA().checkSuccess().wrId());
        assertEquals(0, pair.completionB().checkSuccess().wrId());
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
        assertTrue(pair.staysEmpty(pair.cqB, QUIET));
    }

    @Test
    @DisplayName("sends are refused again after a reset")
    void sendsAfterReset() {
        connected();
        pair.a.modify(QpAttr.of(QpState.RESET));
        assertThrows(IllegalStateException.class, () -> pair.a.postSend(send(1)));
    }

    @Test
    @DisplayName("PO-04 a chain of receives beyond the room is posted up to there, which is told")
    void receiveChainTooLong() throws Exception {
        connected();
        int room = roomForReceives(pair.a);
        assertTrue(room >= 16, "room for " + room);
        RecvWrArray chain = new RecvWrArray(room + 5, 1);
        for (int i = 0; i < chain.capacity(); i++) {
            chain.get(i).wrId(i).sge(pair.mrB, 0, 64);
        }
        PostException e = assertThrows(PostException.class, () -> pair.b.postRecv(chain));
        assertEquals(Errno.ENOMEM, e.errno());
        assertEquals(room, e.index());
        assertEquals(0, pair.b.tryPostRecv(chain, 3));
        for (int i = 0; i < 3; i++) {
            pair.a.postSend(send(i));
            assertEquals(i, pair.completionB().checkSuccess().wrId());
        }
        assertEquals(3, pair.b.tryPostRecv(chain, chain.capacity()));
    }

    @Test
    @DisplayName("PO-04 a chain of sends beyond the room is posted up to there, which is told")
    void sendChainTooLong() throws Exception {
        patient();
        int room = 0;
        SendWr wr = send(0);
        while (pair.a.tryPostSend(wr.wrId(room))) {
            room++;
        }
        assertTrue(room >= 16, "room for " + room);
        for (int i = 0; i < 5; i++) {
            pair.b.postRecv(recv(i));
            pair.completionA().checkSuccess();
        }
        SendWrArray chain = new SendWrArray(12, 1);
        for (int i = 0; i < 12; i++) {
            chain.get(i).wrId(1000 + i).send(pair.mrA, 0, 8);
        }
        PostException e = assertThrows(PostException.class, () -> pair.a.postSend(chain));
        assertEquals(Errno.ENOMEM, e.errno());
        assertEquals(5, e.index());
        assertTrue(e.getMessage().contains("request 5"), e.getMessage());
        assertTrue(e.getMessage().contains("full"), e.getMessage());
        assertEquals(0, pair.a.tryPostSend(chain, 12));
        int posted = room + 5;
        for (int i = 5; i < posted; i++) {
            pair.b.postRecv(recv(i));
            long id = pair.completionA().checkSuccess().wrId();
            assertEquals(i < room ? i : 1000 + i - room, id);
        }
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("PO-04 a chain with inline requests reports the same index when the queue is full")
    void inlineChainTooLong() throws Exception {
        patient();
        int room = 0;
        while (pair.a.tryPostSend(send(0))) {
            room++;
        }
        for (int i = 0; i < 3; i++) {
            pair.b.postRecv(recv(i));
            pair.completionA().checkSuccess();
        }
        SendWrArray chain = new SendWrArray(6, 1);
        for (int i = 0; i < 6; i++) {
            chain.get(i).send(pair.mrA, 0, 8).sendFlags(i % 2 == 1 ? INLINE | SIGNALED : SIGNALED);
        }
        assertEquals(3, pair.a.tryPostSend(chain, 6));
        PostException e = assertThrows(PostException.class, () -> pair.a.postSend(chain));
        assertEquals(0, e.index());
        for (int i = 0; i < room; i++) {
            pair.b.postRecv(recv(i));
            pair.completionA().checkSuccess();
        }
    }

    @Test
    @DisplayName("PO-04 part of a chain can be posted, and the whole of it again afterwards")
    void partOfChain() throws Exception {
        connected();
        SendWrArray chain = new SendWrArray(4, 1);
        RecvWrArray receives = new RecvWrArray(8, 1);
        for (int i = 0; i < 4; i++) {
            chain.get(i).wrId(i).send(pair.mrA, 0, 8);
        }
        for (int i = 0; i < 8; i++) {
            receives.get(i).wrId(i).sge(pair.mrB, 0, 64);
        }
        assertEquals(2, pair.b.tryPostRecv(receives, 2));
        assertEquals(2, pair.a.tryPostSend(chain, 2));
        for (int i = 0; i < 2; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
            assertEquals(i, pair.completionB().checkSuccess().wrId());
        }
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
        pair.b.postRecv(receives);
        pair.a.postSend(chain);
        for (int i = 0; i < 4; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
            assertEquals(i, pair.completionB().checkSuccess().wrId());
        }
    }

    @Test
    @DisplayName("PO-05 of a chain whose second request the device refuses, only the first runs")
    void refusedInTheMiddle() throws Exception {
        connected();
        assumeTrue(
                TestDevice.isRxe(pair.context), "another device finds out later, by a completion");
        pair.b.postRecv(recv(1));
        SendWrArray chain = new SendWrArray(3, 1);
        chain.get(0).wrId(1).send(pair.mrA, 0, 8);
        chain.get(1)
                .wrId(2)
                .opcode(io.github.verbs4j.types.WrOpcode.ATOMIC_FETCH_AND_ADD)
                .sge(pair.mrA, 0, 8)
                .remote(pair.mrB.address() + 4, pair.mrB.rkey()); // not aligned to 8
        chain.get(2).wrId(3).send(pair.mrA, 0, 8);
        PostException e = assertThrows(PostException.class, () -> pair.a.postSend(chain));
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals(1, e.index());
        assertEquals(1, pair.completionA().checkSuccess().wrId());
        assertEquals(1, pair.completionB().checkSuccess().wrId());
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("PO-06 more elements than the queue pair takes are refused, send and receive")
    void tooManyElements() {
        connected();
        int limit = pair.a.cap().maxSendSge();
        SendWr send = new SendWr(limit + 1).sge(limit, pair.mrA, 0, 1);
        String message =
                assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(send))
                        .getMessage();
        assertTrue(message.contains((limit + 1) + " gather elements"), message);
        int scatter = pair.a.cap().maxRecvSge();
        RecvWr recv = new RecvWr(scatter + 1).sge(scatter, pair.mrA, 0, 1);
        message =
                assertThrows(IllegalArgumentException.class, () -> pair.a.postRecv(recv))
                        .getMessage();
        assertTrue(message.contains((scatter + 1) + " scatter elements"), message);
        SendWrArray chain = new SendWrArray(2, limit + 1);
        chain.get(0).send(pair.mrA, 0, 1);
        chain.get(1).sge(limit, pair.mrA, 0, 1);
        assertThrows(IllegalArgumentException.class, () -> pair.a.postSend(chain));
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
    }

    @Test
    @DisplayName("PO-07 null requests are refused")
    void nothing() {
        connected();
        assertThrows(NullPointerException.class, () -> pair.a.postSend((SendWr) null));
        assertThrows(NullPointerException.class, () -> pair.a.postSend((SendWrArray) null));
        assertThrows(NullPointerException.class, () -> pair.a.postRecv((RecvWr) null));
        assertThrows(NullPointerException.class, () -> pair.a.postRecv((RecvWrArray) null));
        assertThrows(NullPointerException.class, () -> pair.a.tryPostSend(null));
        assertThrows(NullPointerException.class, () -> pair.a.tryPostRecv(null));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE})
    @DisplayName("a count outside the chain is refused")
    void countOutsideChain(int count) {
        connected();
        SendWrArray sends = new SendWrArray(2, 0);
        RecvWrArray receives = new RecvWrArray(2, 0);
        assertThrows(IllegalArgumentException.class, () -> pair.a.tryPostSend(sends, count));
        assertThrows(IllegalArgumentException.class, () -> pair.a.tryPostRecv(receives, count));
    }

    @Test
    @DisplayName("in ERR sends are taken and flushed")
    void sendsInErr() throws Exception {
        connected();
        pair.a.modify(QpAttr.of(QpState.ERR));
        pair.a.postSend(send(5));
        WorkCompletion flushed = pair.completionA();
        assertEquals(WcStatus.WR_FLUSH_ERR, flushed.status());
        assertEquals(5, flushed.wrId());
    }

    @Test
    @DisplayName("PO-10 receives posted before ERR are flushed in order")
    void receivesFlushed() throws Exception {
        connected();
        for (int i = 0; i < 3; i++) {
            pair.b.postRecv(recv(i));
        }
        pair.b.modify(QpAttr.of(QpState.ERR));
        for (int i = 0; i < 3; i++) {
            WorkCompletion flushed = pair.completionB();
            assertEquals(WcStatus.WR_FLUSH_ERR, flushed.status());
            assertEquals(i, flushed.wrId());
        }
    }

    @Test
    @DisplayName("PO-10 receives posted in ERR are flushed, on rxe by the next step to ERR")
    void receivesInErr() throws Exception {
        connected();
        pair.b.modify(QpAttr.of(QpState.ERR));
        pair.b.postRecv(recv(6));
        pair.b.modify(QpAttr.of(QpState.ERR));
        WorkCompletion flushed = pair.completionB();
        assertEquals(WcStatus.WR_FLUSH_ERR, flushed.status());
        assertEquals(6, flushed.wrId());
    }

    @Test
    @DisplayName("PO-11 in SQD sends are held; back in RTS, with the next post, they run in order")
    void sendsInSqd() throws Exception {
        connected();
        for (int i = 0; i < 2; i++) {
            pair.b.postRecv(recv(i));
        }
        pair.a.modify(QpAttr.of(QpState.SQD));
        pair.a.postSend(send(1));
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
        pair.a.modify(QpAttr.of(QpState.RTS));
        pair.a.postSend(send(2));
        assertEquals(1, pair.completionA().checkSuccess().wrId());
        assertEquals(2, pair.completionA().checkSuccess().wrId());
    }

    @Test
    @DisplayName("tryPost tells a full queue by false, and posts again once there is room")
    void full() throws Exception {
        patient();
        int room = 0;
        while (pair.a.tryPostSend(send(room))) {
            room++;
        }
        assertFalse(pair.a.tryPostSend(send(99)));
        assertThrows(PostException.class, () -> pair.a.postSend(send(99)));
        pair.b.postRecv(recv(0));
        pair.completionA().checkSuccess();
        assertTrue(pair.a.tryPostSend(send(100)));
    }
}
