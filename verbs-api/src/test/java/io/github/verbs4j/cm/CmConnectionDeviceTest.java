package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmEventType.DISCONNECTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class CmConnectionDeviceTest {

    @Test
    @DisplayName("a connection carries a SEND, and ends on both sides")
    void sendAndDisconnect() throws Exception {
        for (TestDevice.Kind kind :
                new TestDevice.Kind[] {TestDevice.Kind.RXE, TestDevice.Kind.SIW}) {
            try (CmPair pair = CmPair.connected(kind)) {
                MemoryRegion from = CmPair.region(pair.client);
                MemoryRegion to = CmPair.region(pair.server, AccessFlag.LOCAL_WRITE);
                from.segment().setString(0, "hello");
                pair.serverQp.postRecv(new RecvWr(1).sge(to, 0, 100));
                pair.clientQp.postSend(new SendWr(1).send(from, 0, 6));
                CmPair.completion(pair.clientQp.sendCq()).checkSuccess();
                CmPair.completion(pair.serverQp.recvCq()).checkSuccess();
                assertEquals("hello", to.segment().getString(0));
                assertSame(pair.client.context(), pair.server.context());
                pair.client.disconnect();
                assertEquals(QpState.ERR, pair.clientQp.state());
                pair.server.await(DISCONNECTED);
                pair.server.disconnect();
                pair.client.await(DISCONNECTED);
                from.close();
                to.close();
            }
        }
    }
}
