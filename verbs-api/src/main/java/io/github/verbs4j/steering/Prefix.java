package io.github.verbs4j.steering;

import io.github.verbs4j.internal.Check;

/** Masks of networks. */
final class Prefix {

    private Prefix() {}

    static byte[] mask(int bytes, int prefixLength) {
        Check.range("prefixLength", prefixLength, 0, 8L * bytes);
        byte[] mask = new byte[bytes];
        for (int bit = 0; bit < prefixLength; bit++) {
            mask[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return mask;
    }
}
