package io.github.verbs4j.types;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Global identifier of a port or multicast group: 16 bytes that read as an IPv6 address ({@code
 * union ibv_gid}). Immutable.
 *
 * <p>On RoCE v2 an IPv4 address appears as {@code ::ffff:a.b.c.d}.
 */
public final class Gid {
    /** Number of bytes. */
    public static final int BYTES = 16;

    private static final long IPV4_MAPPED = 0xffffL;

    private final long subnetPrefix;
    private final long interfaceId;

    private Gid(long subnetPrefix, long interfaceId) {
        this.subnetPrefix = subnetPrefix;
        this.interfaceId = interfaceId;
    }

    /**
     * Makes a GID of its two halves.
     *
     * @param subnetPrefix the first 8 bytes, the first byte most significant
     * @param interfaceId the last 8 bytes
     * @return the GID
     */
    public static Gid of(long subnetPrefix, long interfaceId) {
        return new Gid(subnetPrefix, interfaceId);
    }

    /**
     * Makes a GID of its bytes.
     *
     * @param bytes 16 bytes in network order; copied
     * @return the GID
     * @throws IllegalArgumentException if there are not 16
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GID has 16 bytes, got " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * Makes the GID that stands for an IP address on RoCE v2.
     *
     * @param address an IPv6 address, or an IPv4 address, which becomes {@code ::ffff:a.b.c.d}
     * @return the GID
     */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return new Gid(0, IPV4_MAPPED << 32 | ByteBuffer.wrap(bytes).getInt() & 0xffffffffL);
        }
        return of(bytes);
    }

    /**
     * Reads a GID.
     *
     * @param text 32 hex digits (as the C tools exchange them), eight groups with colons (as in
     *     sysfs), or any form of an IPv6 address without scope
     * @return the GID
     * @throws IllegalArgumentException if the text is none of these
     */
    public static Gid parse(String text) {
        if (text.length() == 32 && text.chars().allMatch(HexFormat::isHexDigit)) {
            return of(HexFormat.of().parseHex(text));
        }
        // The look at the characters keeps brackets, scopes and host names out.
        boolean plausible =
                text.indexOf(':') >= 0
                        && text.chars()
                                .allMatch(c -> HexFormat.isHexDigit(c) || c == ':' || c == '.');
        if (plausible) {
            try {
                return of(InetAddress.ofLiteral(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(malformed(text), e);
            }
        }
        throw new IllegalArgumentException(malformed(text));
    }

    private static String malformed(String text) {
        return "GID must be 32 hex digits or an IPv6 address, was \"" + text + "\"";
    }

    /** {@return the 16 bytes in network order; a new array} */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(subnetPrefix).putLong(interfaceId).array();
    }

    /** {@return the first 8 bytes ({@code global.subnet_prefix}), the first most significant} */
    public long subnetPrefix() {
        return subnetPrefix;
    }

    /** {@return the last 8 bytes ({@code global.interface_id}), the first most significant} */
    public long interfaceId() {
        return interfaceId;
    }

    /** {@return whether all bytes are zero: an empty entry of a GID table} */
    public boolean isZero() {
        return (subnetPrefix | interfaceId) == 0;
    }

    /** {@return whether this is {@code ::ffff:a.b.c.d}} */
    public boolean isIpv4Mapped() {
        return subnetPrefix == 0 && interfaceId >>> 32 == IPV4_MAPPED;
    }

    /** {@return whether this is in {@code fe80::/10}} */
    public boolean isLinkLocal() {
        return subnetPrefix >>> 54 == 0xfe80 >>> 6;
    }

    /** {@return whether this is a multicast group: the first byte is {@code ff}} */
    public boolean isMulticast() {
        return subnetPrefix >>> 56 == 0xff;
    }

    /** {@return the IP address that this stands for: IPv4 if mapped, otherwise IPv6} */
    public InetAddress toInetAddress() {
        try {
            // Turns a mapped address into an Inet4Address by itself.
            return InetAddress.getByAddress(bytes());
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are an address", e);
        }
    }

    /** {@return 32 lower-case hex digits, as the C tools exchange a GID} */
    public String toHex() {
        return HexFormat.of().formatHex(bytes());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid gid
                && gid.subnetPrefix == subnetPrefix
                && gid.interfaceId == interfaceId;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(subnetPrefix * 31 + interfaceId);
    }

    /** {@return the text that {@code inet_ntop(AF_INET6, ...)} prints, as the C tools do} */
    @Override
    public String toString() {
        int runStart = -1;
        int runLength = 1; // A single zero group is not abbreviated.
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && group(end) == 0) {
                end++;
            }
            if (end - i > runLength) {
                runStart = i;
                runLength = end - i;
            }
            i = Math.max(i, end - 1);
        }
        // glibc prints the last four bytes as IPv4 for ::ffff:a.b.c.d and for ::a.b.c.d.
        boolean dotted = runStart == 0 && (runLength == 6 || isIpv4Mapped());
        StringBuilder text = new StringBuilder(45);
        for (int i = 0; i < (dotted ? 6 : 8); i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(i)));
        }
        if (dotted) {
            if (text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            for (int shift = 24; shift >= 0; shift -= 8) {
                text.append(interfaceId >>> shift & 0xff).append(shift > 0 ? "." : "");
            }
        }
        return text.toString();
    }

    private int group(int i) {
        long half = i < 4 ? subnetPrefix : interfaceId;
        return (int) (half >>> 16 * (3 - (i & 3))) & 0xffff;
    }
}
