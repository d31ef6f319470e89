package io.github.verbs4j.types;

/** Bits of a work completion ({@code enum ibv_wc_flags}); ints, because polling uses them. */
public final class WcFlags {
    /** A GRH precedes the payload, in the first 40 bytes of a UD receive ({@code IBV_WC_GRH}). */
    public static final int GRH = 1;

    /** The completion carries immediate data ({@code IBV_WC_WITH_IMM}). */
    public static final int WITH_IMM = 1 << 1;

    /** The device verified the IP and TCP/UDP checksums ({@code IBV_WC_IP_CSUM_OK}). */
    public static final int IP_CSUM_OK = 1 << 2;

    /** The completion carries a key that the peer has invalidated ({@code IBV_WC_WITH_INV}). */
    public static final int WITH_INV = 1 << 3;

    /** Tag matching lists must be synchronised ({@code IBV_WC_TM_SYNC_REQ}). */
    public static final int TM_SYNC_REQ = 1 << 4;

    /** A tagged message matched ({@code IBV_WC_TM_MATCH}). */
    public static final int TM_MATCH = 1 << 5;

    /** The matched data has arrived ({@code IBV_WC_TM_DATA_VALID}). */
    public static final int TM_DATA_VALID = 1 << 6;

    private static final String[] NAMES = {
        "GRH", "WITH_IMM", "IP_CSUM_OK", "WITH_INV", "TM_SYNC_REQ", "TM_MATCH", "TM_DATA_VALID"
    };

    private WcFlags() {}

    /**
     * Spells out a combination of flags.
     *
     * @param flags bits of this class
     * @return for example {@code GRH|WITH_IMM}; {@code 0} if none is set; unknown bits in hex
     */
    public static String toString(int flags) {
        return Text.flags(flags, NAMES);
    }
}
