package io.github.verbs4j.examples.tutorial;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.examples.cli.ExampleException;
import java.lang.foreign.MemorySegment;

/**
 * What the server of a file transfer says: a number, and for MR where its buffer is. 24 bytes as
 * the C compiler lays them out, in the byte order of the machine.
 *
 * @param id one of {@link #MR}, {@link #READY}, {@link #DONE}, {@link #REFUSED}
 * @param address MR: of the buffer; DONE: how many bytes were stored; REFUSED: why, as an ordinal
 *     of {@link Refusal}
 * @param rkey MR: the buffer's key; DONE: the first four bytes of the digest
 */
record FileMessage(int id, long address, int rkey) {

    static final int BYTES = 24;

    static final int MR = 1;
    static final int READY = 2;
    static final int DONE = 3;

    /** Not of the tutorial, whose client ignores it and sees the server disconnect. */
    static final int REFUSED = 4;

    void write(MemorySegment message) {
        message.fill((byte) 0);
        message.set(JAVA_INT, 0, id);
        message.set(JAVA_LONG, 8, address);
        message.set(JAVA_INT, 16, rkey);
    }

    static FileMessage read(MemorySegment message, long length) {
        if (length != BYTES) {
            throw new ExampleException(
                    "the peer is no file-transfer: it sent %d bytes for %d", length, BYTES);
        }
        return new FileMessage(
                message.get(JAVA_INT, 0), message.get(JAVA_LONG, 8), message.get(JAVA_INT, 16));
    }
}
