package io.github.verbs4j.examples.cm;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** The message of {@code rping}: where some memory is, 16 bytes in network byte order. */
final class PingInfo {

    static final int BYTES = 16;

    private static final OfLong ADDRESS = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final OfInt NUMBER = JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);

    private PingInfo() {}

    static void write(MemorySegment message, RemoteBuffer memory) {
        message.set(ADDRESS, 0, memory.address());
        message.set(NUMBER, 8, memory.rkey());
        message.set(NUMBER, 12, (int) memory.length());
    }

    static RemoteBuffer read(MemorySegment message) {
        return new RemoteBuffer(
                message.get(ADDRESS, 0),
                Integer.toUnsignedLong(message.get(NUMBER, 12)),
                message.get(NUMBER, 8));
    }
}
