package io.github.verbs4j.examples.demo;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.ExampleException;
import java.lang.foreign.MemorySegment;

/**
 * Registered memory with guard bytes before and after its data, and beside it a copy of what it
 * must hold. The two are compared guards included, so neither a wrong byte nor one too many goes
 * unnoticed.
 */
final class GuardedRegion implements AutoCloseable {

    /** Where the data begins in the region; as many guard bytes follow it. */
    static final int DATA = 64;

    private static final byte GUARD = (byte) 0xa5;

    private final String name;
    private final int size;
    private final MemoryRegion mr;
    private final MemorySegment expected;

    GuardedRegion(String name, ProtectionDomain pd, int size) {
        this.name = name;
        this.size = size;
        int length = DATA + size + DATA;
        // @start region=region
        mr = pd.allocateMr(length, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
        // @end
        expected = MemorySegment.ofArray(new byte[length]);
    }

    @Override
    public void close() {
        mr.close();
    }

    MemoryRegion mr() {
        return mr;
    }

    /**
     * Fills the data with a pattern that differs at every byte from those of the next 255 seeds.
     */
    void fill(int seed) {
        expected.fill(GUARD);
        for (int i = 0; i < size; i++) {
            expected.set(JAVA_BYTE, DATA + i, (byte) (seed + i + i / 256));
        }
        mr.segment().copyFrom(expected);
    }

    /** Says that the data must now be that of the other region. */
    void expectDataOf(GuardedRegion other) {
        MemorySegment.copy(other.expected, DATA, expected, DATA, size);
    }

    /** Says that the first 8 bytes of the data must now be this number. */
    void expectFirst(long value) {
        expected.set(JAVA_LONG_UNALIGNED, DATA, value);
    }

    /** What the first 8 bytes of the data must be. */
    long first() {
        return expected.get(JAVA_LONG_UNALIGNED, DATA);
    }

    /** Compares every byte with what it must be. */
    void verify() {
        long at = mr.segment().mismatch(expected);
        if (at >= 0) {
            boolean inside = at >= DATA && at < DATA + size;
            throw new ExampleException(
                    "byte %d of %s is 0x%02x, must be 0x%02x%s",
                    at - DATA,
                    name,
                    mr.segment().get(JAVA_BYTE, at),
                    expected.get(JAVA_BYTE, at),
                    inside ? "" : ": it lies outside the data");
        }
    }
}
