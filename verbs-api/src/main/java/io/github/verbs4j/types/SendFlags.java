package io.github.verbs4j.types;

/** Bits of a send work request ({@code enum ibv_send_flags}); ints, because posting uses them. */
public final class SendFlags {
    /** Wait until the reads and atomics posted before have completed ({@code IBV_SEND_FENCE}). */
    public static final int FENCE = 1;

    /** Produce a completion also on success ({@code IBV_SEND_SIGNALED}). */
    public static final int SIGNALED = 1 << 1;

    /** Wake a peer that waits for solicited completions ({@code IBV_SEND_SOLICITED}). */
    public static final int SOLICITED = 1 << 2;

    /** Copy the data while posting: the buffer is free at once ({@code IBV_SEND_INLINE}). */
    public static final int INLINE = 1 << 3;

    /** Let the device compute the IP and TCP/UDP checksums ({@code IBV_SEND_IP_CSUM}). */
    public static final int IP_CSUM = 1 << 4;

    private static final String[] NAMES = {"FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CSUM"};

    private SendFlags() {}

    /**
     * Spells out a combination of flags.
     *
     * @param flags bits of this class
     * @return for example {@code SIGNALED|INLINE}; {@code 0} if none is set; unknown bits in hex
     */
    public static String toString(int flags) {
        return Text.flags(flags, NAMES);
    }
}
