package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfLong;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What comes with the end of a file, in the buffer: its length and SHA-256. The tutorial's client
 * writes nothing there and its server does not look, so that this breaks neither: the end is the
 * immediate value 0.
 *
 * @param length bytes of the file
 * @param sha256 its digest
 */
record FileEnd(long length, byte[] sha256) {

    static final int BYTES = 48;

    private static final byte[] MAGIC = "SHA-256\0".getBytes(StandardCharsets.US_ASCII);
    private static final OfLong LENGTH = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    void write(MemorySegment buffer) {
        MemorySegment.copy(MAGIC, 0, buffer, JAVA_BYTE, 0, MAGIC.length);
        buffer.set(LENGTH, 8, length);
        MemorySegment.copy(sha256, 0, buffer, JAVA_BYTE, 16, sha256.length);
    }

    /** {@return the end, or null when the client says no more than that it is one} */
    static FileEnd read(MemorySegment buffer, long written) {
        byte[] magic = buffer.asSlice(0, MAGIC.length).toArray(JAVA_BYTE);
        return written != BYTES || !Arrays.equals(magic, MAGIC)
                ? null
                : new FileEnd(buffer.get(LENGTH, 8), buffer.asSlice(16, 32).toArray(JAVA_BYTE));
    }

    /** {@return the part of the digest that the server's answer has room for} */
    static int prefix(byte[] sha256) {
        return MemorySegment.ofArray(sha256)
                .get(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN), 0);
    }
}
