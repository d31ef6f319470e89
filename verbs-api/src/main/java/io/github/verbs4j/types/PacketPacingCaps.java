package io.github.verbs4j.types;

/**
 * Limits of the sending rate ({@code struct ibv_packet_pacing_caps}).
 *
 * @param qpRateLimitMin lowest rate in kbit/s
 * @param qpRateLimitMax highest rate in kbit/s; 0 means that the device cannot
 * @param supportedQpts for which types of queue pairs: bit n stands for the type with number n
 */
public record PacketPacingCaps(int qpRateLimitMin, int qpRateLimitMax, int supportedQpts) {
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
