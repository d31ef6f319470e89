package io.github.verbs4j.examples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.AccessFlag;

/**
 * What a ping-pong tool sends from and receives into: one buffer. To check the data, the client
 * sets the first byte of each page to 0, and the server expects it there.
 */
final class PingpongBuffer implements AutoCloseable {

    /** What the C tools fill their buffer with, except that of shared receive queues. */
    static final byte FILL = 0x7b;

    private static final int PAGE = 4096;

    private final MemoryRegion mr;
    private final long header;
    private byte expected = FILL;

    PingpongBuffer(ProtectionDomain pd, long size) {
        this(pd, 0, size);
    }

    /** A buffer whose message begins after a header that only arrives. */
    PingpongBuffer(ProtectionDomain pd, long header, long size) {
        this.header = header;
        mr = pd.allocateMr(header + size, AccessFlag.LOCAL_WRITE);
        mr.segment().fill(FILL);
    }

    /** Says what the client's buffer is full of. */
    void sentBytes(byte value, boolean client) {
        expected = value;
        if (client) {
            mr.segment().fill(value);
        }
    }

    MemoryRegion mr() {
        return mr;
    }

    private long size() {
        return mr.length() - header;
    }

    void mark() {
        for (long i = 0; i < size(); i += PAGE) {
            mr.segment().set(JAVA_BYTE, header + i, (byte) 0);
        }
    }

    /** Compares every byte with what the client sent. */
    void check() {
        long wrong = 0;
        for (long page = 0; page * PAGE < size(); page++) {
            if (!isIntact(page)) {
                System.out.printf("invalid data in page %d%n", page);
                wrong++;
            }
        }
        if (wrong > 0) {
            throw new ExampleException(
                    "%d pages arrived damaged, or the peer does not check (-c)", wrong);
        }
    }

    @Override
    public void close() {
        mr.close();
    }

    private boolean isIntact(long page) {
        long end = Math.min(size(), (page + 1) * PAGE);
        for (long i = page * PAGE; i < end; i++) {
            byte wanted = i % PAGE == 0 ? 0 : expected;
            if (mr.segment().get(JAVA_BYTE, header + i) != wanted) {
                return false;
            }
        }
        return true;
    }
}
