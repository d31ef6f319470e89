package io.github.verbs4j.types;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The Ethernet address that an RDMA address stands for.
 *
 * @param mac 6 bytes; copied in and out
 * @param vlan the VLAN, 0 to 4095; empty for untagged frames
 */
public record EthL2(byte[] mac, OptionalInt vlan) {
    /** Number of bytes of a MAC address. */
    public static final int MAC_BYTES = 6;

    /** Copies the bytes. */
    public EthL2 {
        if (mac.length != MAC_BYTES) {
            throw new IllegalArgumentException("a MAC has 6 bytes, got " + mac.length);
        }
        mac = mac.clone();
        Objects.requireNonNull(vlan, "vlan");
    }

    /** {@return the 6 bytes; a new array} */
    @Override
    public byte[] mac() {
        return mac.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EthL2 e && Arrays.equals(mac, e.mac) && vlan.equals(e.vlan);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(mac) * 31 + vlan.hashCode();
    }

    /** {@return the MAC with colons, and the VLAN if there is one} */
    @Override
    public String toString() {
        String text = HexFormat.ofDelimiter(":").formatHex(mac);
        return vlan.isPresent() ? text + " vlan " + vlan.getAsInt() : text;
    }
}
