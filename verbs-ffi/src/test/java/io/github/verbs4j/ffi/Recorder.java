package io.github.verbs4j.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The struct of record.h, in which the C side of the marshalling test keeps what it saw. */
final class Recorder {

    private static final int COUNT = 8;
    private static final int ARGS = 16;
    private static final int RESULTS = ARGS + 12 * 8;
    private static final int ERROR = RESULTS + 8 * 8;
    private static final int NAME = ERROR + 8;
    private static final int TRACE = NAME + 64;
    private static final int WR = TRACE + 256;
    private static final int SGE = WR + 256;
    private static final int SIZE = SGE + 16;

    private final MemorySegment record =
            NativeLibrary.IBVERBS.symbol("verbs4j_record").reinterpret(SIZE);

    /** Forgets what was seen; later calls return these results in turn, and set errno. */
    void expect(int errno, long... results) {
        record.fill((byte) 0);
        for (int i = 0; i < 8; i++) {
            long result = results[Math.min(i, results.length - 1)];
            record.set(ValueLayout.JAVA_LONG, RESULTS + 8L * i, result);
        }
        record.set(ValueLayout.JAVA_LONG, ERROR, errno);
    }

    long calls() {
        return record.get(ValueLayout.JAVA_LONG, 0);
    }

    long count() {
        return record.get(ValueLayout.JAVA_LONG, COUNT);
    }

    long argument(int index) {
        return record.get(ValueLayout.JAVA_LONG, ARGS + 8L * index);
    }

    /** The function that was called last. */
    String name() {
        return record.getString(NAME);
    }

    /** All functions that were called, in order. */
    String trace() {
        return record.getString(TRACE).trim();
    }

    /** A copy of the work request that was posted last. */
    MemorySegment wr() {
        return record.asSlice(WR, 256);
    }

    /** A copy of its first element. */
    MemorySegment sge() {
        return record.asSlice(SGE, 16);
    }
}
