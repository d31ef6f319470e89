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
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.Set;
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
    @DisplayName("a queue pair that sends nothing yet cannot be drained")
    void drainNeedsRts() {
        try (LoopbackPair pair = new LoopbackPair(attr -> attr)) {
            assertThrows(QpTransitionException.class, () -> pair.a.drainSends(TIMEOUT));
        }
    }
}
