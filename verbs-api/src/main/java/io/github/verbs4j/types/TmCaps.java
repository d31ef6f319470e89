package io.github.verbs4j.types;

/**
 * Tag matching by the device ({@code struct ibv_tm_caps}).
 *
 * @param maxRndvHdrSize longest rendezvous header in bytes
 * @param maxNumTags tags in a list; 0 means that the device cannot
 * @param flags bits of {@code enum ibv_tm_cap_flags}; 1 means on RC
 * @param maxOps outstanding list operations
 * @param maxSge scatter elements of a tagged buffer
 */
public record TmCaps(int maxRndvHdrSize, int maxNumTags, int flags, int maxOps, int maxSge) {}
