package io.github.verbs4j.internal;

import java.nio.ByteOrder;

/** Converts the fields that the C interface keeps in network byte order. */
public final class NetworkOrder {

    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private NetworkOrder() {}

    /**
     * Network to host order, and back.
     *
     * @param value a 64-bit field
     * @return the value in the other order
     */
    public static long toHost(long value) {
        return SWAP ? Long.reverseBytes(value) : value;
    }

    /**
     * Network to host order, and back.
     *
     * @param value a 32-bit field
     * @return the value in the other order
     */
    public static int toHost(int value) {
        return SWAP ? Integer.reverseBytes(value) : value;
    }

    /**
     * Network to host order, and back.
     *
     * @param value a 16-bit field
     * @return the value in the other order
     */
    public static short toHost(short value) {
        return SWAP ? Short.reverseBytes(value) : value;
    }
}
