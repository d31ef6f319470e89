package io.github.verbs4j.examples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.AccessFlag;

/**
 * What a ping-pong tool sends from and receives into: one buffer full of 0x7b. To check the data,
 * the client sets the first byte of each page to 0, and the server expects it there.
 */
final class PingpongBuffer {

    private static final byte FILL = 0x7b;
    private static final int PAGE = 4096;

    private final MemoryRegion mr;

    PingpongBuffer(ProtectionDomain pd, long size) {
        mr = pd.allocateMr(size, AccessFlag.LOCAL_WRITE);
        mr.segment().fill(FILL);
    }

    MemoryRegion mr() {
        return mr;
    }

    void mark() {
        for (long i = 0; i < mr.length(); i += PAGE) {
            mr.segment().set(JAVA_BYTE, i, (byte) 0);
        }
    }

    /** Compares every byte with what the client sent. */
    void check() {
        long wrong = 0;
        for (long page = 0; page * PAGE < mr.length(); page++) {
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

    private boolean isIntact(long page) {
        long end = Math.min(mr.length(), (page + 1) * PAGE);
        for (long i = page * PAGE; i < end; i++) {
            if (mr.segment().get(JAVA_BYTE, i) != (i % PAGE == 0 ? 0 : FILL)) {
                return false;
            }
        }
        return true;
    }
}
