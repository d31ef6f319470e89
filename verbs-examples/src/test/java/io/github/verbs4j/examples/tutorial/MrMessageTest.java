package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.ByteOrder.nativeOrder;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class MrMessageTest {

    @Test
    void theMessageIsLaidOutAsByTheCCompiler() {
        assumeTrue(nativeOrder() == LITTLE_ENDIAN);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(MrMessage.BYTES, 8).fill((byte) 0x55);
            RemoteBuffer memory = new RemoteBuffer(0x0102030405060708L, 1024, 0xa1b2c3d4);
            MrMessage.writeMr(bytes, memory);
            assertEquals(
                    "00".repeat(24)
                            + "0807060504030201"
                            + "0004000000000000"
                            + "00".repeat(8)
                            + "d4c3b2a1"
                            + "00".repeat(4),
                    HexFormat.of().formatHex(bytes.toArray(JAVA_BYTE)));
            assertEquals(MrMessage.MR, MrMessage.type(bytes, 56));
            assertEquals(memory, MrMessage.mr(bytes));
            MrMessage.writeDone(bytes);
            assertEquals(
                    "01" + "00".repeat(55), HexFormat.of().formatHex(bytes.toArray(JAVA_BYTE)));
            assertThrows(ExampleException.class, () -> MrMessage.type(bytes, 55));
        }
    }
}
