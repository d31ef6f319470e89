package io.github.verbs4j.examples.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The text that {@code rping} sends around: its number, then letters that shift from ping to ping.
 */
final class PingData {

    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private PingData() {}

    static void fill(MemorySegment data, int ping) {
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(head, 0, data, JAVA_BYTE, 0, head.length);
        int letters = LAST - FIRST + 1;
        for (long i = head.length; i < data.byteSize() - 1; i++) {
            long letter = FIRST + (ping + i - head.length) % letters;
            data.set(JAVA_BYTE, i, (byte) letter);
        }
        data.set(JAVA_BYTE, data.byteSize() - 1, (byte) 0);
    }

    /** {@return the text up to its NUL, which a peer may have left out} */
    static String text(MemorySegment data) {
        return new String(
                data.asSlice(0, length(data)).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    /** {@return how many bytes are before the NUL} */
    static long length(MemorySegment data) {
        long length = 0;
        while (length < data.byteSize() && data.get(JAVA_BYTE, length) != 0) {
            length++;
        }
        return length;
    }
}
