package io.github.verbs4j.examples.wire;

import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How {@code ibv_xsrq_pingpong} tells its peer where it is: 66 bytes, the text {@code
 * LID:RECV_QPN:SEND_QPN:PSN:SRQN:GID} in hex and a NUL.
 *
 * @param lid LID of the port, 0 on Ethernet
 * @param recvQpNum number of the queue pair that receives
 * @param sendQpNum number of the queue pair that sends
 * @param psn sequence number of the first packet
 * @param srqNum number of the shared receive queue that messages are for
 * @param gid GID of the port; zero if none is used
 */
public record XrcAddress(int lid, int recvQpNum, int sendQpNum, int psn, int srqNum, Gid gid) {

    /** Length of the message. */
    public static final int BYTES = 66;

    private static final Pattern FORM =
            Pattern.compile(
                    "(\\p{XDigit}{4}):(\\p{XDigit}{6}):(\\p{XDigit}{6}):(\\p{XDigit}{6})"
                            + ":(\\p{XDigit}{6}):(\\p{XDigit}{32})\0");

    /** {@return the message} */
    public byte[] toBytes() {
        return "%04x:%06x:%06x:%06x:%06x:%s\0"
                .formatted(lid, recvQpNum, sendQpNum, psn, srqNum, gid.toHex())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return the address in a message, or null if it is something else} */
    public static XrcAddress of(byte[] message) {
        Matcher m = FORM.matcher(new String(message, StandardCharsets.ISO_8859_1));
        return !m.matches()
                ? null
                : new XrcAddress(
                        hex(m.group(1)),
                        hex(m.group(2)),
                        hex(m.group(3)),
                        hex(m.group(4)),
                        hex(m.group(5)),
                        Gid.parse(m.group(6)));
    }

    private static int hex(String digits) {
        return Integer.parseInt(digits, 16);
    }

    /** {@return what the queue pair that receives needs to connect to this} */
    public QpAddress sender() {
        return new QpAddress(lid, sendQpNum, psn, gid, GidType.UNRECOGNIZED, Mtu.UNRECOGNIZED);
    }

    /** {@return what the queue pair that sends needs to connect to this} */
    public QpAddress receiver() {
        return new QpAddress(lid, recvQpNum, psn, gid, GidType.UNRECOGNIZED, Mtu.UNRECOGNIZED);
    }

    /** {@return the text that the C tool prints} */
    @Override
    public String toString() {
        return "LID %04x, QPN RECV %06x SEND %06x, PSN %06x, SRQN %06x, GID %s"
                .formatted(lid, recvQpNum, sendQpNum, psn, srqNum, gid);
    }
}
