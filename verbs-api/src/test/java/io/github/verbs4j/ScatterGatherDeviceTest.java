package io.github.verbs4j;

import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Elements: many, empty, none; and inline data in place of them. */
@RequiresDevice
class ScatterGatherDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected(attr -> attr.maxSendSge(8).maxRecvSge(8));
        for (int i = 0; i < 4096; i++) {
            pair.mrA.segment().set(JAVA_BYTE, i, (byte) (i * 7 + 1));
        }
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private byte[] bytesOfA(long offset, int length) {
        return pair.mrA.segment().asSlice(offset, length).toArray(JAVA_BYTE);
    }

    private String textOfB(long offset, int length) {
        byte[] bytes = pair.mrB.segment().asSlice(offset, length).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static MemorySegment heap(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    @DisplayName("SG-01 eight elements, one empty, arrive in a row in four of other lengths")
    void gatherAndScatter() throws Exception {
        int[] lengths = {1, 100, 0, 7, 50, 3, 2, 60};
        SendWr send = new SendWr(8);
        byte[] expected = new byte[223];
        int total = 0;
        for (int i = 0; i < 8; i++) {
            send.sge(i, pair.mrA, i * 200L, lengths[i]);
            System.arraycopy(bytesOfA(i * 200L, lengths[i]), 0, expected, total, lengths[i]);
            total += lengths[i];
        }
        assertEquals(expected.length, total);
        pair.b.postRecv(
                new RecvWr(4)
                        .sge(0, pair.mrB, 0, 3)
                        .sge(1, pair.mrB, 1000, 0)
                        .sge(2, pair.mrB, 2000, 10)
                        .sge(3, pair.mrB, 3000, 500));
        pair.a.postSend(send);
        pair.completionA().checkSuccess();
        assertEquals(total, pair.completionB().checkSuccess().byteLen());
        byte[] actual = new byte[total];
        MemorySegment arrived = MemorySegment.ofArray(actual);
        MemorySegment.copy(pair.mrB.segment(), 0, arrived, 0, 3);
        MemorySegment.copy(pair.mrB.segment(), 2000, arrived, 3, 10);
        MemorySegment.copy(pair.mrB.segment(), 3000, arrived, 13, total - 13);
        assertEquals(-1, arrived.mismatch(MemorySegment.ofArray(expected)));
    }

    @Test
    @DisplayName("SG-01 a READ scatters")
    void scatteredRead() throws Exception {
        for (int i = 0; i < 32; i++) {
            pair.mrB.segment().set(JAVA_BYTE, i, (byte) (100 + i));
        }
        pair.a.postSend(
                new SendWr(3)
                        .opcode(WrOpcode.RDMA_READ)
                        .remote(pair.mrB.remote(), 0)
                        .sge(0, pair.mrA, 0, 5)
                        .sge(1, pair.mrA, 100, 7)
                        .sge(2, pair.mrA, 200, 20));
        assertEquals(32, pair.completionA().checkSuccess().byteLen());
        assertEquals(100, pair.mrA.segment().get(JAVA_BYTE, 0));
        assertEquals(105, pair.mrA.segment().get(JAVA_BYTE, 100));
        assertEquals(112, pair.mrA.segment().get(JAVA_BYTE, 200));
        assertEquals((byte) 131, pair.mrA.segment().get(JAVA_BYTE, 219));
    }

    @Test
    @DisplayName("SG-02 a message of nothing: no element, or an empty one, into a receive of none")
    void nothing() throws Exception {
        pair.b.postRecv(new RecvWr(0));
        pair.b.postRecv(new RecvWr(0));
        pair.b.postRecv(new RecvWr(0));
        pair.a.postSend(new SendWr(0).wrId(1));
        pair.a.postSend(new SendWr(1).wrId(2).sge(0, 0, 0, 0x12345));
        pair.a.postSend(new SendWr(1).wrId(3).sge(0, heap("")).sendFlags(INLINE | SIGNALED));
        for (int i = 1; i <= 3; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
            assertEquals(0, pair.completionB().checkSuccess().byteLen());
        }
    }

    @Test
    @DisplayName("SG-03 a WRITE or READ of nothing does not look at key and address")
    void nothingRemote() throws Exception {
        for (WrOpcode opcode : new WrOpcode[] {WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ}) {
            pair.a.postSend(new SendWr(0).opcode(opcode).remote(1, 2));
            pair.completionA().checkSuccess();
        }
    }

    @Test
    @DisplayName("SG-04 inline data comes from the heap, from memory not registered and regions")
    void inline() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offHeap = arena.allocateFrom("off-heap ");
            pair.mrA.segment().setString(500, "region");
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
            SendWr wr =
                    new SendWr(3)
                            .sge(0, heap("heap "))
                            .sge(1, offHeap.asSlice(0, 9))
                            .sge(2, pair.mrA, 500, 6)
                            .sendFlags(INLINE | SIGNALED);
            pair.a.postSend(wr);
            pair.mrA.segment().setString(500, "CHANGED"); // free again as soon as posted
            offHeap.fill((byte) 0);
        }
        pair.completionA().checkSuccess();
        assertEquals(20, pair.completionB().checkSuccess().byteLen());
        assertEquals("heap off-heap region", textOfB(0, 20));
    }

    @Test
    @DisplayName("SG-04 an inline request can be changed and posted again at once")
    void inlineReused() throws Exception {
        byte[] data = new byte[1];
        SendWr wr = new SendWr(1).sge(0, MemorySegment.ofArray(data)).sendFlags(INLINE | SIGNALED);
        for (int i = 0; i < 8; i++) {
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, i, 1));
        }
        for (int i = 0; i < 8; i++) {
            data[0] = (byte) ('a' + i);
            pair.a.postSend(wr.wrId(i));
        }
        for (int i = 0; i < 8; i++) {
            assertEquals(i, pair.completionA().checkSuccess().wrId());
            pair.completionB().checkSuccess();
        }
        assertEquals("abcdefgh", textOfB(0, 8));
    }

    @Test
    @DisplayName("SG-04 an inline WRITE writes, with immediate data too")
    void inlineWrite() throws Exception {
        pair.a.postSend(
                new SendWr(1)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sge(0, heap("one"))
                        .remote(pair.mrB.remote(), 10)
                        .sendFlags(INLINE | SIGNALED));
        pair.completionA().checkSuccess();
        pair.b.postRecv(new RecvWr(0));
        pair.a.postSend(
                new SendWr(1)
                        .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                        .immData(11)
                        .sge(0, heap("two"))
                        .remote(pair.mrB.remote(), 13)
                        .sendFlags(INLINE | SIGNALED));
        pair.completionA().checkSuccess();
        assertEquals(11, pair.completionB().checkSuccess().immData());
        assertEquals("onetwo", textOfB(10, 6));
    }

    @Test
    @DisplayName(
            "SG-04 a chain mixes inline and other requests, in order, and serves again without")
    void mixedChain() throws Exception {
        pair.mrA.segment().setString(0, "plain");
        SendWrArray chain = new SendWrArray(5, 1);
        for (int i = 0; i < 5; i++) {
            chain.get(i).wrId(i).opcode(WrOpcode.SEND);
            if (i % 2 == 0) {
                chain.get(i).sge(0, heap("in" + i + "  ")).sendFlags(INLINE | SIGNALED);
            } else {
                chain.get(i).sge(pair.mrA, 0, 5);
            }
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5; i++) {
                pair.b.postRecv(new RecvWr(1).wrId(i).sge(pair.mrB, i * 5L, 5));
            }
            pair.a.postSend(chain);
            for (int i = 0; i < 5; i++) {
                assertEquals(i, pair.completionA().checkSuccess().wrId());
                assertEquals(i, pair.completionB().checkSuccess().wrId());
            }
            String middle = round == 0 ? "in2  " : "plain";
            assertEquals("in0  plain" + middle + "plainin4  ", textOfB(0, 25));
            chain.get(2).sge(pair.mrA, 0, 5).sendFlags(SIGNALED);
        }
    }

    @Test
    @DisplayName("SG-04 part of a chain with inline requests is posted alone, the links stay whole")
    void partOfMixedChain() throws Exception {
        SendWrArray chain = new SendWrArray(3, 1);
        for (int i = 0; i < 3; i++) {
            chain.get(i).wrId(i).sge(0, heap("" + i)).sendFlags(INLINE | SIGNALED);
        }
        for (int i = 0; i < 5; i++) {
            pair.b.postRecv(new RecvWr(1).sge(pair.mrB, i, 1));
        }
        assertEquals(2, pair.a.tryPostSend(chain, 2));
        assertEquals(3, pair.a.tryPostSend(chain, 3));
        for (int id : new int[] {0, 1, 0, 1, 2}) {
            assertEquals(id, pair.completionA().checkSuccess().wrId());
            pair.completionB().checkSuccess();
        }
        assertEquals("01012", textOfB(0, 5));
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(50)));
    }

    @Test
    @DisplayName("SG-09 a receive element that promises more than its region is fine if not used")
    void receiveBeyondItsRegion() throws Exception {
        long address = pair.mrB.address() + pair.mrB.length() - 16;
        pair.b.postRecv(new RecvWr(1).sge(0, address, 64, pair.mrB.lkey()));
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 16));
        pair.completionA().checkSuccess();
        assertEquals(16, pair.completionB().checkSuccess().byteLen());
    }
}
