package io.github.verbs4j.types;

/**
 * Enhanced connection establishment: vendor options that both ends of a connection agree on ({@code
 * struct ibv_ece}). The passive side takes what {@code queryEce} of the active side said, sets it,
 * and answers with what its own {@code queryEce} says.
 *
 * @param vendorId the device's vendor
 * @param options bits that only that vendor knows
 * @param compMask which further fields are valid; 0
 */
public record Ece(int vendorId, int options, int compMask) {}
