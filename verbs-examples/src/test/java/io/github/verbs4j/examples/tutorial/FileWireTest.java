package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.ByteOrder.nativeOrder;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.examples.cli.ExampleException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWireTest {

    @TempDir Path folder;

    @Test
    void theMessageIsLaidOutAsByTheCCompiler() {
        assumeTrue(nativeOrder() == LITTLE_ENDIAN);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(FileMessage.BYTES, 8).fill((byte) 0x55);
            FileMessage message = new FileMessage(FileMessage.MR, 0x0102030405060708L, 0xa1b2c3d4);
            message.write(bytes);
            assertEquals(
                    "01000000000000000807060504030201d4c3b2a100000000",
                    HexFormat.of().formatHex(bytes.toArray(JAVA_BYTE)));
            assertEquals(message, FileMessage.read(bytes, 24));
            assertThrows(ExampleException.class, () -> FileMessage.read(bytes, 23));
        }
    }

    @Test
    void theEndCarriesLengthAndDigestOrNothing() {
        byte[] sha256 = Digests.sha256().digest();
        MemorySegment buffer = MemorySegment.ofArray(new byte[64]);
        new FileEnd(5, sha256).write(buffer);
        FileEnd end = FileEnd.read(buffer, FileEnd.BYTES);
        assertEquals(5, end.length());
        assertArrayEquals(sha256, end.sha256());
        assertEquals(0xe3b0c442, FileEnd.prefix(sha256));
        assertNull(FileEnd.read(buffer, 0), "the tutorial's client writes nothing");
    }

    @Test
    void aFileHasItsNameOnlyWhenItIsComplete() throws Exception {
        try (IncomingFile file = new IncomingFile(folder, "a")) {
            file.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals(0, named());
            assertEquals(1, all());
            file.commit();
        }
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(folder.resolve("a")));
        assertEquals(1, all());
    }

    @Test
    void anAbandonedFileLeavesNothing() throws Exception {
        try (IncomingFile file = new IncomingFile(folder, "a")) {
            file.append(ByteBuffer.wrap(new byte[] {1}));
        }
        assertEquals(0, all());
    }

    @Test
    void aFileThatExistsOrComesIntoBeingMeanwhileIsLeftAsItIs() throws Exception {
        try (IncomingFile file = new IncomingFile(folder, "a")) {
            Files.writeString(folder.resolve("a"), "mine");
            assertEquals(Refusal.EXISTS, assertThrows(Refused.class, file::commit).reason());
        }
        assertEquals(
                Refusal.EXISTS,
                assertThrows(Refused.class, () -> new IncomingFile(folder, "a")).reason());
        Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));
        assertThrows(Refused.class, () -> new IncomingFile(folder, "dangling"));
        assertEquals("mine", Files.readString(folder.resolve("a")));
        assertEquals(2, all());
    }

    @Test
    void theBarGrowsWithTheFile() {
        Progress bar = new Progress("a", false);
        assertEquals("a [" + ".".repeat(40) + "]   0 %", bar.line(0, 8));
        assertEquals("a [" + "#".repeat(20) + ".".repeat(20) + "]  50 %", bar.line(4, 8));
        assertEquals("a [" + "#".repeat(40) + "] 100 %", bar.line(9, 8));
    }

    private long named() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(".")).count();
        }
    }

    private long all() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }
}
