package io.github.verbs4j.types;

/**
 * Distribution of received packets over work queues by a hash ({@code struct ibv_rss_caps}).
 *
 * @param supportedQpts for which types of queue pairs: bit n stands for the type with number n
 * @param maxRwqIndirectionTables indirection tables
 * @param maxRwqIndirectionTableSize entries of an indirection table
 * @param rxHashFieldsMask packet fields that can be hashed, bits of {@code enum ibv_rx_hash_fields}
 * @param rxHashFunction hash functions, bits of {@code enum ibv_rx_hash_function_flags}
 */
public record RssCaps(
        int supportedQpts,
        int maxRwqIndirectionTables,
        int maxRwqIndirectionTableSize,
        long rxHashFieldsMask,
        int rxHashFunction) {
    /**
     * Tells whether queue pairs of a type can do this.
     *
     * @param type the type
     * @return true if the device says so
     */
    public boolean supports(QpType type) {
        return type.isIn(supportedQpts);
    }
}
