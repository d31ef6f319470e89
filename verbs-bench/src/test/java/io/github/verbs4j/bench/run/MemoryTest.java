package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryTest {

    private static final List<String> TWO_GIB = List.of("MemAvailable:    2097152 kB");
    private static final List<String> UNLIMITED =
            List.of("Max locked memory         unlimited            unlimited            bytes");
    private static final List<String> EIGHT_MIB =
            List.of("Max locked memory         8388608              8388608              bytes");
    private static final List<String> USER = List.of("CapEff:\t0000000000000000");
    private static final List<String> ROOT = List.of("CapEff:\t000001ffffffffff");

    @Test
    void whatFitsIsNotLacking() {
        assertEquals(Optional.empty(), Memory.lackFor(1 << 30, TWO_GIB, UNLIMITED, USER));
    }

    @Test
    void moreThanIsAvailableIsLacking() {
        assertEquals(
                Optional.of("only 2048 MiB of memory are available"),
                Memory.lackFor(2L << 30, TWO_GIB, UNLIMITED, USER));
    }

    @Test
    void theLimitHoldsForThoseWhoMayNotLockAll() {
        assertEquals(
                Optional.of("ulimit -l allows 8192 KiB"),
                Memory.lackFor(1 << 30, TWO_GIB, EIGHT_MIB, USER));
        assertEquals(Optional.empty(), Memory.lackFor(1 << 30, TWO_GIB, EIGHT_MIB, ROOT));
    }

    @Test
    void whereNothingIsKnownNothingIsLacking() {
        assertEquals(Optional.empty(), Memory.lackFor(1 << 30, List.of(), List.of(), List.of()));
    }
}
