package io.github.verbs4j.cm;

/**
 * Enhanced connection establishment: options that two queue pairs of one vendor agree on. C's
 * {@code struct ibv_ece}.
 *
 * @param vendorId who defines the options; 0 means none
 * @param options the vendor's bits
 */
public record Ece(int vendorId, int options) {}
