package io.github.verbs4j.internal;

/** Widens the fields that C declares unsigned and Java reads as signed. */
final class Unsigned {

    private Unsigned() {}

    static int u8(byte value) {
        return Byte.toUnsignedInt(value);
    }

    static int u16(short value) {
        return Short.toUnsignedInt(value);
    }

    static long u32(int value) {
        return Integer.toUnsignedLong(value);
    }
}
