package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;

/**
 * What both sides of read-write say: where memory is, or that they are done. 56 bytes, as the C
 * compiler lays out a number and a whole {@code struct ibv_mr}, in the byte order of the machine.
 * The pointers in it mean nothing to the peer and stay 0.
 */
final class MrMessage {

    static final int BYTES = 56;

    static final int MR = 0;
    static final int DONE = 1;

    private MrMessage() {}

    static void writeMr(MemorySegment message, RemoteBuffer memory) {
        message.fill((byte) 0);
        message.set(JAVA_INT, 0, MR);
        message.set(JAVA_LONG, 24, memory.address());
        message.set(JAVA_LONG, 32, memory.length());
        message.set(JAVA_INT, 48, memory.rkey());
    }

    static void writeDone(MemorySegment message) {
        message.fill((byte) 0);
        message.set(JAVA_INT, 0, DONE);
    }

    static int type(MemorySegment message, long length) {
        int type = length == BYTES ? message.get(JAVA_INT, 0) : -1;
        if (type != MR && type != DONE) {
            throw new ExampleException(
                    "the peer is no read-write: it sent %d bytes for %d", length, BYTES);
        }
        return type;
    }

    static RemoteBuffer mr(MemorySegment message) {
        return new RemoteBuffer(
                message.get(JAVA_LONG, 24), message.get(JAVA_LONG, 32), message.get(JAVA_INT, 48));
    }
}
