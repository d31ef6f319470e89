package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the requests of a batch carry arrives, inline or not, to the byte. */
@RequiresDevice
class SendBatchDataDeviceTest {

    private static byte[] bytes(MemoryRegion mr, long offset, int length) {
        return mr.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void fill(MemoryRegion mr) {
        for (int i = 0; i < 256; i++) {
            mr.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
        }
    }

    @Test
    @DisplayName("EX-08 sends and writes of one batch arrive, in order and with exact lengths")
    void sendsAndWrites() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrA);
            for (int i = 0; i < 3; i++) {
                pair.b.postRecv(new RecvWr(1).wrId(i).sge(pair.mrB, 1000 + 100 * i, 100));
            }
            pair.a
                    .sendBatch(8)
                    .wrId(10)
                    .sendImm(0xcafe)
                    .setSge(pair.mrA, 0, 10)
                    .wrId(11)
                    .rdmaWriteImm(pair.mrB.remote(), 500, 77)
                    .setSge(pair.mrA, 20, 30)
                    .wrId(12)
                    .rdmaWrite(pair.mrB.remote(), 600)
                    .setSge(pair.mrA, 40, 5)
                    .wrId(13)
                    .send()
                    .setSge(pair.mrA, 50, 7)
                    .complete();
            WcOpcode[] opcodes = {
                WcOpcode.SEND, WcOpcode.RDMA_WRITE, WcOpcode.RDMA_WRITE, WcOpcode.SEND
            };
            for (int i = 0; i < 4; i++) {
                pair.succeed(pair.cqA);
                assertEquals(10 + i, pair.wc.wrId(0));
                assertEquals(opcodes[i], pair.wc.opcode(0));
            }
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(10, pair.wc.byteLen(0));
            assertEquals(0xcafe, pair.wc.immData(0));
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, pair.wc.opcode(0));
            assertEquals(30, pair.wc.byteLen(0));
            assertEquals(77, pair.wc.immData(0));
            pair.succeed(pair.cqB);
            assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
            assertEquals(7, pair.wc.byteLen(0));
            assertThrows(IllegalStateException.class, () -> pair.wc.immData(0));
            assertArrayEquals(bytes(pair.mrA, 0, 10), bytes(pair.mrB, 1000, 10));
            assertArrayEquals(bytes(pair.mrA, 20, 30), bytes(pair.mrB, 500, 30));
            assertArrayEquals(bytes(pair.mrA, 40, 5), bytes(pair.mrB, 600, 5));
            assertArrayEquals(bytes(pair.mrA, 50, 7), bytes(pair.mrB, 1200, 7));
        }
    }

    @Test
    @DisplayName(
            "EX-08 READ, COMPARE_AND_SWAP and FETCH_AND_ADD of one batch return what was there")
    void readsAndAtomics() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrB);
            MemorySegment remote = pair.mrB.segment();
            remote.set(ValueLayout.JAVA_LONG, 1024, 40);
            pair.a.post(
                    batch ->
                            batch.rdmaRead(pair.mrB.remote(), 10)
                                    .setSge(pair.mrA, 100, 20)
                                    .atomicFetchAdd(pair.mrB.remote(), 1024, 2)
                                    .setSge(pair.mrA, 200, 8)
                                    .atomicCmpSwp(pair.mrB.remote(), 1024, 42, 99)
                                    .setSge(pair.mrA, 208, 8));
            WcOpcode[] opcodes = {WcOpcode.RDMA_READ, WcOpcode.FETCH_ADD, WcOpcode.COMP_SWAP};
            long[] lengths = {20, 8, 8};
            for (int i = 0; i < 3; i++) {
                pair.succeed(pair.cqA);
                assertEquals(opcodes[i], pair.wc.opcode(0));
                assertEquals(lengths[i], pair.wc.byteLen(0));
            }
            assertArrayEquals(bytes(pair.mrB, 10, 20), bytes(pair.mrA, 100, 20));
            assertEquals(40, pair.mrA.segment().get(ValueLayout.JAVA_LONG, 200));
            assertEquals(42, pair.mrA.segment().get(ValueLayout.JAVA_LONG, 208));
            assertEquals(99, remote.get(ValueLayout.JAVA_LONG, 1024));
        }
    }

    @Test
    @DisplayName("EX-10 too much inline data and too many elements are refused at once")
    void tooMuchData() {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            int maxInline = pair.a.cap().maxInlineData();
            int maxSge = pair.a.cap().maxSendSge();
            pair.a.post(
                    b -> {
                        b.send().setInlineData(MemorySegment.ofArray(new byte[maxInline]));
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> b.addInlineData(MemorySegment.ofArray(new byte[1])));
                        b.send();
                        for (int i = 0; i < maxSge; i++) {
                            b.addSge(pair.mrA, i, 1);
                        }
                        assertThrows(
                                IllegalArgumentException.class, () -> b.addSge(pair.mrA, 0, 1));
                        assertThrows(
                                IllegalStateException.class,
                                () -> b.addInlineData(MemorySegment.ofArray(new byte[1])));
                        assertThrows(
                                IndexOutOfBoundsException.class,
                                () -> b.setSge(pair.mrA, pair.mrA.length() - 1, 2));
                        b.rdmaRead(pair.mrB.remote(), 0);
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> b.setInlineData(MemorySegment.ofArray(new byte[1])));
                        assertThrows(
                                IllegalArgumentException.class, () -> b.wrFlags(SendFlags.INLINE));
                        b.abort();
                    });
        }
    }

    @Test
    @DisplayName("EX-11 inline data arrives, from the heap and changed after it was set")
    void inlineData() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            byte[] heap = "inline data".getBytes(StandardCharsets.UTF_8);
            byte[] sent = heap.clone();
            pair.a.post(
                    b -> {
                        b.rdmaWrite(pair.mrB.remote(), 0)
                                .setInlineData(MemorySegment.ofArray(heap));
                        Arrays.fill(heap, (byte) 0);
                    });
            pair.succeed(pair.cqA);
            assertArrayEquals(sent, bytes(pair.mrB, 0, sent.length));
            assertEquals(0, pair.mrB.segment().get(ValueLayout.JAVA_BYTE, sent.length));
        }
    }

    @Test
    @DisplayName("EX-12 lists of inline data and of elements arrive with all their bytes")
    void lists() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrA);
            for (int i = 0; i < 4; i++) {
                pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 1024L * i, 1024));
            }
            pair.a.post(
                    b ->
                            b.send()
                                    .addInlineData(MemorySegment.ofArray(new byte[] {1, 2, 3}))
                                    .addInlineData(MemorySegment.ofArray(new byte[] {4}))
                                    .addInlineData(MemorySegment.ofArray(new byte[] {5, 6})));
            pair.a.post(
                    b ->
                            b.wrId(1)
                                    .send()
                                    .addSge(pair.mrA, 0, 4)
                                    .addSge(pair.mrA, 100, 8)
                                    .addSge(pair.mrA, 200, 16)
                                    .wrId(2)
                                    .sendImm(5)
                                    .addInlineData(MemorySegment.ofArray(new byte[] {7, 8})));
            pair.a.post(b -> b.send().addSge(pair.mrA, 0, 16).addSge(pair.mrA, 50, 16));
            long[] lengths = {6, 28, 2, 32};
            for (long length : lengths) {
                pair.succeed(pair.cqA);
                pair.succeed(pair.cqB);
                assertEquals(length, pair.wc.byteLen(0));
            }
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6}, bytes(pair.mrB, 0, 6));
            assertArrayEquals(bytes(pair.mrA, 0, 4), bytes(pair.mrB, 1024, 4));
            assertArrayEquals(bytes(pair.mrA, 100, 8), bytes(pair.mrB, 1028, 8));
            assertArrayEquals(bytes(pair.mrA, 200, 16), bytes(pair.mrB, 1036, 16));
            assertArrayEquals(new byte[] {7, 8}, bytes(pair.mrB, 2048, 2));
            assertArrayEquals(bytes(pair.mrA, 50, 16), bytes(pair.mrB, 3088, 16));
        }
    }

    @Test
    @DisplayName("EX-12 a READ scatters over elements of different lengths")
    void scatter() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            fill(pair.mrB);
            pair.a.post(
                    b ->
                            b.rdmaRead(pair.mrB.remote(), 0)
                                    .addSge(pair.mrA, 0, 5)
                                    .addSge(pair.mrA, 10, 0)
                                    .addSge(pair.mrA, 20, 7));
            pair.succeed(pair.cqA);
            assertEquals(12, pair.wc.byteLen(0));
            assertArrayEquals(bytes(pair.mrB, 0, 5), bytes(pair.mrA, 0, 5));
            assertArrayEquals(bytes(pair.mrB, 5, 7), bytes(pair.mrA, 20, 7));
        }
    }

    @Test
    @DisplayName("EX-13 empty data, no data and an empty batch are all good")
    void emptyRequests() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            for (int i = 0; i < 3; i++) {
                pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 100));
            }
            pair.a.post(
                    b ->
                            b.send()
                                    .setSge(pair.mrA, 0, 0)
                                    .send()
                                    .send()
                                    .setInlineData(MemorySegment.ofArray(new byte[0])));
            pair.a.post(b -> {});
            for (int i = 0; i < 3; i++) {
                pair.succeed(pair.cqA);
                pair.succeed(pair.cqB);
                assertEquals(WcOpcode.RECV, pair.wc.opcode(0));
                assertEquals(0, pair.wc.byteLen(0));
            }
            assertEquals(0, pair.cqA.poll(pair.wc));
        }
    }

    @Test
    @DisplayName("Elements of 4 GiB together, which rxe takes for none, are refused")
    void longList() throws Exception {
        try (ExtendedPair pair = ExtendedPair.connected()) {
            SendBatch batch = pair.a.sendBatch(1);
            batch.rdmaWrite(pair.mrB.remote(), 0).setSge(1, 0, 0xffff_fffeL);
            batch.addSge(pair.mrA, 0, 1);
            assertThrows(IllegalArgumentException.class, () -> batch.addSge(pair.mrA, 0, 1));
        }
    }
}
