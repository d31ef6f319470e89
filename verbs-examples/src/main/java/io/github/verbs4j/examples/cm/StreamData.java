package io.github.verbs4j.examples.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.examples.cli.ExampleException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The bytes of a stream. When they are verified, each is one more than the one before it, in either
 * direction, through all transfers and connections.
 */
final class StreamData {

    private final MemorySegment buffer;
    private final boolean verified;
    private long sent;
    private long received;

    StreamData(long size, boolean verified) {
        buffer = Arena.ofAuto().allocate(size);
        this.verified = verified;
    }

    MemorySegment slice(long from, long to) {
        return buffer.asSlice(from, to - from);
    }

    /** Prepares what is to be sent next. */
    void fill(int size) {
        if (verified) {
            for (long i = 0; i < size; i++) {
                buffer.set(JAVA_BYTE, i, (byte) sent++);
            }
        }
    }

    /** Checks what was received. */
    void verify(int size) {
        if (verified) {
            for (long i = 0; i < size; i++, received++) {
                if (buffer.get(JAVA_BYTE, i) != (byte) received) {
                    throw new ExampleException("data verification failed byte %d", received);
                }
            }
        }
    }
}
