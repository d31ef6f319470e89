package io.github.verbs4j.examples.kv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.lessons.Check;
import io.github.verbs4j.examples.lessons.Progress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a client does to the store, and what it may see there: a value that was put for this key as
 * a whole, never an older one than it saw before, its own until somebody else's.
 */
final class Workload {

    private final KvClient client;
    private final long id;
    private final AtomicLongArray putsOfKey;
    private final Progress progress;
    private final long[] seen;
    private final long[] mine;
    private final long[] myVersion;
    private final MemorySegment value;
    private final MemorySegment expected;
    private long gets;

    /**
     * A client's work.
     *
     * @param id number of the client, which its values carry
     * @param putsOfKey counts the PUTs of each key, those of all clients
     */
    Workload(
            KvClient client,
            long id,
            int valueBytes,
            AtomicLongArray putsOfKey,
            Progress progress) {
        this.client = client;
        this.id = id;
        this.putsOfKey = putsOfKey;
        this.progress = progress;
        seen = new long[putsOfKey.length()];
        mine = new long[putsOfKey.length()];
        myVersion = new long[putsOfKey.length()];
        value = Arena.ofAuto().allocate(valueBytes, Long.BYTES);
        expected = Arena.ofAuto().allocate(valueBytes, Long.BYTES);
    }

    long gets() {
        return gets;
    }

    void run(int operations, int putPercent) throws InterruptedException, TimeoutException {
        SplittableRandom random = new SplittableRandom(id);
        for (int i = 0; i < operations; i++) {
            int key = random.nextInt(seen.length);
            if (random.nextInt(100) < putPercent) {
                put(key, i);
            } else {
                get(key);
            }
            progress.step();
        }
    }

    private void put(int key, long sequence) throws InterruptedException, TimeoutException {
        fill(value, key, id, sequence);
        long version = client.put(key, value);
        putsOfKey.incrementAndGet(key);
        if (version <= seen[key]) {
            throw new ExampleException(
                    "key %d: a PUT got version %d after version %d was seen",
                    key, version, seen[key]);
        }
        seen[key] = version;
        myVersion[key] = version;
        mine[key] = sequence;
    }

    // @start region=kv-consistency
    private void get(int key) throws InterruptedException, TimeoutException {
        long version = client.get(key, value);
        gets++;
        if (version < seen[key]) {
            throw new ExampleException(
                    "key %d: version %d was read after version %d", key, version, seen[key]);
        }
        seen[key] = version;
        if (version > 0) {
            checkWhole(key, value, expected);
            if (version == myVersion[key]) {
                Check.equal("writer of what was put here", id, value.get(JAVA_LONG, 0));
                Check.equal("what was put here", mine[key], value.get(JAVA_LONG, Long.BYTES));
            }
        }
    }

    // @end

    /** Requires that a value is one that somebody put for this key, and not parts of two. */
    static void checkWhole(int key, MemorySegment value, MemorySegment scratch) {
        fill(scratch, key, value.get(JAVA_LONG, 0), value.get(JAVA_LONG, Long.BYTES));
        Check.equal("value of key " + key, scratch, value);
    }

    private static void fill(MemorySegment value, long key, long client, long sequence) {
        Check.fill(value, key + 31 * client + 101 * sequence);
        value.set(JAVA_LONG, 0, client);
        value.set(JAVA_LONG, Long.BYTES, sequence);
    }
}
