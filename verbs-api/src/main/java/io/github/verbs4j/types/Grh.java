package io.github.verbs4j.types;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header in the first 40 bytes of a UD receive ({@code struct ibv_grh}). On RoCE v2 over IPv4
 * the last 20 of them hold the IPv4 header instead; its addresses then read as mapped GIDs.
 *
 * @param isIpv4 whether it is an IPv4 header
 * @param trafficClass 8 bits; of IPv4 the type of service
 * @param flowLabel 20 bits; 0 of IPv4
 * @param payloadLength bytes behind the header, as the header says it
 * @param nextHeader the protocol that follows: 0x1b for a base transport header, 17 for UDP
 * @param hopLimit hops left; of IPv4 the time to live
 * @param sgid GID of the sender
 * @param dgid GID it was sent to
 */
public record Grh(
        boolean isIpv4,
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        Gid sgid,
        Gid dgid) {
    /** Number of bytes that a UD receive gives to it, in front of the message. */
    public static final int BYTES = 40;

    private static final int IPV4_AT = 20;
    private static final int IPV4_BYTES = 20;

    /**
     * Reads the header.
     *
     * @param bytes the beginning of the receive buffer, 40 bytes or more
     * @return the header
     * @throws IllegalArgumentException if it is neither a GRH nor an IPv4 header
     */
    public static Grh parse(byte[] bytes) {
        if (bytes.length < BYTES) {
            throw new IllegalArgumentException("a GRH has 40 bytes, got " + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int first = in.getInt(0);
        // The bytes before an IPv4 header are not defined and may look like version 6; then the
        // checksum decides. Otherwise it does not count: rxe leaves it out on loopback.
        if ((bytes[IPV4_AT] & 0xff) == 0x45 && (first >>> 28 != 6 || isChecksumRight(in))) {
            return ipv4(in);
        }
        if (first >>> 28 != 6) {
            throw new IllegalArgumentException(
                    "neither a GRH nor an IPv4 header: it starts with 0x" + Text.hex(first));
        }
        return new Grh(
                false,
                first >>> 20 & 0xff,
                first & 0xfffff,
                Short.toUnsignedInt(in.getShort(4)),
                Byte.toUnsignedInt(bytes[6]),
                Byte.toUnsignedInt(bytes[7]),
                Gid.of(Arrays.copyOfRange(bytes, 8, 24)),
                Gid.of(Arrays.copyOfRange(bytes, 24, 40)));
    }

    private static Grh ipv4(ByteBuffer in) {
        return new Grh(
                true,
                Byte.toUnsignedInt(in.get(IPV4_AT + 1)),
                0,
                Short.toUnsignedInt(in.getShort(IPV4_AT + 2)) - IPV4_BYTES,
                Byte.toUnsignedInt(in.get(IPV4_AT + 9)),
                Byte.toUnsignedInt(in.get(IPV4_AT + 8)),
                mapped(in.getInt(IPV4_AT + 12)),
                mapped(in.getInt(IPV4_AT + 16)));
    }

    private static Gid mapped(int address) {
        return Gid.of(0, 0xffffL << 32 | Integer.toUnsignedLong(address));
    }

    private static boolean isChecksumRight(ByteBuffer in) {
        int sum = 0;
        for (int at = IPV4_AT; at < IPV4_AT + IPV4_BYTES; at += 2) {
            sum += Short.toUnsignedInt(in.getShort(at));
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (sum & 0xffff) + (sum >>> 16) == 0xffff;
    }
}
