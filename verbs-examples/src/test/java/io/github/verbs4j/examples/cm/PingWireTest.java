package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PingWireTest {

    @Test
    void theMessageIsSixteenBytesInNetworkOrder() {
        byte[] bytes = new byte[PingInfo.BYTES];
        RemoteBuffer memory = new RemoteBuffer(0x0102030405060708L, 0x40, 0xa1b2c3d4);
        PingInfo.write(MemorySegment.ofArray(bytes), memory);
        assertEquals("0102030405060708a1b2c3d400000040", HexFormat.of().formatHex(bytes));
        assertEquals(memory, PingInfo.read(MemorySegment.ofArray(bytes)));
    }

    @Test
    void theTextIsThatOfTheCTool() {
        assertEquals("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr", text(0));
        assertEquals("rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs", text(1));
        assertEquals("rdma-ping-57: zABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnop", text(57));
        assertEquals("rdma-ping-58: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopq", text(58));
    }

    private static String text(int ping) {
        byte[] data = new byte[64];
        PingData.fill(MemorySegment.ofArray(data), ping);
        assertEquals(0, data[63]);
        String text = new String(data, 0, 63, StandardCharsets.US_ASCII);
        assertEquals(text, PingData.text(MemorySegment.ofArray(data)));
        return text;
    }
}
