package io.github.verbs4j.examples.wire;

import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How {@code ibv_rc_pingpong} and its relatives tell each other where they are: 52 bytes, the text
 * {@code LID:QPN:PSN:GID} in hex and a NUL.
 *
 * @param lid LID of the port, 0 on Ethernet
 * @param qpNum queue pair number
 * @param psn sequence number of the first packet
 * @param gid GID of the port; zero if none is used
 */
public record PingpongAddress(int lid, int qpNum, int psn, Gid gid) {

    /** Length of the message. */
    public static final int BYTES = 52;

    /** The message without its digits. */
    private static final String FORM = "xxxx:xxxxxx:xxxxxx:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\0";

    /** {@return the message} */
    public byte[] toBytes() {
        return "%04x:%06x:%06x:%s\0"
                .formatted(lid, qpNum, psn, gid.toHex())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads a message.
     *
     * @param message 52 bytes for which {@link #isPlausible} holds
     * @return the address
     */
    public static PingpongAddress of(byte[] message) {
        String text = new String(message, StandardCharsets.US_ASCII);
        return new PingpongAddress(
                HexFormat.fromHexDigits(text, 0, 4),
                HexFormat.fromHexDigits(text, 5, 11),
                HexFormat.fromHexDigits(text, 12, 18),
                Gid.parse(text.substring(19, 51)));
    }

    /**
     * Tells whether the bytes begin a message, so that a peer who speaks something else is noticed
     * at its first wrong byte.
     */
    public static boolean isPlausible(byte[] message, int length) {
        for (int i = 0; i < length; i++) {
            char form = FORM.charAt(i);
            boolean fits = form == 'x' ? HexFormat.isHexDigit(message[i]) : form == message[i];
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** {@return what a queue pair needs to connect to this; the peer does not say its MTU} */
    public QpAddress toQpAddress() {
        return new QpAddress(lid, qpNum, psn, gid, GidType.UNRECOGNIZED, Mtu.UNRECOGNIZED);
    }

    /** {@return the text that the C tools print} */
    @Override
    public String toString() {
        return "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s".formatted(lid, qpNum, psn, gid);
    }
}
