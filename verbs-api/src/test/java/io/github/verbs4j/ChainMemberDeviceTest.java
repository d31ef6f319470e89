package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A request of a chain that is posted alone, though its memory is linked to the next. */
@RequiresDevice
class ChainMemberDeviceTest {

    private static final Duration QUIET = Duration.ofMillis(100);

    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    @DisplayName("PO-04 a send of a chain that is posted alone does not take the next along")
    void sendAlone() throws Exception {
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).wrId(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        chain.get(1).wrId(2).write(pair.mrA, 0, 8, pair.mrB.remote(), 8);
        pair.a.postSend(chain.get(0));
        assertEquals(1, pair.completionA().checkSuccess().wrId());
        assertTrue(pair.staysEmpty(pair.cqA, QUIET));
        pair.a.postSend(chain);
        assertEquals(1, pair.completionA().checkSuccess().wrId());
        assertEquals(2, pair.completionA().checkSuccess().wrId());
    }

    @Test
    @DisplayName("ER-19 a READ behind a send that is posted alone does not pass max_rd_atomic 0")
    void guardedBehind() throws Exception {
        pair.a.modify(QpAttr.of(QpState.RESET));
        pair.b.modify(QpAttr.of(QpState.RESET));
        pair.connect(pair.a, pair.b, attr -> attr.maxRdAtomic(0));
        pair.connect(pair.b, pair.a);
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).wrId(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        chain.get(1).wrId(2).read(pair.mrA, 0, 8, pair.mrB.remote(), 8);
        pair.a.postSend(chain.get(0));
        assertEquals(1, pair.completionA().checkSuccess().wrId());
        pair.a.postSend(new SendWr(1).wrId(3).write(pair.mrA, 0, 8, pair.mrB.remote(), 0));
        assertEquals(3, pair.completionA().checkSuccess().wrId());
    }

    @Test
    @DisplayName("PO-04 a receive of a chain that is posted alone does not take the next along")
    void receiveAlone() throws Exception {
        RecvWrArray chain = new RecvWrArray(2, 1);
        chain.get(0).wrId(1).sge(pair.mrB, 0, 8);
        chain.get(1).wrId(2).sge(pair.mrB, 8, 8);
        pair.b.postRecv(chain.get(0));
        pair.b.postRecv(new RecvWr(1).wrId(3).sge(pair.mrB, 16, 8));
        SendWr send = new SendWr(1).send(pair.mrA, 0, 8);
        pair.a.postSend(send);
        pair.a.postSend(send);
        assertEquals(1, pair.completionB().checkSuccess().wrId());
        assertEquals(3, pair.completionB().checkSuccess().wrId());
        pair.b.postRecv(chain);
        pair.a.postSend(send);
        pair.a.postSend(send);
        assertEquals(1, pair.completionB().checkSuccess().wrId());
        assertEquals(2, pair.completionB().checkSuccess().wrId());
    }
}
