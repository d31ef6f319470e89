package io.github.verbs4j.examples.kv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.zip.CRC32C;

/**
 * The table in the server's memory: a hash table of slots that are all alike, so that a client can
 * compute where to read.
 *
 * <pre>
 *   0   version   even: complete, odd: being written, 0: empty
 *   8   key
 *   16  checksum  CRC-32C of version, key and value
 *   24  value
 * </pre>
 *
 * <p>A READ is not atomic: it may see a slot half old and half new. Its reader accepts a slot only
 * if the version is even and the checksum is that of version, key and value together.
 *
 * @param count how many slots
 * @param valueBytes length of each value
 */
record Slots(int count, int valueBytes) {

    private static final long VERSION = 0;
    private static final long KEY = 8;
    private static final long CHECKSUM = 16;
    private static final long VALUE = 24;

    /** Length of a slot: a multiple of 64 bytes, so that none shares a cache line. */
    int slotBytes() {
        return (int) (VALUE + valueBytes + 63) / 64 * 64;
    }

    long tableBytes() {
        return (long) count * slotBytes();
    }

    /** {@return the slot where the search for a key begins; it goes on with the next one} */
    int first(long key) {
        return (int) Long.remainderUnsigned(key * 0x9e3779b97f4a7c15L, count);
    }

    int next(int slot) {
        return (slot + 1) % count;
    }

    long offset(int slot) {
        return (long) slot * slotBytes();
    }

    static long version(MemorySegment slot) {
        return slot.get(JAVA_LONG, VERSION);
    }

    static long key(MemorySegment slot) {
        return slot.get(JAVA_LONG, KEY);
    }

    MemorySegment value(MemorySegment slot) {
        return slot.asSlice(VALUE, valueBytes);
    }

    // @start region=kv-put
    /** Stores a value, so that who reads meanwhile notices. {@return the new version} */
    long put(MemorySegment slot, long key, MemorySegment value) {
        long version = version(slot) + 2;
        slot.set(JAVA_LONG, VERSION, version - 1);
        VarHandle.fullFence();
        slot.set(JAVA_LONG, KEY, key);
        value(slot).copyFrom(value);
        slot.set(JAVA_INT, CHECKSUM, checksum(version, key, value));
        VarHandle.fullFence();
        slot.set(JAVA_LONG, VERSION, version);
        return version;
    }

    // @end

    // @start region=kv-check
    /** Tells whether a copy of a slot is empty, or one value and not parts of two. */
    boolean isIntact(MemorySegment copy) {
        long version = version(copy);
        return version == 0
                || version % 2 == 0
                        && copy.get(JAVA_INT, CHECKSUM)
                                == checksum(version, key(copy), value(copy));
    }

    // @end

    private static int checksum(long version, long key, MemorySegment value) {
        CRC32C crc = new CRC32C();
        MemorySegment numbers = MemorySegment.ofArray(new long[] {version, key});
        crc.update(numbers.toArray(JAVA_BYTE));
        crc.update(value.asByteBuffer());
        return (int) crc.getValue();
    }
}
