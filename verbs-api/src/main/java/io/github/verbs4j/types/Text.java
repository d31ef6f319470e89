package io.github.verbs4j.types;

import java.util.HexFormat;
import java.util.StringJoiner;

/** Small formatting and checking shared by the values. */
final class Text {
    static final int MAX_24_BIT = 0xffffff;

    private Text() {}

    static String flags(int bits, String[] names) {
        StringJoiner joiner = new StringJoiner("|").setEmptyValue("0");
        for (int i = 0; i < names.length; i++) {
            if ((bits & 1 << i) != 0) {
                joiner.add(names[i]);
            }
        }
        // Negative when names fill all 32 bits; no flag set here comes near that.
        int unknown = bits & -(1 << names.length);
        if (unknown != 0) {
            joiner.add("0x" + Integer.toHexString(unknown));
        }
        return joiner.toString();
    }

    static int range(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    field + " must be " + min + " to " + max + ", was " + value);
        }
        return value;
    }

    static int bits24(String field, int value) {
        if ((value & ~MAX_24_BIT) != 0) {
            throw new IllegalArgumentException(
                    field + " must fit in 24 bits (0 to 0xffffff), was 0x" + hex(value));
        }
        return value;
    }

    static String hex(int value) {
        return HexFormat.of().toHexDigits(value);
    }

    /** Reads unsigned hex digits of a fixed width; says which field of which text is wrong. */
    static long parseHex(String what, String field, String digits, int width) {
        if (digits.length() != width || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException(
                    what
                            + ": "
                            + field
                            + " must be "
                            + width
                            + " hex digits, was \""
                            + digits
                            + "\"");
        }
        return HexFormat.fromHexDigitsToLong(digits);
    }
}
