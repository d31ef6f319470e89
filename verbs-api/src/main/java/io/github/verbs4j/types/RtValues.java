package io.github.verbs4j.types;

/**
 * The device's clock as it is now ({@code struct ibv_values_ex}): the clock of completion
 * timestamps. Its unit is the tick of {@link DeviceAttrEx#hcaCoreClock}.
 *
 * @param rawClockSec C's {@code raw_clock.tv_sec}
 * @param rawClockNsec C's {@code raw_clock.tv_nsec}; providers put the whole counter of ticks here
 */
public record RtValues(long rawClockSec, long rawClockNsec) {}
