package io.github.verbs4j.types;

/**
 * Segmentation of large TCP packets by the device ({@code struct ibv_tso_caps}).
 *
 * @param maxTso longest packet to segment in bytes; 0 means that the device cannot
 * @param supportedQpts for which types of queue pairs: bit n stands for the type with number n
 */
public record TsoCaps(int maxTso, int supportedQpts) {
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
