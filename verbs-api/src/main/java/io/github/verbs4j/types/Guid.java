package io.github.verbs4j.types;

/**
 * Globally unique identifier of a device or port (EUI-64, {@code __be64} in C).
 *
 * @param value the 64 bits, the first byte shown being the most significant
 */
public record Guid(long value) {

    /**
     * Reads a GUID.
     *
     * @param text 16 hex digits, with or without colons between groups of four: {@code
     *     aabb:ccdd:eeff:0011} or {@code aabbccddeeff0011}
     * @return the GUID
     * @throws IllegalArgumentException if the text is neither
     */
    public static Guid parse(String text) {
        boolean groups = text.length() == 19;
        if (groups && (text.charAt(4) != ':' || text.charAt(9) != ':' || text.charAt(14) != ':')) {
            throw new IllegalArgumentException(
                    "GUID: expected aabb:ccdd:eeff:0011, was \"" + text + "\"");
        }
        String digits = groups ? text.replace(":", "") : text;
        return new Guid(Text.parseHex("GUID", "value", digits, 16));
    }

    /** {@return 16 lower-case hex digits, as {@code ibv_devices} prints them} */
    public String toHex() {
        return "%016x".formatted(value);
    }

    /** {@return four groups of four hex digits, as sysfs shows them} */
    @Override
    public String toString() {
        String hex = toHex();
        return String.join(
                ":",
                hex.substring(0, 4),
                hex.substring(4, 8),
                hex.substring(8, 12),
                hex.substring(12));
    }
}
