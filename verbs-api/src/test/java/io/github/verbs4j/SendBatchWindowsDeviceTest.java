package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Memory windows that batches bind and invalidate. */
@RequiresDevice
class SendBatchWindowsDeviceTest {

    private static byte[] bytes(MemoryRegion mr, long offset, int length) {
        return mr.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void fill(MemoryRegion mr) {
        for (int i = 0; i < 256; i++) {
            mr.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
        }
    }

    @Test
    @DisplayName("EX-08 a window is bound, taken back, bound again and invalidated by the peer")
    void windows() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected();
                MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2)) {
            MwBind bind = new MwBind(pair.mrA, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            SendBatch batch = pair.a.sendBatch(4);
            int rkey = mw.rkey();
            batch.bindMw(mw, bind).localInv(mw).bindMw(mw, bind).complete();
            assertTrue(mw.isBound());
            assertFalse(mw.rkey() == rkey);
            for (WcOpcode opcode :
                    new WcOpcode[] {WcOpcode.BIND_MW, WcOpcode.LOCAL_INV, WcOpcode.BIND_MW}) {
                pair.succeed(pair.cqA);
                assertEquals(opcode, pair.wc.opcode(0));
            }
            fill(pair.mrB);
            RemoteBuffer target = mw.remote(bind);
            SendBatch peer = pair.b.sendBatch(2);
            pair.a.postRecv(new RecvWr(1).sge(pair.mrA, 4096, 64));
            peer.rdmaWrite(target, 64)
                    .setSge(pair.mrB, 0, 8)
                    .sendInv(target.rkey())
                    .setSge(pair.mrB, 8, 4)
                    .complete();
            pair.succeed(pair.cqB);
            pair.succeed(pair.cqB);
            assertArrayEquals(bytes(pair.mrB, 0, 8), bytes(pair.mrA, 64, 8));
            assertTrue(mw.isBound());
            pair.succeed(pair.cqA);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(4, pair.wc.byteLen(0));
            assertEquals(target.rkey(), pair.wc.invalidatedRkey(0));
            if (TestDevice.isRxe(pair.context)) {
                assertEquals(WcFlags.GRH | WcFlags.WITH_INV, pair.wc.wcFlags(0));
            }
            assertFalse(mw.isBound());
            assertThrows(
                    IllegalStateException.class,
                    () -> pair.a.post(again -> again.localInv(mw)),
                    "K-1");
            assertThrows(
                    IllegalStateException.class,
                    () -> pair.b.post(again -> again.sendInv(target.rkey())),
                    "K-2");
        }
    }

    @Test
    @DisplayName("a batch that is not posted leaves windows as they were")
    void windowsOfAFailedBatch() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected();
                MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2)) {
            MwBind bind = new MwBind(pair.mrA, AccessFlag.REMOTE_READ);
            int rkey = mw.rkey();
            SendBatch batch = pair.a.sendBatch(300);
            batch.bindMw(mw, bind);
            while (batch.count() < 300) {
                batch.rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 1);
            }
            assertFalse(batch.tryComplete());
            assertFalse(mw.isBound());
            assertEquals(rkey, mw.rkey());
            batch.abort();
            assertThrows(
                    IllegalStateException.class,
                    () -> batch.bindMw(mw, bind).bindMw(mw, bind).complete());
            assertFalse(mw.isBound());
            assertEquals(rkey, mw.rkey());
            batch.bindMw(mw, bind).complete();
            pair.succeed(pair.cqA);
            int bound = mw.rkey();
            batch.localInv(mw);
            while (batch.count() < 300) {
                batch.rdmaWrite(pair.mrB.remote(), 0).setSge(pair.mrA, 0, 1);
            }
            assertFalse(batch.tryComplete());
            assertTrue(mw.isBound());
            assertEquals(bound, mw.rkey());
            batch.abort();
            batch.localInv(mw).complete();
            pair.succeed(pair.cqA);
            assertFalse(mw.isBound());
        }
    }
}
