package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class TimersTest {
    @Test
    void everyTimerHasItsPositionAsEncoding() {
        assertEquals(32, AckTimeout.values().length);
        assertEquals(32, RnrTimer.values().length);
        for (int n = 0; n < 32; n++) {
            assertEquals(n, AckTimeout.of(n).value());
            assertEquals(n, RnrTimer.of(n).value());
        }
    }

    @Test
    void everyNameTellsItsDuration() {
        for (RnrTimer timer : RnrTimer.values()) {
            double ms = Double.parseDouble(timer.name().substring(3).replace('_', '.'));
            assertEquals(Math.round(ms * 1000), timer.toDuration().toNanos() / 1000, timer.name());
        }
        for (AckTimeout timeout : AckTimeout.values()) {
            if (timeout != AckTimeout.INFINITE) {
                String[] name = timeout.name().split("_");
                double unit = name[0].equals("US") ? 1e3 : name[0].equals("MS") ? 1e6 : 1e9;
                long rounded = Math.round(timeout.toDuration().toNanos() / unit);
                assertEquals(Long.parseLong(name[1]), rounded, timeout.name());
            }
        }
    }

    @Test
    void knownEncodingsHaveTheDurationsOfTheSpecification() {
        assertEquals(Duration.ofNanos(8_192), AckTimeout.of(1).toDuration());
        assertEquals(Duration.ofNanos(67_108_864), AckTimeout.of(14).toDuration());
        assertSame(AckTimeout.MS_67, AckTimeout.of(14));
        assertEquals(ChronoUnit.FOREVER.getDuration(), AckTimeout.of(0).toDuration());
        assertSame(RnrTimer.MS_0_64, RnrTimer.of(12));
        assertEquals(Duration.ofNanos(655_360_000), RnrTimer.of(0).toDuration());
        assertEquals(Duration.ofNanos(10_000), RnrTimer.of(1).toDuration());
    }

    @Test
    void onlyFiveBitsCountAsOnTheWire() {
        assertSame(RnrTimer.MS_0_64, RnrTimer.of(0x2c));
        assertSame(AckTimeout.INFINITE, AckTimeout.of(32));
    }

    @Test
    void atLeastPicksTheShortestThatIsLongEnough() {
        assertSame(RnrTimer.MS_0_01, RnrTimer.atLeast(Duration.ZERO));
        assertSame(RnrTimer.MS_0_64, RnrTimer.atLeast(Duration.ofNanos(640_000)));
        assertSame(RnrTimer.MS_0_96, RnrTimer.atLeast(Duration.ofNanos(640_001)));
        assertSame(RnrTimer.MS_655_36, RnrTimer.atLeast(Duration.ofMillis(500)));
        assertSame(AckTimeout.US_8, AckTimeout.atLeast(Duration.ZERO));
        assertSame(AckTimeout.MS_67, AckTimeout.atLeast(Duration.ofMillis(60)));
        assertSame(AckTimeout.MS_134, AckTimeout.atLeast(Duration.ofMillis(68)));
        assertSame(AckTimeout.INFINITE, AckTimeout.atLeast(ChronoUnit.FOREVER.getDuration()));
        for (AckTimeout timeout : AckTimeout.values()) {
            assertSame(timeout, AckTimeout.atLeast(timeout.toDuration()));
        }
        for (RnrTimer timer : RnrTimer.values()) {
            assertSame(timer, RnrTimer.atLeast(timer.toDuration()));
        }
    }

    @Test
    void atLeastRefusesWhatNoTimerReaches() {
        Duration negative = Duration.ofNanos(-1);
        assertThrows(IllegalArgumentException.class, () -> RnrTimer.atLeast(negative));
        assertThrows(IllegalArgumentException.class, () -> AckTimeout.atLeast(negative));
        var rnr =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> RnrTimer.atLeast(Duration.ofMillis(656)));
        assertEquals("RNR timer must be 0 to 655.36 ms, was PT0.656S", rnr.getMessage());
        assertThrows(IllegalArgumentException.class, () -> AckTimeout.atLeast(Duration.ofHours(3)));
    }
}
