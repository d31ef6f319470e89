package io.github.verbs4j.types;

/**
 * Moderation: one event for several completions ({@code struct ibv_cq_moderation_caps}).
 *
 * @param maxCqCount completions per event at most; 0 means that the device cannot
 * @param maxCqPeriod delay of an event at most, in microseconds
 */
public record CqModerationCaps(int maxCqCount, int maxCqPeriod) {}
