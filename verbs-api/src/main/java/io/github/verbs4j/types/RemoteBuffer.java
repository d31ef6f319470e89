package io.github.verbs4j.types;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Memory of a peer that may be read, written or changed by atomics: what a peer advertises.
 *
 * @param address address on the peer's side ({@code wr.rdma.remote_addr}), unsigned
 * @param length bytes, 0 or more
 * @param rkey key that permits access ({@code wr.rdma.rkey})
 */
public record RemoteBuffer(long address, long length, int rkey) {
    /** Length of the binary form. */
    public static final int BYTES = 20;

    private static final String WHAT = "remote buffer";

    /** Checks that the range exists. */
    public RemoteBuffer {
        if (length < 0) {
            throw new IllegalArgumentException(WHAT + ": length must be 0 or more, was " + length);
        }
        if (length > 0 && Long.compareUnsigned(address + (length - 1), address) < 0) {
            throw new IllegalArgumentException(
                    WHAT
                            + ": 0x"
                            + Long.toHexString(address)
                            + " + "
                            + length
                            + " bytes is beyond the end of memory");
        }
    }

    /**
     * Returns a part of this buffer, with the same key.
     *
     * @param offset first byte, 0 to the length
     * @param length bytes
     * @return the part
     * @throws IndexOutOfBoundsException if the part is not inside this buffer
     */
    public RemoteBuffer slice(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, this.length);
        return new RemoteBuffer(address + offset, length, rkey);
    }

    /**
     * Returns the address of a byte.
     *
     * @param offset 0 to the length; the length itself is the end
     * @return the peer's address
     * @throws IndexOutOfBoundsException if the offset is negative or beyond the end
     */
    public long address(long offset) {
        if (offset < 0 || offset > length) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " is outside the remote buffer of " + length + " bytes");
        }
        return address + offset;
    }

    /**
     * Returns the binary form, big endian: address (8 bytes), length (8), rkey (4).
     *
     * @return {@value #BYTES} bytes, for {@link #ofBytes(byte[])}
     */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(address).putLong(length).putInt(rkey).array();
    }

    /**
     * Reads the binary form.
     *
     * @param bytes what {@link #toBytes()} returned
     * @return the buffer
     * @throws IllegalArgumentException if it is malformed
     */
    public static RemoteBuffer ofBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(
                    WHAT + ": expected " + BYTES + " bytes, got " + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new RemoteBuffer(in.getLong(), in.getLong(), in.getInt());
    }

    /**
     * Returns the text form: {@code v1:address:length:rkey} in hex, 16, 16 and 8 digits.
     *
     * @return one line without white space, for {@link #parse(String)}
     */
    public String toText() {
        HexFormat hex = HexFormat.of();
        return String.join(
                ":",
                "v1",
                hex.toHexDigits(address),
                hex.toHexDigits(length),
                hex.toHexDigits(rkey));
    }

    /**
     * Reads the text form.
     *
     * @param text what {@link #toText()} returned
     * @return the buffer
     * @throws IllegalArgumentException if it is malformed; the message says where
     */
    public static RemoteBuffer parse(String text) {
        String[] fields = text.split(":", -1);
        if (!fields[0].equals("v1")) {
            throw new IllegalArgumentException(
                    WHAT + ": expected version v1, was \"" + fields[0] + "\"");
        }
        if (fields.length != 4) {
            throw new IllegalArgumentException(
                    WHAT + ": expected v1:address:length:rkey, was \"" + text + "\"");
        }
        return new RemoteBuffer(
                Text.parseHex(WHAT, "address", fields[1], 16),
                Text.parseHex(WHAT, "length", fields[2], 16),
                (int) Text.parseHex(WHAT, "rkey", fields[3], 8));
    }

    /** {@return address, length and key for people} */
    @Override
    public String toString() {
        return "RemoteBuffer[address=0x%x, length=%d, rkey=0x%08x]"
                .formatted(address, length, rkey);
    }
}
