package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.ForkStatus;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class ForkDeviceTest {

    @Test
    @DisplayName("FK-01 a kernel that copies on fork needs nothing, before and after init")
    void unneededBeforeAndAfterInit() {
        assertEquals(ForkStatus.UNNEEDED, Fork.status());
        Fork.init();
        assertEquals(ForkStatus.UNNEEDED, Fork.status());
        try (LoopbackPair pair = LoopbackPair.connected()) {
            Fork.init();
            assertEquals(ForkStatus.UNNEEDED, Fork.status());
            assertEquals(64 << 10, pair.mrA.length());
        }
    }

    @Test
    @DisplayName("FK-02 regions and queue pairs work on after the process has forked")
    void worksAfterStartingAProgram() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            pair.mrA.segment().setString(0, "before");
            assertEquals(0, new ProcessBuilder("true").start().waitFor());
            pair.mrA.segment().setString(0, "after");
            pair.a.postSend(
                    new SendWr(1)
                            .write(pair.mrA, 0, 6, pair.mrB.remote(), 0)
                            .sendFlags(SendFlags.SIGNALED));
            assertEquals(WcStatus.SUCCESS, pair.completionA().status());
            assertEquals("after", pair.mrB.segment().getString(0));
        }
    }
}
