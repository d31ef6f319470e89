package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Expected values are those that {@code rstream} of rdma-core 44 prints. */
class StreamReportTest {

    @Test
    void sizesAreRoundedDownAndHaveOneDecimalPlaceBelowTen() {
        assertEquals("64", StreamReport.size(64));
        assertEquals("1023", StreamReport.size(1023));
        assertEquals("1k", StreamReport.size(1024));
        assertEquals("1.5k", StreamReport.size(1536));
        assertEquals("97k", StreamReport.size(100_000));
        assertEquals("1.9m", StreamReport.size(2_000_000));
        assertEquals("4m", StreamReport.size(4 << 20));
        assertEquals("1.1g", StreamReport.size(1_200_000_000));
        assertEquals("12g", StreamReport.size(13_000_000_000L));
    }

    @Test
    void countsAreRoundedDown() {
        assertEquals("999", StreamReport.count(999));
        assertEquals("100k", StreamReport.count(100_000));
        assertEquals("2m", StreamReport.count(2_999_999));
        assertEquals("1b", StreamReport.count(1_000_000_000));
    }
}
