package io.github.verbs4j;

import static io.github.verbs4j.testing.LoopbackPair.TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.DataInOrder;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class QpExtrasDeviceTest {

    @Test
    @DisplayName("DEV-14 Soft-RoCE has no ECE and no rate limit, and promises no order of bytes")
    void softRoceHasNone() {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            assumeTrue(TestDevice.isRxe(pair.context));
            QueuePair qp = pair.a;
            assertEquals(
                    "ibv_query_ece",
                    assertThrows(UnsupportedVerbException.class, qp::queryEce).verb());
            assertEquals(
                    "ibv_set_ece",
                    assertThrows(
                                    UnsupportedVerbException.class,
                                    () -> qp.setEce(new Ece(0x15b3, 1, 0)))
                            .verb());
            assertEquals(
                    "ibv_modify_qp_rate_limit",
                    assertThrows(
                                    UnsupportedVerbException.class,
                                    () -> qp.modifyRateLimit(new QpRateLimit(1000, 0, 0)))
                            .verb());
            for (WrOpcode op : WrOpcode.values()) {
                assertEquals(Set.<DataInOrder>of(), qp.queryDataInOrder(op));
                assertEquals(Set.<DataInOrder>of(), qp.queryDataInOrderOfDevice(op));
            }
        }
    }

    @Test
    @DisplayName("limits outside 32 bits are refused")
    void limitsHaveRanges() {
        assertThrows(IllegalArgumentException.class, () -> new QpRateLimit(-1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new QpRateLimit(1L << 32, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new QpRateLimit(0, 1L << 32, 0));
        assertThrows(IllegalArgumentException.class, () -> new QpRateLimit(0, 0, 65536));
    }

    @Test
    @DisplayName("PO-11 drained, the queue pair holds what is posted until it is resumed")
    void drainSends() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            SendWr wr = new SendWr(1).write(pair.mrA, 0, 1024, pair.mrB.remote(), 0);
            for (int i = 0; i < 10; i++) {
                pair.a.postSend(wr.wrId(i));
            }
            pair.a.drainSends(TIMEOUT);
            assertEquals(QpState.SQD, pair.a.state());
            assertFalse(pair.a.query().sqDraining());
            for (int i = 0; i < 10; i++) {
                assertEquals(i, pair.completionA().checkSuccess().wrId());
            }
            pair.a.postSend(wr.wrId(10));
            assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(50)));
            pair.a.modify(QpAttr.of(QpState.RTS));
            pair.a.postSend(wr.wrId(11));
            assertEquals(10, pair.completionA().checkSuccess().wrId());
            assertEquals(11, pair.completionA().checkSuccess().wrId());
        }
    }

    @Test
    @DisplayName(
            "while it is being drained a queue pair takes no state but ERR, and can be waited for")
    void stillDraining() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            assumeTrue(TestDevice.isRxe(pair.context));
            pair.connect(pair.a, pair.b, LoopbackPair.PATIENT);
            pair.a.postSend(new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0).wrId(5));
            Duration soon = Duration.ofMillis(20); // the peer never answers
            assertThrows(TimeoutException.class, () -> pair.a.drainSends(soon));
            assertThrows(TimeoutException.class, () -> pair.a.drainSends(soon));
            for (QpState state : List.of(QpState.SQD, QpState.RTS, QpState.RESET)) {
                QpAttr attr = QpAttr.of(state);
                VerbsException e = assertThrows(VerbsException.class, () -> pair.a.modify(attr));
                assertEquals(Errno.EINVAL, e.errno());
                assertTrue(e.getMessage().contains("wait with drainSends"), e.getMessage());
            }
            assertEquals(QpState.SQD, pair.a.state());
            pair.a.modify(QpAttr.of(QpState.ERR));
            assertEquals(5, pair.completionA().wrId());
            pair.a.modify(QpAttr.of(QpState.RESET));
        }
    }

    @Test
    @DisplayName("a queue pair that sends nothing yet cannot be drained")
    void drainNeedsRts() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            assertThrows(QpTransitionException.class, () -> pair.a.drainSends(TIMEOUT));
        }
    }
}
