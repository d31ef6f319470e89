package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.WcOpcode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class QueuePairDeviceTest {

    @Test
    @DisplayName("OP-01 SEND arrives with its length and bytes")
    void sendArrives() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.mrA.segment().setString(0, "some text");
            pair.b.postRecv(new RecvWr(1).wrId(7).sge(pair.mrB, 100, 100));
            pair.a.postSend(new SendWr(1).wrId(8).send(pair.mrA, 0, 10));
            WorkCompletion sent = pair.completionA().checkSuccess();
            WorkCompletion received = pair.completionB().checkSuccess();
            assertEquals(8, sent.wrId());
            assertEquals(WcOpcode.SEND, sent.opcode());
            assertEquals(7, received.wrId());
            assertEquals(WcOpcode.RECV, received.opcode());
            assertEquals(10, received.byteLen());
            assertEquals("some text", pair.mrB.segment().getString(100));
            assertTrue(pair.a.isOpen());
        }
    }
}
